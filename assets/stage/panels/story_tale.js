/* The words of a beat: scene and title, the sentence with words that light up what they name, calculation, source,
   the scene's beats, and the way on. Next and Back never move within a scene. */
import { el, put } from "../dom.js";
import { parts } from "../story.js";
import { WORDS } from "../words.js";

export default function tale(stage, room) {
  const { clock } = stage;
  const reg = () => (stage.reg === "engine" ? 1 : 0);
  const said = (pair) => pair?.[reg()] ?? "";
  const at = el("span", { class: "count" });
  const seg = Object.keys(WORDS).map((name) => el("button", { type: "button", "data-reg": name, onclick: () => stage.setRegister(name) }, WORDS[name].register));
  const alone = el("button", { type: "button", class: "key", "aria-label": "The story alone", title: "F: the story alone", onclick: () => stage.setAlone(!stage.alone) }, "⤢");
  const help = el("button", { type: "button", class: "key", "aria-label": "Keys", title: "?: keys", onclick: () => stage.help() }, "?");
  const kick = el("div", { class: "kick" }, at, el("span", { class: "kickbtns" }, el("span", { class: "seg", role: "group", "aria-label": "Words" }, ...seg), alone, stage.take.button(), help));
  const title = el("h2", { class: "q" });
  const say = el("p", { class: "said", "aria-live": "polite", "aria-atomic": "true" });
  const calc = el("p", { class: "calc" });
  const source = el("p", { class: "source13" });
  const deeper = el("a", { class: "deeper" });
  const beats = el("ol", { class: "beats", "aria-label": "Beats of this scene" });
  const back = el("button", { type: "button", class: "plain back", onclick: () => clock.jump(clock.at - 1) }, "Back");
  const next = el("button", { type: "button", class: "plain next jump", onclick: () => goOn() });
  const node = el("div", { class: "tale" }, kick, title, say, calc, source, el("div", { class: "rest" }, beats, deeper), el("div", { class: "go" }, back, next));
  function goOn() {
    if (clock.at >= clock.last) clock.jump(0);
    else clock.jump(clock.at + 1, "step");
  }
  function word(part) {
    if (!part.key) return part.text;
    const span = el("span", { class: "lw jump", tabindex: 0, "data-w": part.key }, part.text);
    const on = () => {
      stage.find("picture", room)?.light([part.key]);
      span.classList.add("on");
    };
    const off = () => {
      stage.find("picture", room)?.light([]);
      span.classList.remove("on");
    };
    Object.assign(span, { onpointerenter: on, onpointerleave: off, onfocus: on, onblur: off, onclick: on });
    return span;
  }
  return {
    el: node,
    build() {
      seg.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.reg === stage.reg)));
      node.classList.toggle("eng", stage.reg === "engine");
      stage.root.setAttribute("aria-label", "The story. Space or right: next beat, left: back, question mark lists the keys");
      beats.of = null;
    },
    draw() {
      const { tl, step } = room;
      const place = tl.placeOf(room.i);
      const scene = tl.sceneOf(room.i);
      put(at, `Scene ${place.scene} of ${tl.scenes.length}, ${place.beat} of ${scene.beats}`);
      put(title, said(scene.title));
      if (say.of !== said(step.says)) {
        say.of = said(step.says); // once: it is read out, and a word in it may have the focus
        say.replaceChildren(...parts(say.of).map(word));
      }
      put(calc, said(step.calc));
      put(source, said(step.source));
      const key = `${place.scene} ${stage.reg}`;
      if (beats.of !== key) {
        beats.of = key;
        beats.replaceChildren(...tl.steps.filter((one) => one.s === step.s).map((one) => el("li", {}, el("button", { type: "button", class: "jump", onclick: () => clock.jump(one.i, "step") }, said(one.name)))));
      }
      [...beats.children].forEach((item, k) => {
        item.className = k + 1 < place.beat ? "done" : k + 1 === place.beat ? "cur" : "";
        if (k + 1 === place.beat) item.firstChild.setAttribute("aria-current", "step");
        else item.firstChild.removeAttribute("aria-current");
      });
      const link = stage.data.story?.links?.[room.i];
      deeper.hidden = !link;
      if (link) {
        deeper.setAttribute("href", link.href + (stage.reg === "engine" ? `${link.href.includes("?") ? "&" : "?"}words=engine` : ""));
        put(deeper, said(link.text));
      }
      const lastBeat = place.beat === scene.beats;
      put(next, clock.at >= clock.last ? "From the start" : lastBeat ? `Next: ${said(tl.scenes[place.scene].title)}` : "Next");
      back.disabled = clock.at === 0;
    },
    /** Words that name what the pointer is on. */
    light(keys) {
      for (const span of say.querySelectorAll(".lw")) span.classList.toggle("on", keys.includes(span.dataset.w));
    },
    keys: { " ": () => clock.jump(clock.at + 1, "step") },
  };
}
