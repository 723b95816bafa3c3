/* Take away: what can be had of the stage as a file or on the clipboard. One small button in the row of controls opens
   a menu; what came of a choice is said in it. All of it is made in this browser. */
import { el, icon, put } from "../dom.js";
import { csv } from "./csv.js";
import { file } from "./file.js";
import { handout } from "./handout.js";
import { png } from "./raster.js";
import { nameOf, save } from "./save.js";
import { footOf, picture } from "./shot.js";

const CHOICES = [
  { name: "file", title: "A page that plays offline", note: "HTML, opens by double click", act: async (stage) => `Saved ${save(stage, nameOf(stage, "html"), await file(stage), "text/html")}.`, needs: (stage) => !stage.offline },
  { name: "svg", title: "This step as a drawing", note: "SVG, for slides and print", act: (stage) => `Saved ${save(stage, nameOf(stage, "svg"), picture(stage, { foot: footOf(stage) }), "image/svg+xml")}.` },
  { name: "png", title: "This step as a picture", note: "PNG, to the clipboard", act: toClipboard },
  { name: "csv", title: "All steps as a table", note: "CSV, for a spreadsheet", act: (stage) => `Saved ${save(stage, nameOf(stage, "csv", "steps"), ["\ufeff", csv(stage)], "text/csv")}.` },
  { name: "handout", title: "A handout to print", note: "HTML, one page per scene", act: (stage) => `Saved ${save(stage, nameOf(stage, "html", "handout"), handout(stage), "text/html")}. Open it and print.`, needs: (stage) => Boolean(stage.rooms[0]?.tl.scenes) && !stage.offline },
];

/** The picture on the clipboard; where the browser keeps that closed, as a file, and why. */
async function toClipboard(stage) {
  const made = png(picture(stage, { foot: footOf(stage) }));
  const whole = made.catch(() => null); // told below
  try {
    if (!globalThis.ClipboardItem || !navigator.clipboard?.write) throw new Error(isSecureContext ? "this browser has no clipboard for pictures" : "the browser opens the clipboard only to pages that came over https or from this machine");
    await navigator.clipboard.write([new ClipboardItem({ "image/png": made })]);
    return "Copied: paste it into a slide or a message.";
  } catch (error) {
    const blob = await whole;
    if (!blob) throw new Error("the picture could not be made");
    const why = error?.name === "NotAllowedError" ? "the browser did not allow it" : error.message;
    return `Not copied: ${why}. Saved instead: ${save(stage, nameOf(stage, "png"), blob, "image/png")}.`;
  }
}

export class TakeAway {
  constructor(stage) {
    this.stage = stage;
    this.said = el("p", { role: "status" });
    this.list = el("div", { role: "menu", "aria-label": "Take away" });
    this.el = el("div", { class: "takemenu", popover: "auto" }, this.list, this.said);
    this.list.onkeydown = (event) => this.key(event);
    this.el.addEventListener("toggle", (event) => {
      const open = event.newState === "open";
      this.opener?.setAttribute("aria-expanded", String(open));
      if (!open) this.el.style.visibility = "";
    });
  }

  /** The button for a panel's own row of controls. */
  button() {
    const button = el("button", { type: "button", class: "key take", "aria-label": "Take away", title: "T: take away", "aria-haspopup": "menu", "aria-expanded": "false", onclick: () => this.toggle(button) }, icon("take"));
    this.opener = button;
    return button;
  }

  /** A stage whose panels have no row of controls gets one, with the keys beside it. */
  placeIn(body) {
    const keys = el("button", { type: "button", class: "key", "aria-label": "Keys", onclick: () => this.stage.help() }, "?");
    if (!this.opener || !body.contains(this.opener)) body.append(el("div", { class: "takerow" }, this.button(), keys));
  }

  get allowed() {
    return !this.stage.presenting && Boolean(this.stage.data) && Boolean(this.opener?.getClientRects().length);
  }

  /** By key: at its button. */
  open() {
    if (this.allowed) this.toggle(this.opener);
  }

  toggle(button) {
    if (this.el.matches(":popover-open")) return this.el.hidePopover();
    this.opener = button;
    put(this.said, "");
    const choices = CHOICES.filter(({ needs }) => needs?.(this.stage) ?? true);
    this.list.replaceChildren(...choices.map((choice) => el("button", { type: "button", role: "menuitem", tabindex: -1, "data-take": choice.name, onclick: () => this.choose(choice) }, el("b", {}, choice.title), el("small", {}, choice.note))));
    this.el.showPopover();
    this.stand(button.getBoundingClientRect());
    this.list.firstChild.focus();
  }

  /** Above the button if there is room, else below; never off the screen. */
  stand(at) {
    const { offsetWidth: w, offsetHeight: h } = this.el;
    const left = Math.max(8, Math.min(at.left, innerWidth - w - 8));
    const above = at.top - h - 8;
    const top = above >= 8 ? above : Math.max(8, Math.min(at.bottom + 8, innerHeight - h - 8));
    Object.assign(this.el.style, { left: `${left}px`, top: `${top}px` });
  }

  async choose(choice) {
    put(this.said, "One moment.");
    try {
      put(this.said, await choice.act(this.stage));
    } catch (error) {
      console.warn("pagedviz take away:", error);
      put(this.said, `That did not work: ${error.message}.`);
    }
    this.stand(this.opener.getBoundingClientRect());
  }

  key(event) {
    const items = [...this.list.children];
    const at = items.indexOf(this.list.getRootNode().activeElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[to].focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      this.el.hidePopover();
      this.opener.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  close() {
    if (this.el.matches(":popover-open")) this.el.hidePopover();
  }
}
