/* Stock vLLM beside the card, on the same clock: its sentence of this step, who is inside, and how full the memory is. */
import { el, hue, put, rich, toggle } from "../dom.js";

export default function beside(stage, room) {
  const heading = el("h2", { class: "h" });
  const sentence = el("p", { class: "besidesay" });
  const people = el("span", { class: "besidepeople" });
  const facts = ["inside", "waits", "back", "used"].map(() => el("span", {}));
  const bar = el("div", { class: "blockbar", "aria-hidden": "true" }, el("i", { class: "held" }));
  const node = el("section", { class: "besidew" }, heading, sentence, el("p", { class: "besidefacts" }, people, ...facts), bar);
  return {
    el: node,
    build() {
      const words = stage.words.spyre.beside;
      heading.replaceChildren(words.head[0], " ", el("small", {}, words.head[1]));
    },
    draw() {
      const words = stage.words.spyre.beside;
      const { step, tl } = room;
      sentence.replaceChildren(rich(stage.caption(room, step)));
      const inside = (step.run ?? []).map(([r]) => tl.requests[r]);
      people.replaceChildren(...inside.slice(0, 16).map((request) => el("b", { class: "tag", style: hue(request.hue) }, request.letter)));
      const [used, , free] = step.m ?? [0, 0, tl.wire.usable];
      const back = (step.pre ?? []).length;
      [words.inside(inside.length), words.waits((step.wait ?? []).length), words.back(back), words.used(used, used + free)].forEach((text, k) => put(facts[k], text));
      toggle(facts[2], "warnword", back > 0);
      toggle(facts[2], "gone", back === 0);
      bar.firstChild.style.width = `${(used / Math.max(1, used + free)) * 100}%`;
    },
  };
}
