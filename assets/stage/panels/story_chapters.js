/* The bar of scenes: where one is, how far, and a way to each. */
import { el } from "../dom.js";

export default function chapters(stage, room) {
  const { clock } = stage;
  const node = el("nav", { class: "chapters", "aria-label": "Scenes" });
  let buttons = [];
  return {
    el: node,
    build() {
      const reg = stage.reg === "engine" ? 1 : 0;
      buttons = room.tl.scenes.map((scene, k) =>
        el("button", { type: "button", class: "jump", "aria-label": `Scene ${k + 1}: ${scene.title[reg]}`, onclick: () => clock.jump(scene.first, "step") }, el("b", {}, el("span", {}, String(k + 1)), ` ${scene.short[reg]}`), el("i", {})),
      );
      node.replaceChildren(...buttons);
    },
    draw() {
      const { scene, beat } = room.tl.placeOf(room.i);
      buttons.forEach((button, k) => {
        const done = k + 1 < scene ? 1 : k + 1 > scene ? 0 : beat / room.tl.scenes[k].beats;
        button.lastChild.style.setProperty("--done", `${100 * done}%`);
        if (k + 1 === scene) button.setAttribute("aria-current", "true");
        else button.removeAttribute("aria-current");
      });
    },
    keys: Object.fromEntries([...Array(9)].map((_, k) => [String(k + 1), () => room.tl.scenes[k] && clock.jump(room.tl.scenes[k].first, "step")])),
  };
}
