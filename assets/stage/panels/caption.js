/* What just happened, in one sentence, and the switch between the two registers. The sentence is read out once for
   each step taken by hand, and where a run that played comes to rest. */
import { el, plain, rich, toggle } from "../dom.js";
import { QUIZ_WORDS as SAY } from "../quiz_words.js";
import { WORDS } from "../words.js";

const LONG = { room: 150, engine: 160 }; // characters that fit two lines in the large type

export default function caption(stage, room) {
  const text = el("p", { "aria-live": "polite", "aria-atomic": "true", class: "said" });
  const buttons = Object.keys(WORDS).map((reg) =>
    el("button", { type: "button", onclick: () => stage.setRegister(reg), "data-reg": reg }, WORDS[reg].register),
  );
  const quiz = el("button", { type: "button", class: "quizbutton", title: `Q: ${SAY.title}`, onclick: () => stage.quiz.toggle() }, SAY.button);
  const seg = el("div", { class: "seg", role: "group", "aria-label": "Words" }, ...buttons);
  const node = el("div", { class: "cap" }, text, el("div", { class: "capside" }, seg, quiz));
  const isLong = (words) => plain(words).length > LONG[stage.reg]; // smaller, so that nothing below it jumps
  let said = null;
  let reserved = false;

  function live(on) {
    const value = on ? "polite" : "off"; // a run that plays is not read out word by word
    if (text.getAttribute("aria-live") !== value) text.setAttribute("aria-live", value);
  }

  /** The height of the longest sentences of this run is kept free: no jump from step to step, and no gap beyond it. */
  function reserve() {
    reserved = true;
    const all = room.tl.steps.map((step) => stage.caption(room, step));
    const longest = (some) => some.reduce((a, b) => (plain(b).length > plain(a).length ? b : a), "");
    const probes = [false, true].map((long) => {
      const line = el("p", {}, rich(longest(all.filter((words) => isLong(words) === long))));
      line.style.minHeight = 0;
      return el("div", { class: `cap${long ? " long" : ""}${stage.reg === "engine" ? " eng" : ""}` }, line);
    });
    const measure = el("div", { "aria-hidden": "true" }, ...probes);
    measure.style.cssText = "position:absolute;visibility:hidden;inset:0 auto auto 0";
    for (const probe of probes) probe.style.cssText = `display:block;width:${text.clientWidth}px`;
    stage.root.append(measure);
    text.style.minHeight = `${Math.ceil(Math.max(...probes.map((probe) => probe.firstChild.getBoundingClientRect().height)))}px`;
    measure.remove();
  }

  return {
    el: node,
    resize() {
      if (text.clientWidth) reserve();
    },
    build() {
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.reg === stage.reg)));
      node.classList.toggle("eng", stage.reg === "engine");
      reserved = false;
      quiz.hidden = !stage.quiz.there || stage.quiz.lever === "hide";
      quiz.disabled = stage.quiz.lever === "lock";
      quiz.setAttribute("aria-pressed", String(stage.quiz.on));
    },
    draw() {
      if (room.news && room.news.at !== room.i) room.news = null;
      if (!reserved && text.clientWidth) reserve();
      const words = stage.said(room);
      live(!stage.clock.playing);
      if (words === said) return;
      said = words;
      toggle(node, "long", isLong(words));
      text.replaceChildren(rich(words));
    },
    rest() {
      if (stage.clock.playing || text.getAttribute("aria-live") === "polite") return;
      live(true);
      requestAnimationFrame(() => said !== null && text.replaceChildren(rich(said)));
    },
  };
}
