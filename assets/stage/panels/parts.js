/* What the fills of the two sides mean. */
import { el } from "../dom.js";

export default function parts(stage, room) {
  const node = el("p", { class: "partslegend" });
  return {
    el: node,
    build() {
      const say = stage.words.reservation;
      const { kinds } = room.tl.wire;
      const reg = stage.reg === "engine" ? 1 : 0;
      const seen = new Map();
      ["L", "R"].forEach((key) => kinds[key].forEach((each, k) => room.tl.steps.some((step) => step[key].m[k]) && seen.set(each.kind, each)));
      node.replaceChildren(...[...seen.values()].map((each) => el("span", { title: each.line[reg] }, el("i", { class: each.kind }), each.name[reg])), el("span", {}, say.ticks));
    },
    draw() {},
  };
}
