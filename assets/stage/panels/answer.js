/* The answer so far beside the dense one in digits, and the difference; below it what moving or breaking did. */
import { fixed, scientific } from "../attention.js";
import { el, put, rich, toggle } from "../dom.js";

export default function answer(stage, room) {
  const table = el("table", {});
  const notes = el("div", { class: "notes" });
  const node = el("section", { class: "answerw" }, el("div", { class: "cmp" }, table), notes);
  let rows = null;
  let columns = [];
  return {
    el: node,
    build() {
      const words = stage.words.attention;
      const { wire, head } = room.tl;
      const h = wire.heads[head];
      const digits = h.dense.length > 12 ? 5 : 7;
      columns = h.dense.map(() => ({ paged: el("td", {}), diff: el("td", {}) }));
      const pagedHead = el("th", { scope: "row" });
      const diffHead = el("th", { scope: "row" }, words.difference);
      const denseCells = h.dense.map(() => el("td", {}));
      rows = { digits, pagedHead, diffHead, denseCells, diff: el("tr", { class: "d" }, diffHead, ...columns.map((c) => c.diff)) };
      table.replaceChildren(
        el("tr", {}, pagedHead, ...columns.map((c) => c.paged)),
        el("tr", {}, el("th", { scope: "row" }, words.dense), ...denseCells),
        rows.diff,
      );
      const reg = stage.reg === "engine" ? 1 : 0;
      const lines = [wire.note, wire.rounding].filter(Boolean).map((note) => el("p", {}, rich(note[reg])));
      notes.replaceChildren(...lines);
    },
    draw() {
      const words = stage.words.attention;
      const { tl } = room;
      const { answer: so, done, ended, off, h } = tl.look(room.i);
      const count = tl.wire.lines.length;
      rows.pagedHead.replaceChildren(words.paged, " ", el("small", {}, words.soFar(ended ? count : done, count)));
      const digits = ended ? rows.digits : 3;
      const differences = ended ? h.diff : off;
      columns.forEach((column, k) => {
        put(rows.denseCells[k], fixed(h.dense[k], digits));
        put(column.paged, so ? fixed(so[k], digits) : "·");
        put(column.diff, differences ? (ended && differences[k] < 0.001 ? scientific(differences[k], 0) : fixed(differences[k], 3)) : "·");
      });
      put(rows.diffHead, differences ? words.atMost(scientific(Math.max(...differences))) : words.difference);
      toggle(rows.diff, "same", ended && h.same);
      toggle(rows.diff, "other", ended && !h.same);
    },
  };
}
