/* The visitors and their lists on one grid: a visitor's boxes above (logical blocks), the shelf they stand on below
   (block table). Who has no shelf yet waits at the door. Long lists and long lines of visitors are shortened in the
   middle; what this step touched stays in sight. */
import { el, hue, put, toggle } from "../dom.js";
import { HAND, listsHeight, mostListsHeight } from "../reserve.js";
import { bands, makeBoxes, setBoxes } from "../shelf.js";
import { isLarge } from "../sizes.js";

const CELLS_MOST = 180; // cells drawn over all rows before lists are shortened
const ROWS_MOST = 10;
const ENDS = 3; // cells kept at each end of a shortened list
const DOOR_MOST = 12;
const AROUND_LISTS = 74; // heading and door, px
const LEAST = 300; // px the panel may take beside a small room

export default function visitors(stage, room) {
  const heading = el("h2", { class: "h" });
  const list = el("div", { class: "vis" });
  const nobody = el("p", { class: "muted nobody" });
  const others = el("p", { class: "muted others" });
  const door = el("div", { class: "door" });
  const node = el("section", { class: "visitors" }, heading, list, nobody, others, door);
  const rows = new Map(); // request -> Row

  let most = null; // height the lists may take: as much as the room beside them, px

  /** The lists get the height of the fullest step, but not more than the room: then they are drawn tighter. */
  function reserve() {
    const beside = isLarge(room.tl.numBlocks) && stage.root.clientWidth > 880;
    most = beside ? Math.max(stage.find("room", room).el.clientHeight, LEAST) - AROUND_LISTS : Infinity;
    const height = beside ? Math.min(most, mostListsHeight(room.tl, node.clientWidth, ROWS_MOST)) : 0;
    node.style.setProperty("--lists", `${height}px`);
  }

  return {
    el: node,
    resize: () => (most = null),
    build() {
      const [title, note] = stage.words.visitors;
      heading.replaceChildren(title, " ", el("small", {}, note(room.tl.blockSize)));
      rows.clear();
      door.seen = null;
      list.replaceChildren();
      most = null;
    },
    draw() {
      const inside = room.tl.inside();
      const acting = room.step.r;
      const shown = inside.length > ROWS_MOST ? around(inside, acting, ROWS_MOST) : inside;
      if (most === null) reserve();
      const lengths = shown.map((r) => {
        const [tokens, computed] = room.state.counts.get(r);
        return room.state.tables.get(r).length + (tokens > computed ? HAND : 0);
      });
      toggle(node, "tight", listsHeight(lengths, node.clientWidth) > most);
      const cells = shown.reduce((sum, r) => sum + room.state.tables.get(r).length, 0);
      const ordered = shown.map((r) => {
        if (!rows.has(r)) rows.set(r, new Row(stage, room, r));
        rows.get(r).draw(cells > CELLS_MOST);
        return rows.get(r).el;
      });
      if (list.children.length !== ordered.length || ordered.some((row, k) => list.children[k] !== row))
        list.replaceChildren(...ordered);
      put(nobody, inside.length ? "" : stage.words.nobodyInside);
      put(others, inside.length > shown.length ? stage.words.moreVisitors(inside.length - shown.length) : "");
      drawDoor(stage, room, door);
    },
    tag: (r) => node.querySelector(`[data-tag="${r}"]`),
    cell: (r, b) => rows.get(r)?.cell(b) ?? null,
    cells: (b) => [...list.querySelectorAll(`.lb[data-b="${b}"]`)],
  };
}

/** `most` of the items, in order, with `item` among them. */
function around(items, item, most) {
  const k = Math.max(0, items.indexOf(item));
  const from = Math.max(0, Math.min(k - most + 2, items.length - most));
  return items.slice(from, from + most);
}

class Row {
  constructor(stage, room, r) {
    Object.assign(this, { stage, room, r });
    const { letter, hue: k } = room.tl.requests[r];
    this.count = el("span", {});
    this.who = el("div", { class: "who" }, el("b", { class: "tag", "data-tag": r }, letter), this.count);
    this.list = el("div", { class: "lbs" });
    this.tail = el("div", { class: "tail" });
    this.el = el("div", { class: "vr", "data-r": r, style: hue(k) }, this.who, this.list);
    this.cells = new Map(); // place in the table -> cell element
    this.order = "";
  }

  draw(shorten) {
    const { stage, room, r } = this;
    const table = room.state.tables.get(r);
    const [tokens, computed] = room.state.counts.get(r);
    put(this.count, stage.words.tokens(tokens));
    const acting = room.step.r === r;
    this.el.className = acting ? "vr act" : "vr";
    const places = this.places(table, shorten);
    for (const place of places) if (place >= 0) this.drawCell(place, table[place], acting);
    const order = `${places}|${table.length}`;
    if (order !== this.order) {
      this.order = order;
      for (const place of [...this.cells.keys()]) if (!places.includes(place)) this.cells.delete(place);
      const hidden = table.length - places.filter((place) => place >= 0).length;
      this.list.replaceChildren(
        ...places.map((place) => (place >= 0 ? this.cells.get(place) : el("span", { class: "gap" }, `… ${stage.words.more(hidden)} …`))),
        this.tail,
      );
    }
    this.drawTail(acting && room.step.refused, tokens - computed);
  }

  /** Which places of the table are drawn; -1 stands for those left out. */
  places(table, shorten) {
    const all = table.map((_, k) => k);
    if (!shorten || table.length <= 2 * ENDS + 1) return all;
    return [...all.slice(0, ENDS), -1, ...all.slice(-ENDS)];
  }

  drawCell(place, b, acting) {
    const { room, r } = this;
    let cell = this.cells.get(place);
    if (!cell) {
      const boxes = makeBoxes(room.tl.blockSize);
      const number = el("div", { class: "cell" });
      cell = Object.assign(el("div", { class: "lb" }, boxes, number), { boxes, number });
      cell.style.setProperty("--bh", room.tl.blockSize <= 8 ? "11px" : room.tl.blockSize <= 16 ? "5px" : "3px");
      this.cells.set(place, cell);
    }
    const owners = room.state.owners[b];
    const name = `lb${owners.length > 1 ? " shared" : ""}${acting && room.touched.has(b) ? " now" : ""}`;
    if (cell.className !== name) cell.className = name;
    if (cell.b !== b) {
      cell.b = b;
      cell.dataset.b = b;
      cell.dataset.r = r;
      put(cell.number, String(b));
    }
    setBoxes(cell.boxes, room.tl.blockSize, room.state.fill[b], bands(owners, room.tl.requests));
  }

  drawTail(refused, hand) {
    const { stage } = this;
    const key = `${refused}|${hand}|${stage.reg}`;
    if (key === this.tailSeen) return;
    this.tailSeen = key;
    this.tail.replaceChildren(
      ...(refused ? [el("div", { class: "lb ghost", title: stage.words.refused }, "✕")] : []),
      ...(hand > 0
        ? [el("div", { class: "hand" }, ...Array.from({ length: Math.min(hand, 4) }, () => el("i")), `${hand > 4 ? `+${hand - 4} ` : ""}${stage.words.hand}`)]
        : []),
      ...(refused ? [el("div", { class: "hand no" }, stage.words.refused)] : []),
    );
  }

  cell(b) {
    return [...this.cells.values()].find((cell) => cell.b === b) ?? null;
  }
}

function drawDoor(stage, room, door) {
  const { words } = stage;
  const { step, state, tl } = room;
  const waiting = tl.waiting();
  const key = `${stage.reg}|${step.r}|${step.refused}|${step.need}|${waiting.map((r) => `${r}:${state.counts.get(r)}`)}`;
  if (door.seen === key) return;
  door.seen = key;
  const shown = waiting.length > DOOR_MOST ? around(waiting, step.r, DOOR_MOST) : waiting;
  const people = shown.map((r) => {
    const [tokens, , status] = state.counts.get(r);
    const refused = step.r === r && step.refused;
    const back = status === 2;
    const { letter, hue: k } = tl.requests[r];
    return el(
      "span",
      { "data-r": r, class: refused ? "no" : step.r === r ? "act" : "" },
      el("b", { class: "tag wait", "data-tag": r, style: back ? hue(k) : "" }, letter),
      `${words.tokens(tokens)}${back ? `, ${words.sentBack}` : ""}${refused ? `: ${words.no(step.need, step.free, step.never)}` : ""}`,
    );
  });
  door.replaceChildren(
    el("b", {}, `${words.door}:`),
    ...(people.length ? people : [words.nobodyWaits]),
    ...(waiting.length > shown.length ? [words.moreWaiting(waiting.length - shown.length)] : []),
  );
}
