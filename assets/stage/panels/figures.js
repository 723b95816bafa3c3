/* The figures of the step: what the limit sees of it, what carries something and what is padding; and the blocks. */
import { el, thousands, toggle } from "../dom.js";
import { spyreWords } from "../spyre_words.js";

export default function figures(stage, room) {
  const list = el("dl", {});
  const bars = ["held", "promised", "free"].map((name) => el("i", { class: name }));
  const bar = el("div", { class: "blockbar", "aria-hidden": "true" }, ...bars);
  const legend = el("p", { class: "blocklegend" });
  const heading = el("h2", { class: "h" });
  const blocks = el("div", { class: "blocksw" }, heading, bar, legend);
  const gauge = el("div", { class: "gauge", "aria-hidden": "true" }, el("i", {}));
  const node = el("section", { class: "figuresw" }, list, gauge, blocks);

  function rows(step, words, wire) {
    if (step.pre) {
      const { from, to, reused, left, right, skipped } = step.pre;
      const found = [[words.computed, thousands(to - from), ""], [words.left, thousands(left), words.boxes]];
      if (reused) found.push([words.reused, thousands(reused), skipped ? words.skipped(skipped) : ""]);
      if (right) found.push([words.right, thousands(right), words.boxes]);
      return found;
    }
    if (!step.rows?.length) return [];
    const k = step.rows.length;
    const found = [
      [words.tkv, thousands(step.tkv), words.boxes],
      [words.paid(k, step.tkv), thousands(step.vol), wire.limit ? words.limit(wire.limit) : ""],
      wire.encoder ? null : [words.more, step.more ? thousands(step.more) : "–", step.more ? (wire.limit && step.more > wire.limit ? words.tooMany : words.fits) : words.allIn],
      [words.carry, thousands(step.carry), ""],
      [words.pad, `${share(step.vol - step.carry, step.vol)} %`, "", "pad"],
    ];
    return found.filter(Boolean);
  }
  return {
    el: node,
    build() {
      toggle(blocks, "gone", Boolean(room.tl.wire.mix));
    },
    draw() {
      const { step, tl } = room;
      const words = spyreWords(stage, tl);
      const found = rows(step, words, tl.wire);
      list.replaceChildren(
        ...found.map(([name, value, note, kind]) =>
          el("div", {}, el("dt", {}, name), el("dd", {}, kind ? el("i", { class: "hatchbox" }) : null, el("span", {}, value), note ? el("small", {}, ` ${note}`) : null)),
        ),
      );
      const used = tl.wire.limit && step.vol ? step.vol / tl.wire.limit : 0;
      toggle(gauge, "gone", !tl.wire.limit);
      gauge.firstChild.style.width = `${Math.min(1, used) * 100}%`;
      toggle(gauge, "full", used > 0.98);
      if (!step.m || tl.wire.mix) return;
      heading.replaceChildren(words.blocks, " ", el("small", {}, words.limit(tl.wire.usable)));
      bars.forEach((part, k) => (part.style.width = `${(step.m[k] / tl.wire.usable) * 100}%`));
      const names = [words.held, words.promised, words.free];
      legend.replaceChildren(...names.map((name, k) => el("span", {}, el("i", { class: ["held", "promised", "free"][k] }), el("b", {}, thousands(step.m[k])), ` ${name}`)));
    },
  };
}

function share(part, whole) {
  const percent = whole ? (part / whole) * 100 : 0;
  return percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent);
}
