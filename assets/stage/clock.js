/* The one clock of a stage: which step is shown, whether it plays, and how fast. Rooms and panels follow it. */

const DWELL = { marked: 1700, quiet: 520 }; // ms at speed 1: time to read, then on
export const SPEEDS = [0.5, 1, 2, 4, 16, Infinity]; // Infinity: a step with every painted frame

export class Clock {
  constructor(onChange) {
    this.at = 0;
    this.last = 0;
    this.speed = 1;
    this.playing = false;
    this.until = null; // stop there instead of at the end
    this.onChange = onChange; // (mode) where "step" is one step forward and may be animated
    this.isMarked = () => false;
    this.hold = () => false; // (from, to): whether something stands between the two, which is to be met first
  }

  go(i, mode = "seek") {
    this.at = Math.max(0, Math.min(this.last, i));
    this.onChange(mode);
  }

  /** A step taken by hand stops the play. */
  jump(i, mode) {
    this.play(false);
    if (mode === "step" && this.hold(this.at, Math.min(i, this.last))) return;
    this.go(i, mode);
  }

  /** To the next marked step; forward, the step before it is set first so that the step itself can be animated. */
  mark(direction) {
    this.play(false);
    let i = this.at + direction;
    while (i > 0 && i < this.last && !this.isMarked(i)) i += direction;
    i = Math.max(0, Math.min(this.last, i));
    if (direction > 0 && this.hold(this.at, i)) return;
    if (direction > 0 && i > this.at + 1) this.go(i - 1);
    this.go(i, direction > 0 ? "step" : "seek");
  }

  play(on, until = null) {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    const was = this.playing;
    this.playing = on;
    this.until = until;
    if (!on) {
      if (was) this.onChange("rest");
      return;
    }
    if (this.at >= this.last) this.go(0);
    else this.onChange("rest");
    this.wait(60);
  }

  wait(ms) {
    if (this.speed === Infinity) this.frame = requestAnimationFrame(() => this.tick());
    else this.timer = setTimeout(() => this.tick(), ms);
  }

  tick() {
    const end = Math.min(this.until ?? this.last, this.last);
    if (this.at >= end) return this.play(false);
    if (this.hold(this.at, this.at + 1)) return;
    this.go(this.at + 1, this.speed <= 4 ? "step" : "seek");
    if (this.at >= end) return this.play(false);
    this.wait((this.isMarked(this.at) ? DWELL.marked : DWELL.quiet) / this.speed);
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
  }
}
