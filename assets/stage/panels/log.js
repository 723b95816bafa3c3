/* The event log: every step that matters, filtered by visitor, a click away, and the whole of it as CSV. */
import { el, plain, put, rich } from "../dom.js";
import { mainKind } from "../words.js";

export default function log(stage, room) {
  const lead = el("span", { class: "muted" });
  const label = el("span", {});
  const filter = el("select", { onchange: () => fill() });
  const save = el("button", { type: "button", class: "plain", onclick: () => download(stage, room, chosen()) });
  const list = el("ol", { class: "log", tabindex: 0 });
  const summary = el("summary", {});
  const fold = el("details", { class: "fold", open: true }, summary, el("div", {}, el("div", { class: "logbar" }, el("label", {}, label, filter), save), list));
  let lines = []; // [step, list item], in order
  let current = null;
  let scrolling = 0;
  let hiding = false;

  const chosen = () => (filter.value === "" ? null : Number(filter.value));

  function fill() {
    const wanted = chosen();
    const steps = listed(room, wanted);
    lines = steps.map((step) => [step.i, line(step)]);
    list.replaceChildren(...(lines.length ? lines.map(([, item]) => item) : [el("li", { class: "muted" }, stage.words.log.none)]));
    current = null;
    mark();
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
      put(save, words.log.save);
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

/** The steps that matter, of one request or (null) of all. */
const listed = (room, wanted) =>
  room.tl.steps.filter((step) => step.kinds.length && (wanted === null || step.r === wanted));

const COLUMNS = ["step", "scheduler_step", "operation", "request", "letter", "event", "storage_room", "engine",
  "blocks_in_use", "unfilled_places", "blocks_kept", "blocks_empty", "blocks_shared"];

/** A field as CSV: quoted where needed; a leading sign that a spreadsheet would take for a formula gets a quote. */
function field(value) {
  let text = String(value ?? "");
  if (/^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(room, wanted) {
  const rows = listed(room, wanted)
    .map((step) => {
      const request = room.tl.requests[step.r];
      const [used, gaps, kept, empty, shared] = step.m;
      return [step.i, step.tick, step.op, request?.id, request?.letter, step.kinds.join(" "), plain(step.c[0]), plain(step.c[1]), used, gaps, kept, empty, shared];
    });
  return [COLUMNS, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

function download(stage, room, wanted) {
  const url = URL.createObjectURL(new Blob(["\ufeff", csv(room, wanted)], { type: "text/csv" }));
  const link = el("a", { href: url, download: "pagedviz-log.csv" });
  stage.root.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
