/* The card of a question: its options as buttons, hands counted beside them, and the score. The question itself, and
   afterwards the answer and its reason, stand in the caption above (quiz.js says which). */
import { el, put, toggle } from "../dom.js";
import { optionName } from "../quiz.js";
import { QUIZ_KEYS, QUIZ_WORDS as SAY } from "../quiz_words.js";

const MOST_HANDS = 9999;
const HEADER = 66; // px

export default function quizCard(stage) {
  const { quiz } = stage;
  const options = [0, 1, 2, 3].map((k) => new Choice(quiz, k));
  const list = el("div", { class: "qopts" }, ...options.map((option) => option.el));
  const line = el("span", { class: "qline" });
  const score = el("b", { class: "qscore" });
  const button = (text, act, title) => el("button", { type: "button", class: "plain", title, onclick: act }, text);
  const reveal = button(SAY.reveal, () => quiz.reveal(null));
  const skip = button(SAY.skip, () => quiz.skip());
  const count = button(SAY.count, () => quiz.count(!quiz.counting));
  const reset = button(SAY.reset, () => quiz.reset(), SAY.resetTitle);
  const bar = el("div", { class: "qbar" }, line, reveal, count, skip, score, reset);
  const node = el("section", { class: "quiz", tabindex: -1, role: "group", "aria-label": SAY.title }, list, bar);
  return {
    el: node,
    keyList: QUIZ_KEYS,
    get keys() {
      if (!quiz.there) return {};
      const keys = quiz.lever ? {} : { q: () => quiz.toggle() };
      if (quiz.open) quiz.open.opts.forEach((_, k) => (keys[k + 1] = () => quiz.choose(k)));
      return keys;
    },
    build() {},
    draw() {
      const { open, told, asking, list: all } = quiz;
      const active = quiz.on && quiz.there;
      node.hidden = !active;
      if (!active) return;
      const { at, last } = stage.clock;
      stage.root.style.setProperty("--now", last ? at / last : 1);
      stage.root.style.setProperty("--turn", (at + 1) / (last + 1)); // a column for each step, the present one too
      const name = open ? `${SAY.card(all.indexOf(open) + 1, all.length)}${told ? `: ${SAY.answer.toLowerCase()}` : ""}` : SAY.title;
      node.setAttribute("aria-label", name);
      toggle(node, "open", open !== null);
      list.hidden = !open;
      options.forEach((option, k) => option.draw(open?.opts[k] ?? null));
      put(line, open ? SAY.card(all.indexOf(open) + 1, all.length) : quiz.status());
      for (const each of [reveal, skip, count]) each.hidden = !asking;
      count.setAttribute("aria-pressed", String(quiz.counting));
      put(score, quiz.score());
      reset.hidden = asking || !Object.keys(quiz.answers).length;
    },
    focus() {
      node.focus({ preventScroll: true });
      const [asked, controls] = ["caption", "transport"].map((name) => stage.find(name, stage.rooms[0])?.el);
      const top = (some) => some.getBoundingClientRect().top;
      // the question above it is to be seen with it, below the page's header, and the controls lie over the lower edge
      node.style.scrollMarginTop = `${HEADER + (asked ? top(node) - top(asked) : 0)}px`;
      node.style.scrollMarginBottom = `${12 + (controls?.offsetHeight ?? 0)}px`;
      node.scrollIntoView({ block: "nearest" });
    },
  };
}

/** One option: its button, its mark afterwards, and the hands that were raised for it. */
class Choice {
  constructor(quiz, k) {
    Object.assign(this, { quiz, k });
    this.text = el("span", {});
    this.mark = el("em", {});
    this.button = el("button", { type: "button", class: "qopt", onclick: () => this.press() }, el("kbd", { "aria-hidden": "true" }, String(k + 1)), this.text, this.mark);
    const step = (sign, by) => el("button", { type: "button", class: "mini", onclick: () => this.set(quiz.hands[k] + by) }, sign);
    this.fewer = step("−", -1);
    this.more = step("+", 1);
    this.number = el("input", { type: "number", min: 0, max: MOST_HANDS, value: 0, inputmode: "numeric", oninput: () => this.set(Number(this.number.value), true) });
    this.hands = el("span", { class: "qhands" }, this.fewer, this.number, this.more);
    this.el = el("div", { class: "qchoice" }, this.button, this.hands);
  }

  press() {
    this.quiz.choose(this.k);
    this.quiz.stage.find("quiz", this.quiz.stage.rooms[0])?.el.focus({ preventScroll: true }); // the keys are time again
  }

  set(hands, typed = false) {
    this.quiz.hands[this.k] = Math.max(0, Math.min(MOST_HANDS, Math.round(hands) || 0));
    if (!typed) this.number.value = this.quiz.hands[this.k];
  }

  draw(option) {
    this.el.hidden = !option;
    if (!option) return;
    const { quiz, k } = this;
    const text = option[0][quiz.reg()];
    const right = quiz.told && k === quiz.open.right;
    const wrong = quiz.told && k === quiz.pick && !right;
    put(this.text, text);
    put(this.mark, right ? "✓" : wrong ? "✕" : "");
    const mark = right ? SAY.marks.right : wrong ? SAY.marks.wrong : "";
    this.button.setAttribute("aria-label", [optionName(k, text), mark].filter(Boolean).join(", "));
    toggle(this.button, "right", right);
    toggle(this.button, "wrong", wrong);
    toggle(this.button, "looked", quiz.told && k === quiz.look && !right);
    const counts = quiz.counting || quiz.hands[k] > 0;
    this.hands.hidden = !counts;
    for (const [control, label] of [[this.fewer, SAY.fewer], [this.more, SAY.more], [this.number, SAY.handsFor]]) {
      control.setAttribute("aria-label", label(text));
      control.disabled = quiz.told;
    }
    if (Number(this.number.value) !== quiz.hands[k]) this.number.value = quiz.hands[k];
  }
}
