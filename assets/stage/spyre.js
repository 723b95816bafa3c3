/* Timelines of the Spyre page, as they were sent (pagedviz/timeline/spyre has the forms): the published limit with one
   step for each context, and runs of a scheduler with one step for each of its steps. */
import { PlainTimeline } from "./plain_timeline.js";

const BLOCK = 64; // tokens

/** Contexts as time: step i is a context of (i + 1) x 64 tokens; the last three have fewer requests than would fit. */
export class TradeOff extends PlainTimeline {
  constructor(wire) {
    super(wire);
    this.lanes = [];
    this.longest = wire.max_context / BLOCK - 1; // the step of the longest context with all that fit
  }

  stepOfContext(context) {
    return Math.max(0, Math.min(this.longest, Math.round(context / BLOCK) - 1));
  }

  /** The step one key away: a context larger or smaller by `factor`, and by a block at least. */
  stepBeside(context, by, factor) {
    const blocks = context / BLOCK;
    const moved = by > 0 ? Math.max(blocks + 1, blocks * factor) : Math.min(blocks - 1, blocks / factor);
    return this.stepOfContext(moved * BLOCK);
  }

  stepOfBatch(batch) {
    const least = this.steps[this.longest].batch;
    if (batch < least) return this.longest + least - batch;
    return Math.max(0, Math.floor(this.wire.byBatch[batch - 1] / BLOCK) - 1);
  }
}

export class SpyreTimeline extends PlainTimeline {
  constructor(wire) {
    super(wire);
    this.lanes = wire.kind === "vllm" ? ["preempt"] : wire.mix ? [] : ["pause", "refuse", "leave"];
    this.laneNames = { refuse: "door" }; // whoever is kept waiting, and whoever is turned away
    this.short = Boolean(wire.mix);
    this.widest = Math.max(1, ...wire.steps.map((step) => step.w ?? 0), ...wire.steps.map((step) => (step.pre ? (step.pre.of * wire.chunk) / BLOCK : 0)));
  }

  /** Share of the limit that a step uses, for the profile above the scrubber; null if there is none. */
  profile(step) {
    if (!this.wire.limit || this.wire.mix) return null;
    return (step.vol ?? 0) / this.wire.limit;
  }
}
