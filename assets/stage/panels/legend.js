/* How to read a shelf: its six looks, drawn by the code that draws the room. */
import { el, put } from "../dom.js";
import { Shelf } from "../shelf.js";
import { LEGEND } from "../words.js";

const OWNERS = [
  { letter: "A", hue: 0 },
  { letter: "B", hue: 1 },
];

export default function legend(stage) {
  const summary = el("summary", {});
  const grid = el("div", { class: "legend" });
  const fold = el("details", { class: "fold" }, summary, grid);
  return {
    el: fold,
    build() {
      put(summary, stage.words.legend);
      grid.replaceChildren(
        ...LEGEND.map((entry) => {
          const shelf = new Shelf(7, 4);
          const owners = { used: [0], shared: [0, 1], kept: [], free: [] }[entry.look];
          const is = { owners, fill: entry.fill, hash: entry.label ?? -1, thrown: entry.thrown ?? -1, now: false, pinned: false };
          shelf.set(is, OWNERS, stage.words.kept);
          shelf.el.removeAttribute("data-b");
          shelf.el.setAttribute("aria-hidden", "true");
          const [name, text] = entry[stage.reg];
          return el("div", {}, shelf.el, el("span", {}, el("b", {}, name), el("span", { class: "muted" }, text)));
        }),
      );
    },
    draw() {},
  };
}
