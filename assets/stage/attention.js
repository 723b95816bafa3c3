/* A reading, as it was sent (pagedviz/timeline/attention/wire.py has the form): one query that follows a block table.
   The room stays as it is; what moves is the reading hand. Head and zoom are the viewer's, so steps have the captions
   of one head. It answers what the stage asks of any timeline. */

import { NO_EFFECTS, NOTHING, PlainTimeline } from "./plain_timeline.js";

export const PHASES = ["look", "score", "correct", "add"];
export const ZOOMS = ["room", "scores", "numbers"];

export class AttentionTimeline extends PlainTimeline {
  constructor(wire) {
    super({ ...wire, steps: [] });
    this.wire = wire;
    this.short = true; // so few steps that each is worth a stop
    this.lanes = ["correct"];
    const own = wire.lines.filter((line) => !line.past).map((line) => line.b);
    this.state = {
      owners: wire.blocks.map((block) => (block.o < 0 ? NOTHING : [block.o])),
      fill: wire.blocks.map((block) => block.f),
      hash: wire.blocks.map(() => -1),
      queue: [],
      tables: new Map([[0, own]]),
      counts: new Map([[0, [wire.tokens, wire.tokens, 1]]]),
    };
    this.setHead(0);
  }

  get heads() {
    return this.wire.heads.length;
  }

  setHead(head) {
    this.head = Math.max(0, Math.min(this.heads - 1, head));
    this.steps = this.wire.steps.map((step, i) => {
      const fill = step.line < 0 ? NOTHING : [this.wire.lines[step.line].b];
      return this.complete(step, i, { x: { ...NO_EFFECTS, fill }, kinds: step.kinds[this.head], c: step.c[this.head] });
    });
  }

  /** What one step shows of the head chosen: the numbers sent for it, put together. */
  look(i) {
    const { phase, line } = this.steps[i];
    const h = this.wire.heads[this.head];
    const k = PHASES.indexOf(phase);
    const ended = phase === "end";
    const count = this.wire.lines.length;
    const done = ended ? count : line < 0 ? 0 : k === 3 ? line + 1 : line; // lines whose values are in
    const scored = ended ? count : line < 0 ? 0 : k >= 1 ? line + 1 : line; // lines whose scores are known
    const maxed = ended ? count : line < 0 ? 0 : k >= 2 ? line + 1 : line; // lines in the running maximum
    const m = maxed ? h.m[maxed - 1] : -Infinity;
    const alpha = line >= 0 && k >= 2 ? h.a[line] : null;
    const sum = k === 2 ? h.ls[line] : done ? h.l[done - 1] : 0;
    const acc = k === 2 ? h.accs[line] : done ? h.acc[done - 1] : h.query.map(() => 0);
    const answer = ended ? h.out : done ? h.part[done - 1] : null;
    return { phase, k, line, h, done, scored, maxed, m, alpha, sum, acc, answer, ended, off: done ? h.off[done - 1] : null, before: line > 0 ? h.m[line - 1] : -Infinity, hit: this.steps[i].kinds.length > 0 };
  }

  /** Read so far, token by token in the order of reading: what it counts for as things stand. */
  shares(i) {
    const { h, done } = this.look(i);
    return done ? h.w[done - 1] : NOTHING;
  }

  label(slot) {
    return typeof slot === "number" ? (this.wire.pieces[slot] ?? String(slot)) : slot;
  }
}

/** A real minus sign, and none before a zero. */
export const minus = (text) => (Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−"));
export const fixed = (x, digits) => (x === -Infinity ? "−∞" : minus(x.toFixed(digits)));

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
export function scientific(x, digits = 1) {
  if (x === 0) return "0";
  if (Math.abs(x) >= 0.001 && Math.abs(x) < 1000) return minus(String(Number(x.toPrecision(2))));
  const [factor, power] = x.toExponential(digits).split("e");
  const raised = [...power.replace("+", "")].map((c) => RAISED[c]).join("");
  return digits ? `${minus(factor)}\u00a0·\u00a010${raised}` : `${minus(factor)}·10${raised}`;
}
