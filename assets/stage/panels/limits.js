/* The published limit to play with: two sliders of which each gives way to the other, IBM's table with the reader's own
   row between, the three ceilings, and a rectangle of constant area in which every request is a row of blocks. Every
   figure is looked up: a context is a step of the timeline. */
import { el, put, thousands, toggle } from "../dom.js";
import { areaPicture } from "../limit_area.js";
import { rowOfBlocks } from "../limit_row.js";

const TELL = 200; // ms at rest before the page's own chart follows

export default function limits(stage, room) {
  const { clock } = stage;
  const labels = [el("label", { for: "limit-context" }), el("label", { for: "limit-batch" })];
  const outs = [el("output", {}), el("output", {})];
  const context = el("input", { id: "limit-context", type: "range", min: 6, max: 15, step: 1 / 64, oninput: () => go(room.tl.stepOfContext(2 ** Number(context.value))) });
  context.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault(); // the slider's own step is less than a block where contexts are short
    go(room.tl.stepBeside(room.step.context, by, 2 ** (1 / 64)));
  });
  const batch = el("input", { id: "limit-batch", type: "range", min: 1, max: 32, step: 1, oninput: () => go(room.tl.stepOfBatch(Number(batch.value))) });
  const slider = (k, input, ends) => el("div", { class: "sl" }, el("div", { class: "slh" }, labels[k], outs[k]), input, el("div", { class: "ends" }, ...ends.map((text) => el("span", {}, text))));
  const table = el("table", { class: "ibm" });
  const bars = el("div", { class: "binds" });
  const area = areaPicture(stage, room, go);
  const row = rowOfBlocks(stage, room);
  const node = el(
    "section",
    { class: "limitsw" },
    el("div", { class: "limits-left" }, slider(0, context, ["64", "32,768"]), slider(1, batch, ["1", "32"]), table, bars),
    area.el,
    row.el,
  );
  function go(step) {
    clock.jump(step);
  }
  function tellLater(step) {
    clearTimeout(node.telling);
    node.telling = setTimeout(() => stage.tell("edit", { context: step.context, batch: step.batch }), TELL);
  }
  let told = null;
  return {
    el: node,
    build() {
      const words = stage.words.spyre;
      labels[0].textContent = words.context;
      labels[1].textContent = words.batch;
      area.build();
    },
    draw() {
      const words = stage.words.spyre;
      const { step } = room;
      context.value = Math.log2(step.context);
      context.setAttribute("aria-valuetext", thousands(step.context));
      batch.value = step.batch;
      put(outs[0], thousands(step.context));
      put(outs[1], String(step.batch));
      drawTable(table, room, step, words, go);
      drawBars(bars, room.tl.wire, step, words);
      area.draw();
      row.draw();
      const now = `${step.context} ${step.batch}`;
      if (told !== null && told !== now) tellLater(step);
      told = now;
    },
    resize() {
      row.repaint();
      area.draw();
      row.draw();
    },
  };
}

function drawTable(table, room, step, words, go) {
  const { tl } = room;
  const rows = tl.wire.rows.map(([requests, context]) => ({ requests, context, mine: requests === step.batch && context === step.context, ibm: true }));
  const mine = rows.some((row) => row.mine);
  if (!mine) {
    const at = rows.findIndex((row) => row.context > step.context || (row.context === step.context && row.requests < step.batch));
    rows.splice(at < 0 ? rows.length : at, 0, { requests: step.batch, context: step.context, mine: true, ibm: false });
  }
  const whose = (row) => (row.ibm && row.mine ? words.both : row.ibm ? words.ibm : words.yours);
  const body = rows.map((row) => {
    const name = row.ibm ? el("button", { type: "button", class: "link jump", onclick: () => go(tl.stepOfContext(row.context)) }, whose(row)) : whose(row);
    return el("tr", { class: row.ibm ? (row.mine ? "on" : "") : "me" }, ...[String(row.requests), thousands(row.context), thousands(row.requests * row.context)].map((text) => el("td", {}, text)), el("td", {}, name));
  });
  if (mine) body.push(el("tr", { class: "spare", "aria-hidden": "true" }, el("td", { colspan: 4 }, " ")));
  const focused = table.contains(table.getRootNode().activeElement) ? table.getRootNode().activeElement.closest("tr").rowIndex : -1;
  table.replaceChildren(el("thead", {}, el("tr", {}, ...words.table.map((text) => el("th", { scope: "col" }, text)))), el("tbody", {}, ...body));
  if (focused >= 0) table.rows[focused]?.querySelector("button")?.focus({ preventScroll: true });
}

function drawBars(bars, wire, step, words) {
  const rows = [
    ["requests", step.batch, wire.max_seqs],
    ["context", step.context, wire.max_context],
    ["product", step.product, wire.limit],
  ];
  if (!bars.children.length) bars.append(...rows.map(() => el("div", {}, el("span", {}), el("span", { class: "t" }, el("i", {})), el("span", {}))));
  rows.forEach(([name, value, most], k) => {
    const [label, track, text] = bars.children[k].children;
    const binds = step.binds.includes(name);
    toggle(bars.children[k], "b", binds);
    put(label, words.ceilings[name]);
    track.firstChild.style.width = `${(100 * value) / most}%`;
    put(text, binds ? words.binds : name === "product" ? words.used(Math.round((100 * value) / most)) : words.of(most));
  });
}
