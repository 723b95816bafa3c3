/* What the fills of the two sides mean. */
import { el } from "../dom.js";

export default function parts(stage, room) {
  const node = el("p", { class: "partslegend" });
  return {
    el: node,
    build() {
      const say = stage.words.reservation;
      const names = ["token", "later", "never", "tail", "external", ...(room.tl.steps.some((step) => step.R.m[2]) ? ["kept"] : [])];
      node.replaceChildren(...names.map((name) => el("span", {}, el("i", { class: name }), say.parts[name])), el("span", {}, say.ticks));
    },
    draw() {},
  };
}
