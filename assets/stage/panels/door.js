/* Who waits, in order, and why nobody lets them in: the reason that was found in this step. */
import { el, hue } from "../dom.js";

const MOST = 5;

export default function door(stage, room) {
  const heading = el("h2", { class: "h" });
  const list = el("ol", { class: "doorlist" });
  const node = el("section", { class: "doorw" }, heading, list);
  return {
    el: node,
    build() {
      const longest = Math.max(0, ...room.tl.steps.map((step) => step.wait?.length ?? 0));
      list.style.minHeight = `${Math.min(longest, MOST + 1) * 26}px`; // nothing below it moves while one steps
      node.hidden = longest === 0;
    },
    draw() {
      const words = stage.words.spyre;
      const waiting = room.step.wait ?? [];
      const reg = stage.reg === "engine" ? 2 : 1;
      heading.replaceChildren(words.door[0], " ", el("small", {}, waiting.length ? words.door[1] : words.nobody));
      const shown = waiting.slice(0, waiting.length > MOST + 1 ? MOST : MOST + 1).map((entry) => {
        const request = room.tl.requests[entry[0]];
        return el("li", {}, el("b", { class: "tag wait", style: hue(request.hue) }, request.letter), el("span", {}, entry[reg]));
      });
      if (waiting.length > shown.length) shown.push(el("li", {}, el("span", { class: "muted" }, words.more2(waiting.length - shown.length))));
      list.replaceChildren(...shown);
    },
  };
}
