/* One request's row as blocks of 64 tokens: those of the context chosen filled, outlines up to the ceiling. */
import { el } from "./dom.js";
import { palette } from "./tiles.js";

const HEIGHT = 10;

export function rowOfBlocks(stage, room) {
  const heading = el("h2", { class: "h" });
  const canvas = el("canvas", { role: "img" });
  const node = el("div", { class: "limits-row" }, heading, canvas);
  let colours = null;
  return {
    el: node,
    repaint: () => (colours = null),
    draw() {
      const { step, tl } = room;
      const all = tl.wire.max_context / tl.wire.block;
      const filled = step.context / tl.wire.block;
      const [title, note] = stage.words.spyre.row(filled, step.context);
      heading.replaceChildren(title, " ", el("small", {}, note));
      canvas.setAttribute("aria-label", title);
      const width = node.clientWidth;
      if (!width) return;
      const across = width < 560 ? 64 : 128;
      const lines = Math.ceil(all / across);
      const ratio = devicePixelRatio || 1;
      const height = lines * (HEIGHT + 4);
      canvas.width = width * ratio;
      canvas.height = height * ratio;
      canvas.style.height = `${height}px`;
      const g = canvas.getContext("2d");
      g.scale(ratio, ratio);
      colours ??= palette(node);
      const pitch = (width + 1) / across;
      for (let k = 0; k < all; k++) {
        const [x, y] = [(k % across) * pitch, Math.floor(k / across) * (HEIGHT + 4)];
        if (k < filled) {
          g.fillStyle = colours.a;
          g.fillRect(x, y, pitch - 1.4, HEIGHT);
        } else {
          g.strokeStyle = colours.line;
          g.strokeRect(x + 0.5, y + 0.5, pitch - 2.4, HEIGHT - 1);
        }
      }
    },
  };
}
