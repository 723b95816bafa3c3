/* Motion that explains: what travels, travels once, then all is still. Only for one step forward; seeking and going
   back just change, and with reduced motion nothing moves. Every flight is cancelled by the next step. */
import { calm, el, hue } from "./dom.js";

const EASE = "cubic-bezier(.2,.7,.2,1)";
const MS = { throwOut: 420, tag: 380, hand: 380, close: 350, drop: 180, leave: 460, refuse: 1000, arrive: 300, walk: 420 };
const GAP = { tag: 90, hand: 100, drop: 40, leave: 45 };
const FLIGHTS_MOST = 14; // of one kind; a long list would only be noise

export class Motion {
  constructor(stage) {
    this.stage = stage;
    this.layer = el("div", { class: "fly", "aria-hidden": "true" });
    this.running = [];
  }

  cancel() {
    this.running.splice(0).forEach((animation) => animation.cancel());
    this.layer.replaceChildren();
  }

  allowed = (mode) => mode === "step" && !calm.matches && this.stage.clock.speed <= 4;

  /** Where things stand before the step is drawn: to be asked for before, used after. */
  before(rooms) {
    this.frame = this.stage.root.getBoundingClientRect();
    return rooms.map((room) => {
      const queue = this.stage.find("queue", room);
      const chips = new Map((queue?.chips() ?? []).map((chip) => [Number(chip.dataset.b), this.at(chip.getBoundingClientRect())]));
      const r = this.stage.nextRequest(room);
      const tag = r < 0 ? null : this.stage.lists(room)?.tag(r);
      return { chips, tag: tag ? this.at(tag.getBoundingClientRect()) : null };
    });
  }

  at(box) {
    return { x: box.left - this.frame.left, y: box.top - this.frame.top, w: box.width, h: box.height };
  }

  run(room, was) {
    const step = room.step;
    if (!step.op) return;
    const parts = {
      room,
      was,
      step,
      shelves: this.stage.shelves(room),
      visitors: this.stage.lists(room),
      queue: this.stage.find("queue", room),
    };
    if (!parts.shelves) return;
    let start = this.throwOut(parts);
    start = this.shareTags(parts, start);
    this.handOut(parts, start);
    this.dropBoxes(parts, start);
    this.goBack(parts);
    this.closeQueue(parts, start);
    this.refuse(parts);
    this.walk(parts);
  }

  throwOut({ step, shelves }) {
    step.x.ev.slice(0, FLIGHTS_MOST).forEach(([b], k) => {
      const boxes = shelves.part(b, ".boxes");
      if (!boxes) return;
      const ghost = el("div", { class: "sh kept ghostly" }, boxes.cloneNode(true));
      [...ghost.querySelectorAll(".bx")].forEach((box) => (box.className = "bx"));
      this.place(ghost, this.at(boxes.getBoundingClientRect()), true);
      this.play(ghost, [{ transform: "none", opacity: 1 }, { transform: "translate(10px,46px) rotate(9deg)", opacity: 0 }], {
        duration: MS.throwOut, delay: k * 60, easing: "cubic-bezier(.5,0,.9,.6)", fill: "both",
      });
    });
    return step.x.ev.length ? 260 : 0;
  }

  shareTags({ room, was, step, shelves, visitors }, start) {
    const hits = step.x.hit.slice(0, FLIGHTS_MOST);
    const { letter, hue: k } = room.tl.requests[step.r] ?? {};
    hits.forEach((b, j) => {
      const docked = shelves.part(b, `[data-owner="${step.r}"]`);
      const to = this.at(docked ? docked.getBoundingClientRect() : shelves.rect(b));
      const delay = start + j * GAP.tag;
      if (was.tag) this.fly(el("b", { class: "tag", style: hue(k) }, letter), was.tag, to, { delay, duration: MS.tag });
      this.appear(docked, delay + 330, "scale(1.6)");
      this.appear(visitors?.cell(step.r, b), delay + 200);
    });
    return start + (hits.length ? Math.min(hits.length, 4) * GAP.tag + 150 : 0);
  }

  handOut({ was, step, visitors, shelves }, start) {
    const gap = step.x.new.length > 4 ? GAP.hand / 2 : GAP.hand;
    step.x.new.slice(0, FLIGHTS_MOST).forEach((b, j) => {
      const from = was.chips.get(b);
      const cell = visitors?.cell(step.r, b);
      if (!from) return;
      const to = this.at((cell ?? { getBoundingClientRect: () => shelves.rect(b) }).getBoundingClientRect());
      this.fly(this.chip(b, false), from, { x: to.x + 4, y: to.y + 6 }, { delay: start + j * gap, duration: MS.hand });
      this.appear(cell, start + j * gap + 300, "scale(.7)");
    });
  }

  dropBoxes({ room, step, shelves, visitors }, start) {
    const gap = step.x.new.length > 4 ? GAP.hand / 2 : GAP.hand;
    step.x.fill.slice(0, FLIGHTS_MOST).forEach((b) => {
      const fresh = step.x.new.indexOf(b);
      const base = fresh >= 0 ? start + fresh * gap + 330 : start;
      const from = fresh >= 0 ? 0 : (room.tl.fillBefore.get(b) ?? 0);
      for (const root of [shelves.part(b, null), visitors?.cell(step.r, b)]) {
        const boxes = root ? [...root.querySelectorAll(".bx")].slice(from, room.state.fill[b]) : [];
        boxes.forEach((box, k) =>
          this.animate(box, [{ opacity: 0, transform: "translateY(-9px)" }, { opacity: 1, transform: "none" }], base + Math.min(k, 8) * GAP.drop, MS.drop),
        );
      }
    });
  }

  goBack({ room, step, shelves, queue }) {
    [...step.x.front, ...step.x.back].slice(0, FLIGHTS_MOST).forEach((b, j) => {
      const chip = queue?.chip(b);
      const from = this.at(shelves.rect(b));
      const to = this.at(chip ? chip.getBoundingClientRect() : (queue?.end() ?? shelves.rect(b)));
      const centre = { x: from.x + from.w / 2 - 15, y: from.y + from.h / 2 - 15 };
      this.fly(this.chip(b, room.state.hash[b] >= 0), centre, to, { delay: j * GAP.leave, duration: MS.leave });
      this.appear(chip, j * GAP.leave + 410);
    });
  }

  closeQueue({ was, step, queue }, start) {
    const leaving = step.x.front.length + step.x.back.length > 0;
    for (const chip of queue?.chips() ?? []) {
      const from = was.chips.get(Number(chip.dataset.b));
      if (!from) continue;
      const to = this.at(chip.getBoundingClientRect());
      if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) <= 1) continue;
      const path = [{ transform: `translate(${from.x - to.x}px,${from.y - to.y}px)` }, { transform: "none" }];
      this.animate(chip, path, start && !leaving ? start + 120 : 0, MS.close);
    }
  }

  refuse({ step, visitors, queue }) {
    const tag = step.refused && step.need ? visitors?.tag(step.r) : null;
    if (!tag || !queue) return;
    const end = this.at(queue.end());
    const from = this.at(tag.getBoundingClientRect());
    const slip = el("div", { class: "slip" }, this.stage.words.slip(step.need));
    this.place(slip, from);
    const [dx, dy] = [Math.min(end.x, this.frame.width - 120) - from.x, end.y - from.y];
    const there = (shift) => ({ transform: `translate(${dx + shift}px,${dy}px)`, opacity: 1 });
    const path = [
      { transform: "none", opacity: 1, easing: EASE },
      { ...there(0), offset: 0.36 }, { ...there(-8), offset: 0.43 }, { ...there(6), offset: 0.5 }, { ...there(0), offset: 0.6, easing: EASE },
      { transform: "none", opacity: 1, offset: 0.94 }, { transform: "none", opacity: 0 },
    ];
    this.play(slip, path, { duration: MS.refuse * this.pace(), fill: "both" });
    queue.ghosts().forEach((ghost) =>
      this.animate(ghost, [{ transform: "none", opacity: 0 }, { transform: "translateX(-5px)", opacity: 1 }, { transform: "translateX(4px)" }, { transform: "none" }], MS.tag, 320),
    );
  }

  walk({ step, was, visitors }) {
    const tag = step.r >= 0 ? visitors?.tag(step.r) : null;
    if (!tag) return;
    if (step.op === "add_request") {
      this.animate(tag.parentNode, [{ transform: "translateX(-24px)", opacity: 0 }, { transform: "none", opacity: 1 }], 0, MS.arrive);
    } else if (was.tag && !step.refused && (step.op === "preempt" || step.op === "admit")) {
      this.fly(tag.cloneNode(true), was.tag, this.at(tag.getBoundingClientRect()), { duration: MS.walk });
    }
  }

  chip(b, kept) {
    return el("div", { class: `chip flying${kept ? " kept" : ""}` }, el("b", {}, String(b)));
  }
  pace = () => (this.stage.clock.speed > 2 ? 2 / this.stage.clock.speed : 1);

  place(node, at, sized = false) {
    node.style.cssText += `;left:${at.x}px;top:${at.y}px;${sized ? `width:${at.w}px` : ""}`;
    this.layer.append(node);
  }

  fly(node, from, to, { delay = 0, duration }) {
    this.place(node, from);
    const move = `translate(${to.x - from.x}px,${to.y - from.y}px)`;
    const path = [{ transform: "none", opacity: 1 }, { transform: move, opacity: 1, offset: 0.92 }, { transform: move, opacity: 0 }];
    this.play(node, path, { duration: duration * this.pace(), delay: delay * this.pace(), easing: EASE, fill: "both" });
  }

  play(node, path, timing) {
    const animation = node.animate(path, timing);
    this.running.push(animation);
    animation.onfinish = animation.oncancel = () => node.remove();
  }

  appear(node, delay, from = "none") {
    if (node) this.animate(node, [{ opacity: 0, transform: from }, { opacity: 1, transform: "none" }], delay, 220);
  }

  animate(node, path, delay, duration) {
    const k = this.pace();
    this.running.push(node.animate(path, { duration: duration * k, delay: delay * k, easing: EASE, fill: "backwards" }));
  }
}
