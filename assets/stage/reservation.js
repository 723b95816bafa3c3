/* Two ways to give out the same memory on one clock (pagedviz/timeline/reservation/wire.py has the form). */
import { PlainTimeline } from "./plain_timeline.js";

export class ReservationTimeline extends PlainTimeline {
  constructor(wire) {
    super({ ...wire, requests: wire.visitors });
    this.lanes = [];
    this.most = Math.max(1, ...wire.steps.map(({ L, R }) => Math.max(L.runs.length, R.blocks.length)));
    this.home = { L: homeStep(wire, "L"), R: homeStep(wire, "R") };
    this.curves = ({ L, R }) => [R.blocks.length / this.most, L.runs.length / this.most];
    const fresh = (side, i) => {
      const was = new Set(i ? held(wire.steps[i - 1][side]) : []);
      return new Set(held(wire.steps[i][side]).filter((visitor) => !was.has(visitor)));
    };
    this.steps.forEach((step, i) => (step.came = { L: fresh("L", i), R: fresh("R", i) }));
  }
}

const held = (side) => (side.runs ?? side.blocks).map(([visitor]) => visitor);

/** The first step after which nobody is inside or waits any more. */
function homeStep(wire, side) {
  for (let i = wire.steps.length - 1; i >= 0; i--) {
    const at = wire.steps[i][side];
    if (held(at).length || at.waits.length) return i + 1;
  }
  return 0;
}
