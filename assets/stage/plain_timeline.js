/* A timeline that is not a run of the block manager: steps with captions and marks, everything else sent as it is. It
   answers what the stage asks of any timeline. */

const NOTHING = Object.freeze([]);
const NO_EFFECTS = Object.freeze({ new: NOTHING, hit: NOTHING, ev: NOTHING, front: NOTHING, back: NOTHING, stay: NOTHING, fill: NOTHING, lab: NOTHING, unlab: NOTHING });
const NO_STATE = Object.freeze({ owners: NOTHING, fill: NOTHING, hash: NOTHING, queue: NOTHING, tables: new Map(), counts: new Map() });

export class PlainTimeline {
  constructor(wire) {
    this.wire = wire;
    this.numBlocks = wire.num_blocks ?? 0;
    this.blockSize = wire.block_size ?? 0;
    this.requests = wire.requests;
    this.last = wire.last;
    this.state = NO_STATE;
    this.steps = wire.steps.map((step, i) => this.complete(step, i));
  }

  complete(step, i, more = {}) {
    return { ...step, i, r: -1, op: null, refused: false, x: NO_EFFECTS, kinds: step.kinds ?? NOTHING, ...more };
  }

  seek() {
    return this.state;
  }
}

export { NO_EFFECTS, NOTHING };
