/* A's tokens in one long row, as dense attention has them, with the borders of the blocks and, under each token, the
   share it has in the answer so far. */
import { el, toggle } from "../dom.js";

export default function longRow(stage, room) {
  const heading = el("h2", { class: "h" });
  const strip = el("div", { class: "strip" });
  const node = el("section", { class: "roww" }, heading, strip);
  let cells = [];
  return {
    el: node,
    build() {
      node.hidden = stage.view.zoom > 0; // the scores say the same, and more
      const words = stage.words.attention;
      const { wire } = room.tl;
      heading.replaceChildren(words.row[0], " ", el("small", {}, words.row[1]));
      cells = [];
      const groups = wire.lines.map((line, l) => {
        const group = el("div", { class: `grp${line.own ? "" : " off"}`, "data-b": line.b, style: `flex:${line.n}` });
        line.t.forEach((slot) => {
          const text = room.tl.label(slot) || words.old;
          const bar = el("i", {});
          const cell = el("div", { class: `tok${typeof slot === "number" ? "" : " alien"}`, title: text }, el("span", {}, text), el("u", {}, bar));
          cells.push({ cell, bar, l });
          group.append(cell);
        });
        return group;
      });
      strip.replaceChildren(...groups);
      strip.classList.toggle("tight", cells.length > 28);
    },
    draw() {
      const { line, ended, scored } = room.tl.look(room.i);
      const shares = room.tl.shares(room.i);
      const top = Math.max(0.05, ...room.tl.wire.heads[room.tl.head].w.at(-1));
      cells.forEach(({ cell, bar, l }, k) => {
        toggle(cell, "cur", !ended && l === line);
        toggle(cell, "read", l < scored);
        bar.style.height = `${Math.min(1, (shares[k] ?? 0) / top) * 100}%`;
      });
    },
  };
}
