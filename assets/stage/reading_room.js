/* The room of the attention page: shelves in physical order, A's boxes numbered by token, the hand that reads them and
   the dotted line of its way. When all boxes are moved, they travel to their new shelves. */
import { calm, el, put, toggle } from "./dom.js";
import { spoken, stateOf } from "./block_state.js";
import { Shelf } from "./shelf.js";

const SVG = "http://www.w3.org/2000/svg";
const HAND = "M12 38c-5-5-9-11-10-15-.6-2.6 2.4-3.8 4.2-1.6L9 25V5.5C9 2 14 2 14 5.500V17c0-3 5-3 5 0v2c0-3 5-2.800 5 .2V21c0-2.6 4.6-2.6 4.6.6V29c0 4-1.6 6.4-3.6 9z";
const MOVE = { duration: 600, easing: "cubic-bezier(.2,.7,.2,1)" };

export function columns(blocks, mini) {
  if (mini) return blocks <= 16 ? 8 : 16;
  return blocks <= 16 ? 4 : blocks <= 48 ? 8 : 12;
}

export class ReadingRoom {
  constructor(stage, room) {
    this.stage = stage;
    this.room = room;
    this.grid = el("div", { class: "room reading", role: "listbox" });
    this.path = document.createElementNS(SVG, "svg");
    this.path.setAttribute("class", "way");
    this.path.append(document.createElementNS(SVG, "polyline"));
    this.hand = el("div", { class: "hand", "aria-hidden": "true" });
    this.hand.innerHTML = `<svg viewBox="0 0 34 40"><path d="${HAND}"/></svg>`;
    this.el = el("div", { class: "readingroom" }, this.grid, this.path, this.hand);
    this.roving = 1;
  }

  build(mini) {
    const { wire } = this.room.tl;
    const before = this.wire && this.wire !== wire && !calm.matches ? this.spots() : null;
    this.wire = wire;
    this.mini = mini;
    this.grid.setAttribute("aria-label", this.stage.words.attention.room[0]);
    this.grid.style.setProperty("--across", columns(wire.num_blocks, mini));
    toggle(this.grid, "tiny", mini);
    toggle(this.grid, "lots", wire.num_blocks > 16);
    this.shelves = wire.blocks.map((block, b) => this.shelf(block, b));
    this.grid.replaceChildren(...this.shelves.map((shelf) => shelf.el));
    if (before) this.travel(before);
  }

  shelf(block, b) {
    const shelf = new Shelf(b, this.wire.block_size);
    shelf.el.setAttribute("role", "option");
    shelf.el.tabIndex = b === this.roving ? 0 : -1;
    shelf.lip.append(el("em", {}));
    return shelf;
  }

  draw(instant) {
    const { stage, room } = this;
    const { tl } = room;
    const { line, phase, done, ended } = tl.look(room.i);
    const words = stage.words.attention;
    const lines = new Map(this.wire.lines.map((each, l) => [each.b, l]));
    this.shelves.forEach((shelf, b) => {
      if (shelf.set(stateOf(stage, room, b), tl.requests, "", () => "")) {
        shelf.el.setAttribute("aria-label", spoken(stage, room, b));
        shelf.el.setAttribute("aria-selected", String(stage.pin === b));
      }
      const l = lines.get(b);
      const at = l === undefined ? null : this.wire.lines[l];
      put(shelf.lip.querySelector("em"), l === undefined || this.mini ? "" : words.lineTag(l));
      const read = l !== undefined && (l < done || (l === line && phase !== "look"));
      toggle(shelf.el, "read", read);
      toggle(shelf.el, "wrong", l !== undefined && !at.own);
      this.boxes(shelf, this.wire.blocks[b], at);
    });
    this.follow(line, ended, instant);
  }

  /** Numbers on A's boxes; what is read of somebody else's is marked. */
  boxes(shelf, block, at) {
    const boxes = [...shelf.boxes.children];
    boxes.forEach((box, t) => {
      const slot = block.t[t];
      const mine = typeof slot === "number" && t < block.f;
      put(box, mine && !this.mini ? String(slot) : "");
      toggle(box, "stray", Boolean(at) && t < at.n && !mine);
    });
  }

  centre(b) {
    const frame = this.el.getBoundingClientRect();
    const box = this.shelves[b].boxes.getBoundingClientRect();
    return { x: box.left - frame.left, y: box.top - frame.top, w: box.width, h: box.height };
  }

  follow(line, ended, instant) {
    const last = this.wire.lines.length - 1;
    const shown = ended ? last : line;
    toggle(this.hand, "still", Boolean(instant) || calm.matches);
    toggle(this.hand, "away", line < 0);
    const spot = this.centre(this.wire.lines[Math.max(0, shown)].b);
    this.hand.style.transform = `translate(${spot.x + spot.w - (this.mini ? 16 : 24)}px,${spot.y + spot.h * 0.45}px)`;
    const points = this.wire.lines.slice(0, shown + 1).map((each) => {
      const { x, y, w, h } = this.centre(each.b);
      return `${x + w / 2},${y + h / 2}`;
    });
    this.path.firstChild.setAttribute("points", points.join(" "));
  }

  /** Where each content's boxes are, to be asked for before a move. */
  spots() {
    return new Map(this.wire.blocks.map((block, b) => [block.c, this.shelves[b].el.getBoundingClientRect()]));
  }

  travel(before) {
    this.wire.blocks.forEach((block, b) => {
      const from = before.get(block.c);
      if (!from || block.o < 0) return;
      const to = this.shelves[b].el.getBoundingClientRect();
      const [dx, dy] = [from.left - to.left, from.top - to.top];
      if (!dx && !dy) return;
      const shelf = this.shelves[b];
      shelf.el.style.zIndex = block.o === 0 ? 4 : 3; // what travels passes over what stands still
      for (const part of [shelf.boxes, shelf.top]) {
        part.animate([{ transform: `translate(${dx}px,${dy}px)` }, { transform: "none" }], MOVE).onfinish = () => (shelf.el.style.zIndex = "");
      }
    });
  }

  focus(b) {
    this.shelves[this.roving].el.tabIndex = -1;
    this.roving = b;
    this.shelves[b].el.tabIndex = 0;
    this.shelves[b].el.focus();
  }
  focused() {
    return this.grid.contains(this.grid.getRootNode().activeElement) ? this.roving : null;
  }
}
