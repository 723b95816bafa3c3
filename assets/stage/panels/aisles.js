/* The old way: one run of places for each visitor, as long as was promised. */
import { el, hue, toggle } from "../dom.js";
import { side, tagOf } from "../reservation_side.js";

export default function aisles(stage, room) {
  const node = el("div", { class: "mem aisles" });
  let rows = [];
  const memory = {
    el: node,
    build() {
      rows = Array.from({ length: room.tl.wire.aisles.rows }, () => el("div", { class: "arow" }));
      node.replaceChildren(...rows);
      toggle(node, "low", rows.length > 5);
      toggle(node, "flat", rows.length > 10);
    },
    draw() {
      const { row } = room.tl.wire.aisles;
      const { step, tl } = room;
      const say = stage.words.reservation;
      const drawn = rows.map(() => []);
      for (const [visitor, start, reserved, written, use] of step.L.runs) {
        for (let r = Math.floor(start / row); r * row < start + reserved; r++) {
          const [from, to] = [Math.max(start, r * row), Math.min(start + reserved, (r + 1) * row)];
          const width = to - from;
          const part = (upTo) => `${(Math.max(0, Math.min(width, start + upTo - from)) / width) * 100}%`;
          const run = el(
            "div",
            { class: `run${step.L.new.includes(visitor) ? " now" : ""}`, style: `${hue(tl.requests[visitor].hue)};left:${((from - r * row) / row) * 100}%;width:${(width / row) * 100}%`, title: say.aisle(tl.requests[visitor].letter) },
            el("i", { class: "lat", style: `width:${part(use)}` }),
            el("i", { class: "on", style: `width:${part(written)}` }),
          );
          if (from === start) {
            const [count, of] = say.written(written, reserved);
            run.append(tagOf(room, visitor), el("span", {}, el("b", {}, count), of));
          }
          drawn[r]?.push(run);
        }
      }
      rows.forEach((each, r) => each.replaceChildren(...drawn[r]));
    },
  };
  return side(stage, room, "L", memory);
}
