/* The story of one shelf: who held it and when, on the scrubber's own axis, what is known of it now, and every step
   that did something to it. It follows the action until a shelf is pinned. */
import { el, hue, hueVar, put } from "../dom.js";
import { bands } from "../shelf.js";

const LINES = 8;
const BEFORE = 5; // lines shown before the present step

export default function story(stage, room) {
  const title = el("h2", {});
  const note = el("small", {});
  const life = el("div", { class: "life", "aria-hidden": "true" });
  const head = el("i", { class: "head" });
  const facts = el("dl", {});
  const history = el("ol", { class: "hist" });
  const node = el(
    "section",
    { class: "story" },
    title,
    el("div", { class: "lifew" }, life, head),
    el("div", { class: "facts" }, facts, history),
  );
  let drawn = "";
  return {
    el: node,
    build() {
      drawn = "";
    },
    draw() {
      const b = stage.subject(room);
      const { words } = stage;
      const tale = room.tl.story(b);
      const key = `${b}|${stage.reg}|${room.tl.wire.title}|${room.tl.last}`;
      if (key !== drawn) {
        drawn = key;
        title.replaceChildren(words.story.title(b), note);
        node.setAttribute("aria-label", words.story.title(b));
        drawLife(room.tl, tale, life);
      }
      put(note, stage.pin === b ? words.story.pinned : words.story.follows);
      head.style.setProperty("--p", room.tl.last ? room.i / room.tl.last : 0);
      drawFacts(stage, room, b, facts);
      drawHistory(stage, room, tale.events, history);
    },
  };
}

function drawLife(tl, tale, life) {
  const x = (i) => (tl.last ? Math.min((i / tl.last) * 100, 100) : 0);
  life.replaceChildren(
    ...tale.spans.map(({ owners, kept, from, to }) => {
      const width = x(to) - x(from);
      const letters = owners.map((r) => tl.requests[r].letter).join("");
      const span = el("div", { class: kept ? "kept" : "used" }, letters && width > 1.4 + letters.length * 0.9 ? el("b", {}, letters) : null);
      span.style.left = `${x(from)}%`;
      span.style.width = `${width}%`;
      if (owners.length) span.style.background = bands(owners, tl.requests) || hueVar(tl.requests[owners[0]].hue);
      return span;
    }),
  );
}

function drawFacts(stage, room, b, facts) {
  const { state, tl } = room;
  const w = stage.words.story;
  const owners = state.owners[b];
  const hash = state.hash[b];
  const place = state.queue.indexOf(b);
  const who = owners.length
    ? [...owners.flatMap((r) => [el("b", { class: "tag", style: hue(tl.requests[r].hue) }, tl.requests[r].letter), " "]), w.ref(owners.length)]
    : [w.nobody];
  const rows = [
    [w.owners, who],
    [w.fill, [`${state.fill[b]} of ${tl.blockSize}`]],
    [w.hash, [hash < 0 ? w.noHash(owners.length > 0) : stage.named(w.chain(hash, tl.wire.parents?.[hash] ?? -1))]],
    [w.queue, [place < 0 ? w.notQueued : w.place(place + 1, state.queue.length)]],
  ];
  facts.replaceChildren(...rows.flatMap(([term, values]) => [el("dt", {}, term), el("dd", {}, ...values)]));
}

function drawHistory(stage, room, events, history) {
  const now = events.findIndex((event) => event.i > room.i);
  const from = Math.max(0, Math.min((now < 0 ? events.length : now) - BEFORE, events.length - LINES));
  const lines = events.slice(from, from + LINES).map((event) => {
    const letter = event.r >= 0 ? room.tl.requests[event.r].letter : "";
    const text = stage.named(stage.words.event[event.kind](event, letter));
    return el(
      "li",
      { class: event.i > room.i ? "future" : null },
      el("button", { type: "button", class: "jump", onclick: () => stage.clock.jump(event.i) }, el("b", {}, String(event.i)), " ", text),
    );
  });
  history.replaceChildren(...(lines.length ? lines : [el("li", { class: "muted" }, stage.words.story.never)]));
}
