/* When something cannot be drawn: say so in its place, and give the step as a table. */
import { el, plain } from "./dom.js";

export function failure(what, error) {
  console.warn(`pagedviz stage: ${what}:`, error);
  return el("div", { class: "failed", role: "alert" }, el("b", {}, `The picture cannot be drawn here (${what}). `), String(error?.message ?? error));
}

/** A panel in place of one that failed: it says so, and keeps the step as a table. */
export function failedPanel(stage, room, name, error) {
  const holder = el("div", {});
  const node = el("div", {}, failure(name, error), holder);
  const draw = () => room.step && holder.replaceChildren(stepTable(room, stage.reg));
  draw();
  return { el: node, build() {}, draw };
}

/** The whole stage failed: say so, and give the step it was to open at, which came as a plain table. */
export function failedStage(what, error, data) {
  const message = failure(what, error);
  return data?.plain ? el("div", { class: "frame" }, message, plainTable(data.plain, data.open?.register)) : message;
}

/** The step shown, from the state as it was sent. */
const stepTable = (room, reg) => plainTable(plainOf(room), reg);

/** The step shown, in the form in which Python sends a plain step. */
export function plainOf(room) {
  const { tl, i, step, state } = room;
  const rows = [...state.counts.keys()]
    .sort((a, b) => a - b)
    .map((r) => [tl.requests[r].letter, ...state.counts.get(r).slice(0, 2), (state.tables.get(r) ?? []).join(" ")]);
  const queue = state.queue.slice(0, 60);
  return { step: i, last: tl.last, words: step.c, rows, queue, more: state.queue.length - queue.length };
}

/** The step as a table: what happened, and who holds which blocks (pagedviz/stage/plain.py has the form). */
function plainTable({ step, last, words, rows, queue, more }, reg) {
  return el(
    "div",
    { class: "steptable" },
    el("p", {}, `Step ${step} of ${last}. ${plain(words[reg === "engine" ? 1 : 0])}`),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...["Request", "Tokens", "Computed", "Block table"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((text) => el("td", {}, String(text)))))),
    ),
    el("p", {}, `Free queue: ${queue.join(" ")}${more ? ` … ${more} more` : ""}`),
  );
}
