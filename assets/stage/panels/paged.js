/* The new way: shelves of equal size, handed out one at a time, to whoever needs the next one. */
import { el, hue, put, toggle } from "../dom.js";
import { side } from "../reservation_side.js";

export default function paged(stage, room) {
  const node = el("div", { class: "mem shelves2" });
  let cells = [];
  const memory = {
    el: node,
    build() {
      const { num_blocks: count, shelves } = room.tl.wire;
      const { row: across, rows: lines } = shelves;
      node.style.setProperty("--across", across);
      node.style.setProperty("--lines", lines);
      toggle(node, "tiny", across > 14 || lines > 5);
      toggle(node, "flat", lines > 10);
      cells = Array.from({ length: count }, (_, k) => {
        const [on, tag, number] = [el("i", { class: "on" }), el("b", { class: "tag" }), el("em", {}, String(k + 1))];
        return { el: el("div", { class: "cell" }, on, tag, number), on, tag, seen: "" };
      });
      node.replaceChildren(...cells.map((cell) => cell.el));
    },
    draw() {
      const { step, tl } = room;
      const owner = new Map();
      for (const [visitor, blocks] of step.R.blocks) for (const [block, fill] of blocks) owner.set(block, [visitor, fill]);
      const now = new Set(step.R.fresh);
      const keeps = new Set(step.R.kept);
      cells.forEach((cell, k) => {
        const at = owner.get(k + 1);
        const fresh = now.has(k + 1);
        const keep = keeps.has(k + 1);
        const seen = `${at ? `${at[0]} ${at[1]}` : ""} ${fresh} ${keep}`;
        if (cell.seen === seen) return;
        cell.seen = seen;
        cell.el.className = `cell${at ? " used" : keep ? " keep" : ""}${fresh ? " now" : ""}`;
        cell.el.style.cssText = at ? hue(tl.requests[at[0]].hue) : "";
        cell.on.style.width = at ? `${(at[1] / tl.wire.block_size) * 100}%` : "0";
        put(cell.tag, at ? tl.requests[at[0]].letter : "");
        if (at) cell.tag.dataset.v = at[0];
        else delete cell.tag.dataset.v;
      });
    },
  };
  return side(stage, room, "R", memory);
}
