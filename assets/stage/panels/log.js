/* The event log: every step that matters, filtered by visitor, a click away, and the whole of it as CSV. */
import { el, put, rich } from "../dom.js";
import { csv } from "../take/csv.js";
import { save } from "../take/save.js";
import { mainKind } from "../words.js";

export default function log(stage, room) {
  const lead = el("span", { class: "muted" });
  const label = el("span", {});
  const filter = el("select", { onchange: () => fill() });
  const get = el("button", { type: "button", class: "plain", onclick: () => download() });
  const list = el("ol", { class: "log", tabindex: 0 });
  const summary = el("summary", {});
  const fold = el("details", { class: "fold", open: true }, summary, el("div", {}, el("div", { class: "logbar" }, el("label", {}, label, filter), get), list));
  let lines = []; // [step, list item], in order
  let current = null;
  let scrolling = 0;
  let hiding = false;

  const chosen = () => (filter.value === "" ? null : Number(filter.value));

  function fill() {
    const wanted = chosen();
    const steps = room.tl.steps.filter((step) => matters(step, wanted));
    lines = steps.map((step) => [step.i, line(step)]);
    list.replaceChildren(...(lines.length ? lines.map(([, item]) => item) : [el("li", { class: "muted" }, stage.words.log.none)]));
    current = null;
    mark();
  }
  function download() {
    const wanted = chosen();
    save(stage, "pagedviz-log.csv", ["\ufeff", csv(stage, [room], (step) => matters(step, wanted))], "text/csv");
  }
  const line = (step) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "jump", onclick: () => stage.clock.jump(step.i) },
        el("b", {}, String(step.i)),
        el("em", {}, stage.words.kinds[mainKind(step)]),
        el("span", {}, rich(stage.caption(room, step))),
      ),
    );
  function mark() {
    let k = lines.length - 1;
    while (k > 0 && lines[k][0] > room.i) k--;
    const item = lines[k]?.[1];
    const here = item && lines[k][0] === room.i ? item : null;
    if (current !== here) {
      current?.firstChild.removeAttribute("aria-current");
      here?.firstChild.setAttribute("aria-current", "step");
      current = here;
    }
    const ahead = stage.quiz.on; // what is still to come would give answers away
    if (ahead || hiding) lines.forEach(([i, each]) => (each.hidden = ahead && i > room.i));
    hiding = ahead;
    clearTimeout(scrolling); // asking for a place costs a layout: not while steps follow each other
    if (item && fold.open) scrolling = setTimeout(() => (list.scrollTop = item.offsetTop - 110), 120);
  }
  return {
    el: fold,
    build() {
      const { words } = stage;
      summary.replaceChildren(words.log.title, " ", lead);
      put(lead, words.log.lead);
      put(label, words.log.who);
      put(get, words.log.save);
      list.setAttribute("aria-label", words.log.title);
      const before = filter.value;
      filter.replaceChildren(
        el("option", { value: "" }, words.log.all),
        ...room.tl.requests.map((request, r) => el("option", { value: r }, request.letter)),
      );
      filter.value = room.tl.requests[before] ? before : "";
      fill();
    },
    draw: mark,
  };
}

/** Whether a step matters, to one request or (null) at all. */
const matters = (step, wanted) => step.kinds.length > 0 && (wanted === null || step.r === wanted);
