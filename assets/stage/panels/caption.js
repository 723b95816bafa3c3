/* What just happened, in one sentence, and the switch between the two registers. */
import { el, plain, rich, toggle } from "../dom.js";
import { WORDS } from "../words.js";

const LONG = { room: 150, engine: 160 }; // characters that fit two lines in the large type

export default function caption(stage, room) {
  const text = el("p", { "aria-live": "polite", class: "said" });
  const buttons = Object.keys(WORDS).map((reg) =>
    el("button", { type: "button", onclick: () => stage.setRegister(reg), "data-reg": reg }, WORDS[reg].register),
  );
  const node = el("div", { class: "cap" }, text, el("div", { class: "seg", role: "group", "aria-label": "Words" }, ...buttons));
  return {
    el: node,
    build() {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.reg === stage.reg)));
      node.classList.toggle("eng", stage.reg === "engine");
    },
    draw() {
      if (room.news && room.news.at !== room.i) room.news = null;
      const words = stage.said(room);
      toggle(node, "long", plain(words).length > LONG[stage.reg]); // smaller, so that nothing below it jumps
      const live = stage.clock.playing ? "off" : "polite"; // a run that plays is not read out word by word
      if (text.getAttribute("aria-live") !== live) text.setAttribute("aria-live", live);
      text.replaceChildren(rich(words));
    },
  };
}
