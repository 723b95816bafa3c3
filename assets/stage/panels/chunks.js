/* The prompt that came in last, by block and by chunk: what vLLM takes over block by block, and what a Spyre card
   takes over, which computes whole chunks with the padding in front. Every figure is sent (prefix_compare.py). */
import { el, put, thousands } from "../dom.js";

export default function chunks(stage, room) {
  const title = el("h2", { class: "h" });
  const strips = el("div", {});
  const node = el("section", { class: "chunks" }, title, strips);
  let seen = null;
  return {
    el: node,
    build() {
      seen = null;
    },
    draw() {
      const last = latest(stage.data.prompts.list, room.i);
      const key = `${last?.r}|${stage.reg}|${stage.data.prompts.revision}`;
      if (key === seen) return;
      seen = key;
      const words = stage.words.chunks;
      if (!last) {
        title.replaceChildren(words.title, " ", el("small", {}, words.nobody));
        strips.replaceChildren();
        return;
      }
      title.replaceChildren(words.title, " ", el("small", {}, words.lead(last.letter, thousands(last.pieces.length))));
      strips.replaceChildren(...last.compare.map((row) => strip(row, words)));
    },
  };
}

/** The prompt admitted last, up to step i. */
function latest(list, i) {
  return list.filter((prompt) => prompt.in !== null && prompt.in <= i).reduce((a, b) => (a && a.in > b.in ? a : b), null);
}

/** @param row {chunk, block, tokens, left, reused, recomputed, chunks, skipped}: tokens, but for the last two. */
function strip(row, words) {
  const whole = row.left + row.tokens;
  const percent = (tokens) => `${(tokens / whole) * 100}%`;
  const axis = el("div", { class: "ax", role: "img", "aria-label": words.spoken(row) });
  const part = (name, from, to) => {
    if (to <= from) return;
    const piece = el("i", { class: name });
    piece.style.cssText = `left:${percent(from)};width:${percent(to - from)};--tick:${(row.block / (to - from)) * 100}%`;
    axis.append(piece);
  };
  const start = row.left;
  part("pd", 0, start);
  part("re", start, start + row.reused);
  part("rc", start + row.reused, start + row.reused + row.recomputed);
  part("nw", start + row.reused + row.recomputed, whole);
  for (let k = 0; k < row.chunks; k++) {
    const frame = el("div", { class: k < row.skipped ? "ch" : "ch run" }, el("em", {}, k < row.skipped ? words.skipped : words.computed));
    frame.style.cssText = `left:${percent(k * row.chunk)};width:${percent(Math.min(row.chunk, whole - k * row.chunk))}`;
    axis.append(frame);
  }
  const number = el("div", { class: "num" }, thousands(row.reused), el("small", {}, words.reused(thousands(row.tokens - row.reused))));
  const name = el("h3", {}, row.chunk ? words.spyre(thousands(row.chunk)) : words.vllm(row.block), el("small", {}));
  put(name.lastChild, row.chunk ? words.spyreNote(row) : words.vllmNote(row));
  return el("div", { class: "strip" }, name, axis, number);
}
