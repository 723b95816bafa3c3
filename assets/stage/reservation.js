/* Two ways to give out the same memory on one clock (pagedviz/timeline/reservation/wire.py has the form). */
import { NOTHING, PlainTimeline } from "./plain_timeline.js";

const LISTS = ["runs", "blocks", "waits", "new", "out", "gone", "fresh", "kept", "back"];

/** Lists that are empty are not sent; panels need not ask. */
const whole = (side) => ({ ...Object.fromEntries(LISTS.map((name) => [name, NOTHING])), ...side });

export class ReservationTimeline extends PlainTimeline {
  constructor(wire) {
    super({ ...wire, requests: wire.visitors });
    this.lanes = [];
    this.steps.forEach((step) => Object.assign(step, { L: whole(step.L), R: whole(step.R) }));
    const most = Math.max(1, ...wire.inside.L, ...wire.inside.R);
    this.curves = (step) => [wire.inside.R[step.i] / most, wire.inside.L[step.i] / most];
    // home is the step after which all have left, per side; on the line of time as labels
    this.flags = [{ i: wire.home[1], side: "R" }, { i: wire.home[0], side: "L" }];
  }
}
