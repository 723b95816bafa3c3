/* What just happened, in one sentence, and the switch between the two registers. */
import { el, rich } from "../dom.js";
import { WORDS } from "../words.js";

export default function caption(stage, room) {
  const text = el("p", { "aria-live": "polite", class: "said" });
  const buttons = Object.keys(WORDS).map((reg) =>
    el("button", { type: "button", onclick: () => stage.setRegister(reg), "data-reg": reg }, WORDS[reg].register),
  );
  const node = el("div", { class: "cap" }, text, el("div", { class: "seg", role: "group", "aria-label": "Words" }, ...buttons));
  return {
    el: node,
    build() {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.reg === stage.reg)));
      node.classList.toggle("eng", stage.reg === "engine");
    },
    draw() {
      text.replaceChildren(rich(stage.caption(room, room.step)));
    },
  };
}
