/* The queue of free blocks: head at the left, the next one to be handed out ringed. A long queue shows both ends. */
import { el, put } from "../dom.js";
import { queueHeight } from "../reserve.js";

const ENDS = { head: 24, tail: 10 };
const MOST = 64;

export default function queue(stage, room) {
  const heading = el("h2", { class: "h" });
  const chips = el("div", { class: "q" });
  const count = el("b", {});
  const unit = el("span", {});
  const node = el("section", { class: "qw" }, heading, chips, el("div", { class: "qn" }, count, unit));
  const kept = new Map(); // block -> chip element, reused from step to step
  const gap = el("span", { class: "gap" });
  const none = el("span", { class: "none" });
  const chip = (b) => {
    if (!kept.has(b)) kept.set(b, el("div", { class: "chip", "data-b": b }, el("b", {}, String(b))));
    return kept.get(b);
  };
  const reserve = () => (chips.style.minHeight = `${queueHeight(room.tl, chips.clientWidth, MOST)}px`);
  return {
    el: node,
    resize: reserve,
    build() {
      const [title, note] = stage.words.queue;
      heading.replaceChildren(title, " ", el("small", {}, note));
      put(unit, stage.words.free);
      put(none, stage.words.queueEmpty);
      kept.clear();
      reserve();
    },
    draw() {
      const { state, step } = room;
      const q = state.queue;
      const long = q.length > MOST;
      const shown = long ? [...q.slice(0, ENDS.head), ...q.slice(-ENDS.tail)] : q;
      const freed = new Set([...step.x.front, ...step.x.back]);
      const items = shown.map((b) => {
        const node = chip(b);
        const name = `chip${state.hash[b] >= 0 ? " kept" : ""}${freed.has(b) ? " now" : ""}`;
        if (node.className !== name) node.className = name;
        return node;
      });
      if (long) {
        put(gap, `… ${stage.words.more(q.length - shown.length)} …`);
        items.splice(ENDS.head, 0, gap);
      }
      const missing = step.refused && step.need > step.free ? Math.min(step.need - step.free, 6) : 0;
      for (let k = 0; k < missing; k++) items.push(el("div", { class: "chip ghost" }, "✕"));
      if (!items.length) items.push(none);
      if (chips.children.length !== items.length || items.some((item, k) => chips.children[k] !== item))
        chips.replaceChildren(...items);
      put(count, String(q.length));
    },
    chip: (b) => (kept.get(b)?.isConnected ? kept.get(b) : null),
    chips: () => [...chips.querySelectorAll(".chip[data-b]")],
    end: () => (chips.lastElementChild ?? chips).getBoundingClientRect(),
    ghosts: () => [...chips.querySelectorAll(".ghost")],
  };
}
