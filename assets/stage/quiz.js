/* Predict, then reveal: before some steps the stage stops and asks. Questions, answers and reasons came with the run
   (pagedviz/timeline/quiz); here is only which one is open, what was picked, and the score. It is asked on the way
   forward alone: by a step, by play, by PageDown. The score stays in this tab and goes nowhere. */
import { plain, toggle } from "./dom.js";
import { QUIZ_WORDS as SAY } from "./quiz_words.js";

const MEMORY = "pagedviz.quiz";

export class Quiz {
  constructor(stage) {
    this.stage = stage;
    this.on = false;
    this.open = null; // the question on the card
    this.told = false; // whether its answer is
    this.pick = null; // index of the option that was chosen
    this.look = null; // after the answer: an option whose meaning is looked at
    this.hands = [];
    Object.assign(this, { answers: {}, counting: false }, remembered());
  }

  get there() {
    return Boolean(this.stage.rooms[0]?.tl.wire.quiz);
  }
  get list() {
    return this.stage.rooms[0]?.tl.wire.quiz?.list ?? [];
  }
  get asking() {
    return this.open !== null && !this.told;
  }
  reg = () => (this.stage.reg === "engine" ? 1 : 0);
  answered = (question) => Object.hasOwn(this.answers, question.key);
  /** How many questions of this run come from step i on and have not been answered; the first of them. */
  next = (i) => this.list.find((question) => question.i > i && !this.answered(question)) ?? null;

  /** What the page wishes: a link turns it on or off, and may lock that. */
  update({ token, on = false, lever = "" } = {}, changed = false) {
    this.lever = lever;
    if (changed) this.close();
    if (token !== this.token) {
      this.token = token;
      this.on = on;
    }
    this.mark();
  }

  toggle() {
    if (this.lever || !this.there) return;
    this.on = !this.on;
    this.close();
    this.mark();
    this.stage.build();
    this.stage.clock.go(this.stage.clock.at);
    dispatchEvent(new Event("resize")); // a chart that comes back takes the width there is
  }

  /** On the way from one step to a later one: whether the clock is to stay, since something is asked first. */
  hold(from, to) {
    if (!this.on || !this.there || to <= from) return false;
    const question = this.asking ? this.open : this.list.find(({ i, key }) => i > from && i <= to && !Object.hasOwn(this.answers, key));
    if (!question) return false;
    this.stage.clock.play(false);
    if (this.asking) {
      this.reveal(null);
      return true;
    }
    if (question.i - 1 > from) this.stage.clock.go(question.i - 1);
    this.ask(question);
    return true;
  }

  ask(question) {
    Object.assign(this, { open: question, told: false, pick: null, look: null, hands: question.opts.map(() => 0) });
    this.show();
    this.stage.find("quiz", this.stage.rooms[0])?.focus();
  }

  /** An option by its place. Before the answer it is the prediction, after it one looks what it would have meant. */
  choose(k) {
    if (!this.open || k >= this.open.opts.length) return;
    if (!this.told) return this.reveal(k);
    this.look = k;
    this.show();
  }

  reveal(pick) {
    const { right, key, i } = this.open;
    const all = this.hands.reduce((sum, n) => sum + n, 0);
    this.answers[key] = { pick: pick === null ? null : Number(pick === right), hands: all ? [this.hands[right], all] : null };
    Object.assign(this, { told: true, pick });
    this.remember();
    this.show(); // first: the step is animated from where things then stand
    this.stage.clock.go(i, "step");
  }

  /** Past the question without an answer; it is asked again when one comes by again. */
  skip() {
    const { i } = this.open;
    this.close();
    this.stage.clock.go(i, "step");
  }

  close() {
    if (!this.open) return;
    Object.assign(this, { open: null, told: false, pick: null, look: null });
    this.show();
  }

  /** The clock is about to draw another step: a card that belongs to one left behind goes first. */
  before() {
    if (this.open && this.stage.clock.at !== this.open.i - (this.told ? 0 : 1)) this.close();
  }

  reset() {
    this.answers = {};
    this.close();
    this.remember();
    this.show();
  }

  count(on) {
    this.counting = on;
    this.remember();
    this.show();
  }

  show() {
    this.mark();
    for (const name of ["caption", "quiz"]) this.stage.find(name, this.stage.rooms[0])?.draw();
  }

  /** What the style, the page and the keys of a talk must know. */
  mark() {
    const { root, view } = this.stage;
    const active = this.on && this.there;
    if (this.there) view.quiz = active ? 1 : 0;
    toggle(root, "quizzing", active);
    toggle(root, "asking", this.asking);
    for (const name of ["queue", "figures", "door", "labels"]) toggle(root, `covers-${name}`, this.asking && this.open.covers.includes(name));
    document.documentElement.classList.toggle("pagedviz-quiz", active);
    if (this.asking) document.documentElement.dataset.pvQuiz = "1";
    else delete document.documentElement.dataset.pvQuiz;
  }

  /** What stands in the caption's place; null if nothing is asked. */
  says() {
    if (!this.open) return null;
    const { ask, opts, right, why } = this.open;
    const reg = this.reg();
    if (!this.told) return ask[reg];
    const answer = opts[right][0][reg];
    const hands = this.answers[this.open.key]?.hands;
    const verdict = this.pick === null ? SAY.itIs(answer, hands) : this.pick === right ? SAY.right(answer) : SAY.wrong(answer);
    const looked = this.look ?? this.pick;
    const means = looked === null || looked === right ? "" : ` ${opts[looked][1][reg]}`;
    return `**${verdict}** ${why[reg]}${means}`;
  }

  /** How it stands, in one line; empty before the first answer. */
  score() {
    const all = Object.values(this.answers);
    const picks = all.map(({ pick }) => pick).filter((pick) => pick !== null);
    const hands = all.map((answer) => answer.hands).filter(Boolean);
    const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
    return [
      picks.length ? SAY.score(sum(picks), picks.length) : "",
      hands.length ? SAY.hands(sum(hands.map(([n]) => n)), sum(hands.map(([, n]) => n))) : "",
    ].filter(Boolean).join(", ");
  }

  /** What comes next, while nothing is asked. */
  status() {
    const { list } = this;
    if (!list.length) return this.stage.rooms[0].tl.wire.quiz.none[this.reg()];
    const next = this.next(this.stage.clock.at);
    if (next) return SAY.next(list.indexOf(next) + 1, list.length, next.i);
    return list.every((question) => this.answered(question)) ? SAY.done(list.length) : SAY.behind;
  }

  remember() {
    try {
      sessionStorage.setItem(MEMORY, JSON.stringify({ answers: this.answers, counting: this.counting }));
    } catch {
      // storage switched off: it holds until the page is left
    }
  }

  stop() {
    document.documentElement.classList.remove("pagedviz-quiz");
    delete document.documentElement.dataset.pvQuiz;
  }
}

/** What an option is called for somebody who does not see its number. */
export const optionName = (k, text) => `${k + 1}: ${plain(text)}`;

function remembered() {
  try {
    const found = JSON.parse(sessionStorage.getItem(MEMORY) ?? "{}");
    return typeof found.answers === "object" && found.answers ? { answers: found.answers, counting: found.counting === true } : {};
  } catch {
    return {};
  }
}
