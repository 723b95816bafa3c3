/* The storage room on a canvas. One element moves over it and carries the keyboard focus and the spoken words;
   with tiny tiles a lens shows the 5 x 5 shelves under the pointer or the focus at medium size. */
import { spoken, stateOf } from "./block_state.js";
import { el, put } from "./dom.js";
import { layout, MEDIUM, paint, palette, TINY } from "./tiles.js";

const LENS = { span: 5, gapX: 8, gapY: 10 };

export function tileRoom(stage, room, size) {
  const { tl } = room;
  const canvas = el("canvas", { "aria-hidden": "true" });
  const cursor = el("div", { class: "cursor", role: "option", tabindex: 0, "aria-selected": "false" });
  const sheet = el("div", { class: "sheet", role: "listbox", "aria-label": stage.words.room[0] }, canvas, cursor);
  const lens = size === TINY ? makeLens(stage, room, () => plan?.across ?? 1) : null;
  const node = el("div", { class: `tiles ${size.name}` }, sheet, lens?.el);
  const g = canvas.getContext("2d");
  let plan = null;
  let colours = null;
  let drawnAt = null;
  let marked = new Set(); // tiles with a ring now, to be painted anew at the next step
  let focusAt = 1;

  const measure = () => {
    const width = node.clientWidth - (lens && node.clientWidth > 700 ? 250 : 0);
    if (width <= 0) return false;
    plan = layout(tl.numBlocks, width, size);
    const ratio = devicePixelRatio || 1;
    canvas.width = plan.width * ratio;
    canvas.height = plan.height * ratio;
    canvas.style.width = `${plan.width}px`;
    canvas.style.height = `${plan.height}px`;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    return true;
  };
  const tile = (b) => {
    const is = stateOf(stage, room, b);
    const [x, y] = plan.place(b);
    paint(g, colours, size, b, { ...is, fill: is.fill / tl.blockSize }, tl.requests, x, y);
  };
  const blockAt = (event) => {
    const box = canvas.getBoundingClientRect();
    return plan?.at(event.clientX - box.left, event.clientY - box.top) ?? null;
  };
  const putCursor = (b) => {
    focusAt = b;
    const [x, y] = plan.place(b);
    cursor.style.cssText = `left:${x - 2}px;top:${y - 2}px;width:${size.width + 4}px;height:${size.height + 4}px`;
    cursor.dataset.b = b;
    cursor.setAttribute("aria-label", spoken(stage, room, b));
    cursor.setAttribute("aria-selected", String(stage.pin === b));
  };
  sheet.onpointermove = (event) => {
    if (event.pointerType === "mouse" && !stage.clock.playing) stage.point(room, blockAt(event));
  };
  sheet.onpointerleave = () => stage.point(room, null);
  sheet.onclick = (event) => {
    const b = blockAt(event);
    if (b) {
      putCursor(b);
      stage.setPin(stage.pin === b ? null : b, room);
    }
  };
  cursor.onfocus = () => stage.point(room, focusAt);
  cursor.onblur = () => stage.point(room, null);

  const drawAll = () => {
    for (let b = 0; b < tl.numBlocks; b++) tile(b);
  };
  const self = {
    el: node,
    draw() {
      const fresh = !plan || !colours;
      if (!plan && !measure()) return;
      colours ??= palette(node);
      const near = drawnAt !== null && room.i - drawnAt === 1; // one step on: only what changed
      const next = new Set(room.touched);
      if (stage.pin !== null) next.add(stage.pin);
      for (const [b] of room.step.x.ev) next.add(b);
      if (fresh || !near) drawAll();
      else for (const b of new Set([...marked, ...next, ...(room.step.b ?? [])])) tile(b);
      marked = next;
      drawnAt = room.i;
      putCursor(focusAt);
      lens?.draw(colours);
    },
    resize() {
      plan = null;
      colours = null;
      self.draw();
    },
    rect(b) {
      if (!plan) return canvas.getBoundingClientRect();
      const box = canvas.getBoundingClientRect();
      const [x, y] = plan.place(b);
      return new DOMRect(box.left + x, box.top + y, size.width, size.height);
    },
    focus(b) {
      putCursor(b);
      cursor.focus();
      stage.point(room, b);
    },
    focused: () => (cursor.matches(":focus") ? focusAt : null),
    across: () => plan?.across ?? 1,
    highlight: (b) => lens?.show(b, colours),
  };
  return self;
}

function makeLens(stage, room, acrossNow) {
  const { tl } = room;
  const title = el("b", { class: "lens-title" });
  const canvas = el("canvas", { "aria-hidden": "true" });
  const node = el("div", { class: "lens" }, title, canvas);
  const side = [
    LENS.span * (MEDIUM.width + LENS.gapX) + 8,
    LENS.span * (MEDIUM.height + LENS.gapY) + 8,
  ];
  let at = null;
  const show = (b, colours) => {
    if (b !== null) at = b;
    at ??= stage.subject(room);
    const ratio = devicePixelRatio || 1;
    canvas.width = side[0] * ratio;
    canvas.height = side[1] * ratio;
    canvas.style.width = `${side[0]}px`;
    canvas.style.height = `${side[1]}px`;
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const half = (LENS.span - 1) / 2;
    const across = acrossNow();
    for (let row = -half; row <= half; row++)
      for (let column = -half; column <= half; column++) {
        const b2 = at + row * across + column;
        if (b2 < 0 || b2 >= tl.numBlocks) continue;
        const is = stateOf(stage, room, b2);
        const x = 4 + (column + half) * (MEDIUM.width + LENS.gapX);
        const y = 4 + (row + half) * (MEDIUM.height + LENS.gapY);
        paint(g, colours, MEDIUM, b2, { ...is, fill: is.fill / tl.blockSize, pinned: b2 === at }, tl.requests, x, y);
      }
    put(title, spoken(stage, room, at));
  };
  return { el: node, show, draw: (colours) => show(stage.subject(room), colours) };
}
