/* The query of the head shown, and A's block table: one line per logical block, each of which can be pointed
   elsewhere. Lines light up with the shelf they name. */
import { el, put, toggle } from "../dom.js";
import { largest, makeVector, setVector } from "../vector.js";

export default function slip(stage, room) {
  const heads = [el("h2", { class: "h" }), el("h2", { class: "h" })];
  const query = makeVector("q");
  const list = el("div", { class: "slip-lines" });
  const node = el("section", { class: "slipw" }, heads[0], query, heads[1], list);
  let rows = [];
  return {
    el: node,
    build() {
      const words = stage.words.attention;
      const { wire, head } = room.tl;
      const h = wire.heads[head];
      heads[0].replaceChildren(words.query[0], " ", el("small", {}, words.query[1](head, h.query.length)));
      setVector(query, h.query, largest(wire.heads.map((each) => each.query)), words.query[0]);
      heads[1].replaceChildren(words.slip[0], " ", el("small", {}, words.slip[1]));
      rows = wire.lines.map((line, l) => row(stage, room, line, l, words));
      list.replaceChildren(...rows);
      list.classList.toggle("many", rows.length > 8);
    },
    draw() {
      const { line, phase } = room.step;
      rows.forEach((each, l) => {
        toggle(each, "cur", l === line);
        toggle(each, "done", phase === "end" || l < line || (l === line && phase === "add"));
      });
      const at = rows[line];
      if (at && list.scrollHeight > list.clientHeight) list.scrollTop = at.offsetTop - list.offsetTop - list.clientHeight / 2;
    },
    cells: (b) => rows.filter((each) => Number(each.dataset.b) === b),
    tag: () => null,
    cell: () => null,
  };
}

function row(stage, room, line, l, words) {
  const { wire } = room.tl;
  const options = wire.blocks.map((block, b) => [b, block]).filter(([b]) => b > 0);
  const choose = el(
    "select",
    { "aria-label": words.line(l), disabled: line.past || stage.offline, onchange: () => stage.tell("edit", { of: stage.data.revision, point: [l, Number(choose.value)] }) },
    ...options.map(([b, block]) => el("option", { value: b, selected: b === line.b }, block.o < 0 ? String(b) : `${b} ${wire.requests[block.o].letter}`)),
  );
  const shown = el("b", {});
  put(shown, String(line.b));
  const owner = wire.blocks[line.b].o;
  const who = line.own ? "" : owner < 0 ? words.old : wire.requests[owner].letter === "A" ? "" : wire.requests[owner].letter;
  return el(
    "div",
    { class: `ln${line.own ? "" : " off"}`, "data-b": line.b },
    el("span", {}, String(l)),
    el("span", { class: "muted" }, "→"),
    el("span", { class: "pick" }, shown, choose),
    el("span", { class: "s" }, line.past ? `${words.past} ` : who ? `${who} ` : "", words.of(line.n, wire.block_size)),
  );
}
