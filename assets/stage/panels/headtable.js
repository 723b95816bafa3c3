/* All query heads at the end of the reading, as a table; a row shows its head on the stage. */
import { fixed, scientific } from "../attention.js";
import { el } from "../dom.js";

export default function headtable(stage, room) {
  const title = el("summary", {});
  const table = el("table", { class: "heads" });
  const node = el("details", { class: "fold" }, title, el("div", {}, table));
  return {
    el: node,
    build() {
      const words = stage.words.attention;
      const { wire, head } = room.tl;
      title.textContent = words.heads;
      const last = wire.lines.length - 1;
      const rows = wire.heads.map((h, k) => {
        const corrections = wire.steps.filter((step) => step.kinds[k].length).length;
        const show = el("button", { type: "button", class: "link", "aria-pressed": String(k === head), onclick: () => stage.chooseHead(k) }, String(k));
        const cells = [String(Math.floor(k / wire.group)), fixed(h.m[last], 3), fixed(h.l[last], 3), String(corrections), scientific(h.most)];
        return el("tr", { class: k === head ? "cur" : "" }, el("td", {}, show), ...cells.map((text) => el("td", {}, text)));
      });
      table.replaceChildren(el("thead", {}, el("tr", {}, ...words.headsHead.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, ...rows));
    },
    draw() {},
  };
}
