/* The storage room: every block of the pool as a shelf. Up to 96 are elements with all their signs, up to 1,024
   medium tiles, above that tiny ones with a lens. The sizes answer the same calls, so nobody else needs to know. */
import { el } from "../dom.js";
import { spoken, stateOf } from "../block_state.js";
import { Shelf } from "../shelf.js";
import { isLarge, isMedium } from "../sizes.js";
import { tileRoom } from "../tile_room.js";
import { MEDIUM, TINY } from "../tiles.js";


export default function roomPanel(stage, room) {
  const heading = el("h2", { class: "h" });
  const holder = el("div", { class: "room-holder" });
  const node = el("section", { class: "roomw" }, heading, holder);
  let inner = null;
  return {
    el: node,
    build() {
      const [title, note] = stage.words.room;
      heading.replaceChildren(title, " ", el("small", {}, note(room.tl.blockSize)));
      const n = room.tl.numBlocks;
      inner?.remove?.();
      inner = isLarge(n) ? shelfRoom(stage, room) : tileRoom(stage, room, isMedium(n) ? MEDIUM : TINY);
      holder.replaceChildren(inner.el);
    },
    draw: (mode) => inner.draw(mode),
    resize: () => inner.resize?.(),
    rect: (b) => inner.rect(b), // where block b is, for flights and lines
    part: (b, selector) => inner.part?.(b, selector) ?? null, // a part of a large shelf
    focus: (b) => inner.focus(b),
    focused: () => inner.focused(),
    across: () => inner.across(),
    highlight: (b) => inner.highlight?.(b),
  };
}

function shelfRoom(stage, room) {
  const { tl } = room;
  const grid = el("div", { class: "room", role: "listbox", "aria-label": stage.words.room[0] });
  const shelves = [];
  for (let b = 0; b < tl.numBlocks; b++) {
    const shelf = new Shelf(b, tl.blockSize);
    shelf.el.setAttribute("role", "option");
    shelf.el.tabIndex = b === 1 ? 0 : -1;
    shelves.push(shelf);
  }
  grid.append(...shelves.map((shelf) => shelf.el));
  let roving = 1;
  return {
    el: grid,
    draw() {
      for (const shelf of shelves) {
        if (!shelf.set(stateOf(stage, room, shelf.b), tl.requests, stage.words.kept, stage.label)) continue;
        shelf.el.setAttribute("aria-label", spoken(stage, room, shelf.b));
        shelf.el.setAttribute("aria-selected", String(stage.pin === shelf.b));
      }
    },
    rect: (b) => shelves[b].el.getBoundingClientRect(),
    part: (b, selector) => (selector ? shelves[b].el.querySelector(selector) : shelves[b].el),
    focus(b) {
      shelves[roving].el.tabIndex = -1;
      roving = b;
      shelves[b].el.tabIndex = 0;
      shelves[b].el.focus();
    },
    focused: () => (grid.contains(grid.getRootNode().activeElement) ? roving : null),
    across: () => getComputedStyle(grid).gridTemplateColumns.split(" ").length,
  };
}

