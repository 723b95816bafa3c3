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

/** The step as a table: what happened, and who holds which blocks. Uses only what was sent. */
function stepTable(room, reg) {
  const { tl, i, step, state } = room;
  const rows = tl.inside().map((r) => {
    const [tokens, computed] = state.counts.get(r) ?? ["", ""];
    return el("tr", {}, ...[tl.requests[r].letter, tokens, computed, state.tables.get(r).join(" ")].map((text) => el("td", {}, String(text))));
  });
  return el(
    "div",
    { class: "steptable" },
    el("p", {}, `Step ${i} of ${tl.last}. ${plain(step.c[reg === "engine" ? 1 : 0])}`),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...["Request", "Tokens", "Computed", "Block table"].map((text) => el("th", { scope: "col" }, text)))),
      el("tbody", {}, ...rows),
    ),
    el("p", {}, `Free queue: ${state.queue.slice(0, 60).join(" ")}${state.queue.length > 60 ? ` … ${state.queue.length - 60} more` : ""}`),
  );
}
