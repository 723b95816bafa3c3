/* The prompts: the text as it was typed, cut at token borders into blocks, each block's hash and the chain between
   them; what was found, where the search ended, and why. The texts can be changed in place and the rows dragged into
   another order; both go to Python, which sends everything anew. Nothing is cut, hashed or compared here. */
import { el, hue, put, rich, thousands } from "../dom.js";
import { shownBlocks, tokenChips } from "../prompt_blocks.js";

const BLOCK_WIDTH = [[2, 84], [4, 118], [8, 168], [Infinity, 238]]; // tokens in a block, px
const WAIT = 350; // ms after the last key before the text is sent

export default function prompts(stage, room) {
  const list = el("div", { class: "prs" });
  const add = el("button", { type: "button", class: "plain", onclick: () => edit((rows) => rows.push({ text: "" })) });
  const node = el("section", { class: "prompts" }, list, el("p", { class: "addrow" }, add));
  let rows = [];
  let timer = 0;

  const data = () => stage.data.prompts;
  const current = () => rows.map((row) => row.value());
  const send = (values) => {
    stage.asked = String(Math.random()).slice(2); // comes back with the answer
    stage.tell("edit", { asked: stage.asked, prompts: values });
  };
  const edit = (change) => {
    clearTimeout(timer);
    timer = 0;
    const values = current();
    change(values);
    send(values);
  };
  const flush = () => {
    if (!timer) return;
    clearTimeout(timer);
    timer = 0;
    if (node.isConnected) send(current());
  };
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(flush, WAIT);
  };
  // What is done next on the stage finds the text sent. Elsewhere the wait goes on: a run of the script asked for in
  // the moment in which a link to another page is pressed would bring this page back.
  node.addEventListener("focusout", (event) => stage.root.contains(event.relatedTarget) && flush());
  const move = (from, to) => {
    if (from !== to && to >= 0 && to < rows.length) edit((values) => values.splice(to, 0, ...values.splice(from, 1)));
  };

  return {
    el: node,
    build() {
      const given = data().list;
      if (rows.length !== given.length) {
        rows = given.map((_, k) => new Row(stage, room, k, { typed, edit, move }));
        list.replaceChildren(...rows.map((row) => row.el));
      }
      rows.forEach((row, k) => row.build(given[k], given.length));
      put(add, stage.words.prompts.add);
      add.hidden = stage.offline || given.length >= data().most;
    },
    draw() {
      data().list.forEach((prompt, k) => rows[k].draw(prompt));
    },
    tag: (r) => list.querySelector(`[data-tag="${r}"]`),
    cell: (r, b) => list.querySelector(`.pr[data-r="${r}"] .bk[data-b="${b}"]`),
    cells: (b) => [...list.querySelectorAll(`.bk[data-b="${b}"]`)],
  };
}

class Row {
  constructor(stage, room, k, { typed, edit, move }) {
    Object.assign(this, { stage, room, k });
    this.tag = el("b", { class: "tag", draggable: "true" });
    this.text = el("textarea", { rows: 4, oninput: typed, spellcheck: "false" });
    this.up = el("button", { type: "button", class: "mini", onclick: () => move(k, k - 1) }, "↑");
    this.down = el("button", { type: "button", class: "mini", onclick: () => move(k, k + 1) }, "↓");
    this.remove = el("button", { type: "button", class: "mini", onclick: () => edit((rows) => rows.splice(k, 1)) }, "✕");
    this.salt = el("input", { type: "text", maxlength: 40, size: 6, oninput: typed });
    this.adapter = el("input", { type: "text", maxlength: 40, size: 6, oninput: typed });
    this.answer = el("input", { type: "text", oninput: typed });
    this.leaves = el("select", { onchange: () => edit(() => {}) });
    this.labels = [el("span"), el("span"), el("span"), el("span")];
    this.more = el("summary", {});
    const labels = [this.salt, this.adapter, this.answer, this.leaves].map((control, j) => el("label", {}, this.labels[j], control));
    this.levers = el("details", { class: "levers" }, this.more, el("div", {}, ...labels));
    this.problem = el("p", { class: "problem", role: "alert" });
    this.chain = el("div", { class: "chain" });
    this.sum = el("div", { class: "sum" });
    this.why = el("p", { class: "why" });
    this.el = el(
      "div",
      { class: "pr" },
      el("div", { class: "txt" }, el("div", { class: "handle" }, this.tag, this.up, this.down, this.remove), this.text, this.problem, el("div", { class: "undertext" }, this.sum, this.levers)),
      el("div", { class: "cut" }, this.chain, this.why),
    );
    this.tag.ondragstart = (event) => event.dataTransfer.setData("text/x-prompt", String(k));
    this.el.ondragover = (event) => event.dataTransfer.types.includes("text/x-prompt") && event.preventDefault();
    this.el.ondrop = (event) => {
      event.preventDefault();
      move(Number(event.dataTransfer.getData("text/x-prompt")), k);
    };
  }

  value() {
    const leaves = this.leaves.value;
    return { text: this.text.value, salt: this.salt.value, adapter: this.adapter.value, leaves: leaves === "" ? null : Number(leaves), answer: this.answer.value };
  }

  build(prompt, count) {
    const words = this.stage.words.prompts;
    const name = words.prompt(prompt.letter);
    this.el.setAttribute("style", hue(prompt.r === null ? -1 : this.room.tl.requests[prompt.r].hue));
    this.el.style.setProperty("--bw", `${BLOCK_WIDTH.find(([size]) => prompt.bs <= size)[1]}px`);
    this.el.dataset.r = prompt.r ?? "";
    put(this.tag, prompt.letter);
    this.tag.dataset.tag = prompt.r ?? "";
    this.tag.title = words.drag;
    this.text.setAttribute("aria-label", name);
    this.keep(this.text, prompt.text);
    this.keep(this.salt, prompt.salt);
    this.keep(this.adapter, prompt.adapter);
    this.keep(this.answer, prompt.answer);
    [words.salt, words.adapter, words.answer, words.leaves].forEach((text, j) => put(this.labels[j], text));
    const options = [["", words.stays], ...Array.from({ length: count - this.k }, (_, j) => [j, words.leavesAfter(j)])];
    this.leaves.replaceChildren(...options.map(([value, text]) => el("option", { value }, text)));
    this.leaves.value = prompt.leaves ?? "";
    for (const [button, label, off] of [[this.up, words.up, this.k === 0], [this.down, words.down, this.k === count - 1], [this.remove, words.remove, count === 1]]) {
      button.setAttribute("aria-label", `${label}: ${prompt.letter}`);
      button.disabled = off;
    }
    const set = [prompt.salt, prompt.adapter, prompt.answer, prompt.leaves === null ? "" : `${words.leaves} ${words.leavesAfter(prompt.leaves)}`];
    put(this.more, [words.levers, set.filter(Boolean).join(", ")].filter(Boolean).join(": "));
    if (this.stage.offline) this.lock();
    put(this.problem, prompt.problem[this.stage.reg === "engine" ? 1 : 0]);
    this.seen = null;
  }

  /** In a file nobody cuts or hashes a changed text: it is there to be read. */
  lock() {
    this.text.readOnly = true;
    this.tag.draggable = false;
    this.tag.title = "";
    for (const button of [this.up, this.down, this.remove]) button.hidden = true;
    for (const control of [this.salt, this.adapter, this.answer, this.leaves]) control.disabled = true;
  }

  /** A control that has the focus keeps what is being typed; so does one whose text Python has not answered yet. */
  keep(control, value) {
    const typing = control.getRootNode().activeElement === control;
    const asked = this.stage.asked;
    if (!typing && !(asked && asked !== this.stage.data.prompts.answers) && control.value !== value) control.value = value;
  }

  draw(prompt) {
    const { stage, room } = this;
    const table = room.state.tables.get(prompt.r) ?? [];
    const arrived = room.state.counts.has(prompt.r);
    const come = prompt.in !== null && room.i >= prompt.in;
    const acting = room.step.r === prompt.r;
    const shared = table.map((b) => (room.state.owners[b].length > 1 ? 1 : 0));
    const key = `${table}|${shared}|${arrived}|${come}|${acting}|${stage.reg}|${stage.data.prompts.revision}`;
    if (key === this.seen) return;
    this.seen = key;
    this.el.classList.toggle("act", acting);
    this.el.classList.toggle("todo", !come);
    this.chain.replaceChildren(...this.blocks(prompt, table, come, acting));
    const words = stage.words.prompts;
    const tokens = prompt.pieces.length;
    const found = prompt.hits * prompt.bs;
    this.sum.replaceChildren(...(come ? [el("b", {}, thousands(found)), ` ${words.found(tokens)}`] : [words.tokens(tokens)]));
    this.why.replaceChildren(rich(come || prompt.in === null ? prompt.why[stage.reg === "engine" ? 1 : 0] : ""));
  }

  blocks(prompt, table, come, acting) {
    const { stage, room } = this;
    const words = stage.words.prompts;
    return shownBlocks(prompt).map((j) => {
      if (j < 0) return el("span", { class: "gap" }, `… ${words.more(-j)} …`);
      const b = table[j];
      const hit = j < prompt.hits;
      const broken = come && j === prompt.hits && prompt.kind !== "nobody_before";
      const owners = b === undefined ? [] : room.state.owners[b];
      const name = ["bk", owners.length > 1 && "shared", !come && "todo", broken && "brk", acting && b !== undefined && room.touched.has(b) && "now"];
      const place = come ? (b === undefined ? (hit ? "✓" : "") : `${hit ? "✓ " : `${words.fresh} `}${b}`) : "";
      const label = prompt.hashes[j];
      return el(
        "div",
        { class: name.filter(Boolean).join(" "), "data-b": b },
        el("div", { class: "tk" }, ...tokenChips(prompt, j, come)),
        el("div", { class: "lp" }, el("span", { class: "sno" }, place), label ? el("span", { class: "lab" }, label) : el("span", { class: "nolab" }, words.notFull)),
      );
    });
  }
}
