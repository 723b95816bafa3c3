/* What the reading hand carries from block to block: running maximum, correction, running sum, accumulator; and what
   the accumulator divided by the sum is, beside the dense answer. */
import { fixed } from "../attention.js";
import { el, put, toggle } from "../dom.js";
import { largest, makeVector, setVector, stretch } from "../vector.js";

export default function carried(stage, room) {
  const heads = [el("h2", { class: "h" }), el("h2", { class: "h" }), el("h2", { class: "h" })];
  const rows = ["m", "α", "l"].map((sign) => {
    const small = el("small", {});
    const old = el("s", {});
    const value = el("b", {});
    const dd = el("dd", {}, old, value);
    return { dt: el("dt", {}, sign, small), dd, small, old, value };
  });
  const list = el("dl", { class: "run" }, ...rows.flatMap((row) => [row.dt, row.dd]));
  const acc = makeVector("acc");
  const pairs = el("div", { class: "pairs", "aria-hidden": "true" }); // the answer panel has the digits
  const node = el("section", { class: "carriedw" }, heads[0], list, heads[1], acc, heads[2], pairs);
  let columns = [];
  return {
    el: node,
    build() {
      const words = stage.words.attention;
      heads[0].replaceChildren(words.carried[0], " ", el("small", {}, words.carried[1]));
      heads[1].replaceChildren(words.acc[0], " ", el("small", {}, words.acc[1]));
      heads[2].replaceChildren(words.divided[0], " ", el("small", {}, words.divided[1]));
      const { dense } = room.tl.wire.heads[room.tl.head];
      columns = dense.map(() => ({ bar: el("i", {}), ghost: el("u", {}) }));
      pairs.replaceChildren(...columns.map(({ bar, ghost }) => el("div", { class: "pair" }, ghost, bar)));
      [words.m, words.a, words.l].forEach((text, k) => put(rows[k].small, text));
    },
    draw() {
      const { m, alpha, sum, acc: gathered, answer, hit, before, k, line, h } = room.tl.look(room.i);
      const [best, shrink, total] = rows;
      put(best.value, fixed(m, 2));
      put(best.old, hit && k === 2 ? fixed(before, 2) : "");
      put(shrink.value, alpha === null ? "–" : line === 0 ? "–" : fixed(alpha, 3));
      put(total.value, fixed(sum, 3));
      toggle(best.dd, "hit", hit);
      toggle(shrink.dd, "hit", hit);
      const most = largest([h.dense, ...h.part]);
      columns.forEach(({ bar, ghost }, at) => {
        stretch(ghost, h.dense[at], most);
        stretch(bar, answer ? answer[at] : 0, most);
      });
      setVector(acc, gathered, largest(h.acc), stage.words.attention.acc[0]);
    },
  };
}
