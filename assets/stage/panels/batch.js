/* What the server works on in this step. Decoding: one row per request, all as wide as the widest, padding on the left;
   those that pause stand below as outlines; a line shows how many rows the limit allows. Prefill: the chunks of one
   prompt on top, everybody else waits below. Rows keep their element, so that they move when they change sides. */
import { el, hue, put, toggle } from "../dom.js";
import { spyreWords } from "../spyre_words.js";

const ROW = { least: 9, most: 44, room: 290, gap: 2 };
const HEAD = 26; // px for a line of words above a group

export default function batch(stage, room) {
  const heading = el("h2", { class: "h" });
  const words = { upper: el("b", { class: "grouphead" }), lower: el("span", { class: "grouphead low" }) };
  const line = el("div", { class: "limitline" }, el("span", {}));
  const field = el("div", { class: "field" }, words.upper, words.lower, line);
  const node = el("section", { class: "batchw" }, heading, field);
  let rows = [];
  let spare = []; // rows of a shape that nobody has
  let height = 0;
  let built = null;

  function build() {
    const { tl } = room;
    const n = tl.requests.length;
    height = Math.max(ROW.least, Math.min(ROW.most, Math.floor(ROW.room / Math.max(1, n))));
    if (built === tl) return;
    built = tl;
    rows.forEach((row) => row.el.remove());
    rows = tl.requests.map((request, r) => new Row(request, r));
    spare.forEach((row) => row.el.remove());
    spare = Array.from({ length: Math.max(0, ...tl.steps.map((step) => step.empty ?? 0)) }, () => new Row({ letter: "", hue: -1 }, -1));
    field.append(...rows.map((row) => row.el), ...spare.map((row) => row.el));
    field.style.height = `${HEAD * 2 + (n + spare.length) * height + 14}px`;
    toggle(field, "fine", height < 15);
  }
  function draw(mode) {
    const { step, tl } = room;
    const say = spyreWords(stage, tl);
    const [title, note] = say.batchTitle(step);
    heading.replaceChildren(title, " ", el("small", {}, note));
    toggle(field, "still", mode !== "step");
    field.style.setProperty("--block", `${100 / tl.widest}%`);
    toggle(field, "blocks", (field.clientWidth - 34) / tl.widest > 6); // borders of blocks, where they can be told apart
    const share = (blocks) => (blocks / tl.widest) * 100;
    const inside = new Map((step.run ?? []).map(([r, , , held]) => [r, held]));
    const upper = step.pre ? [step.pre.r] : (step.rows ?? []).map(([r]) => r);
    const lower = [...inside.keys()].filter((r) => !upper.includes(r)).sort((a, b) => a - b);
    let y = HEAD;
    const set = new Set();
    const blockOf = tl.wire.chunk / 64;
    if (step.pre) {
      const { r, chunk, of, skipped, left, right } = step.pre;
      rows[r].chunks(share(of * blockOf), { chunk, of, skipped, left: left / tl.wire.chunk, right: right / tl.wire.chunk });
      rows[r].at(y, height);
      set.add(r);
      y += height;
    }
    const whole = (step.w ?? 0) * 64; // tokens from one end of the rectangle's blocks to the other
    for (const [r, left, , tokens] of [...(step.rows ?? [])].sort((a, b) => a[0] - b[0])) {
      const behind = whole - (step.tkv ?? whole); // of the last block, nobody's yet: not counted
      const right = Math.max(0, whole - behind - left * 64 - tokens); // counted, and carries nothing
      rows[r].decode(...[left * 64, tokens, right, behind].map((n) => share(n / 64)));
      rows[r].at(y, height);
      set.add(r);
      y += height;
    }
    spare.forEach((row, k) => {
      toggle(row.el, "gone", k >= (step.empty ?? 0));
      row.decode(share(step.w ?? 0), 0, 0, 0);
      row.at(y + k * height, height);
    });
    y += (step.empty ?? 0) * height;
    const paused = new Set(step.pa ?? []);
    const below = y + HEAD;
    lower.forEach((r, k) => {
      rows[r].idle(share(inside.get(r)), paused.has(r));
      rows[r].at(below + k * height, height);
      set.add(r);
    });
    rows.forEach((row, r) => toggle(row.el, "gone", !set.has(r)));
    const doing = step.pre ? say.chunk(step.pre.chunk, step.pre.of) : upper.length ? say.decodes(upper.length) : say.nothing;
    put(words.upper, doing);
    const both = paused.size ? say.pauses(paused.size) : lower.length ? say.stands(lower.length) : "";
    put(words.lower, both);
    words.lower.style.transform = `translateY(${y + 6}px)`;
    const most = step.tkv && tl.wire.limit && !step.pre ? tl.wire.limit / step.tkv : null;
    const shown = most !== null && most < tl.requests.length && lower.length > 0;
    toggle(line, "gone", !shown);
    if (shown) {
      line.style.transform = `translateY(${HEAD + most * height + 2}px)`;
      put(line.firstChild, say.atMost(tl.wire.limit, step.tkv));
    }
  }
  return { el: node, build, draw };
}

/** One request's row. Widths in percent of the widest row of the run; all rows end at the right. */
class Row {
  constructor(request, r) {
    this.pad = el("i", { class: "pad" });
    this.fill = el("i", { class: "fill" });
    this.tail = el("i", { class: "pad" });
    this.rest = el("i", { class: "rest" });
    this.track = el("div", { class: "track" }, this.fill, this.pad, this.tail, this.rest, el("i", { class: "borders" }));
    this.name = el("b", {}, request.letter);
    this.el = el("div", { class: "brow gone", style: hue(request.hue), "data-r": r }, this.name, this.track);
  }
  at(y, height) {
    this.el.style.transform = `translateY(${y}px)`;
    this.el.style.height = `${height - ROW.gap}px`;
  }
  /** The row in the rectangle, from the left: padding, tokens, padding, and what is left of the last block. */
  decode(left, tokens, right, behind) {
    this.track.className = "track on";
    place(this.pad, left, tokens + right + behind);
    place(this.fill, tokens, right + behind);
    place(this.tail, right, behind);
    place(this.rest, behind, 0);
  }
  idle(held, paused) {
    for (const part of [this.pad, this.tail, this.rest]) place(part, 0, 0);
    this.track.className = `track ${paused ? "paused" : "idle"}`;
    place(this.fill, held, 0);
  }
  /** Chunks of a prompt: those done, the one computed now, those to come. */
  chunks(width, { chunk, of, skipped, left, right }) {
    this.track.className = "track chunks";
    for (const part of [this.tail, this.rest]) place(part, 0, 0);
    place(this.pad, (width * left) / of, width * (1 - Math.min(1, left / of)));
    const part = (k) => `${(k / of) * 100}%`;
    const now = `linear-gradient(to right, var(--spared) ${part(skipped)}, var(--done) ${part(skipped)} ${part(chunk - 1)}, var(--nowc) ${part(chunk - 1)} ${part(chunk)}, transparent ${part(chunk)})`;
    this.fill.style.cssText = `right:0;width:${width}%;background:${now};--of:${of};--right:${(right / of) * 100}%`;
  }
}

/** A part of a row, in percent of the track: its width, and how far its right end is from the track's. */
function place(part, width, right) {
  part.style.cssText = width > 0 ? `right:${right}%;width:${width}%` : "display:none";
}
