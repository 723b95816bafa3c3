/* The middle of the attention page, from far to near: the room, the scores, the numbers. */
import { el } from "../dom.js";
import { ReadingNumbers } from "../reading_numbers.js";
import { ReadingRoom } from "../reading_room.js";
import { ReadingScores } from "../reading_scores.js";

export default function reading(stage, room) {
  const heading = el("h2", { class: "h" });
  const shelves = new ReadingRoom(stage, room);
  const scores = new ReadingScores(stage, room);
  const numbers = new ReadingNumbers(stage, room);
  const node = el("section", { class: "readingw" }, heading, shelves.el, scores.el, numbers.el);
  const zoom = () => stage.view.zoom;
  let drawn = -1;

  function title() {
    const words = stage.words.attention;
    const { wire } = room.tl;
    const { line, ended } = room.tl.look(room.i);
    const open = wire.lines[ended ? wire.lines.length - 1 : Math.max(0, line)].b;
    const [name, note] = zoom() === 2 ? words.open(open) : words.room;
    heading.replaceChildren(name, " ", el("small", {}, note));
  }
  function all(instant) {
    title();
    if (zoom() < 2) shelves.draw(instant);
    if (zoom() === 1) scores.draw();
    if (zoom() === 2) numbers.draw();
  }
  return {
    el: node,
    build() {
      shelves.el.hidden = zoom() === 2;
      scores.el.hidden = zoom() !== 1;
      numbers.el.hidden = zoom() !== 2;
      shelves.build(zoom() === 1);
      numbers.build();
      drawn = -1;
    },
    draw(mode) {
      all(drawn < 0 || mode !== "step");
      drawn = room.i;
    },
    resize: () => drawn >= 0 && all(true),
    rect: (b) => shelves.shelves[b].el.getBoundingClientRect(),
    part: (b) => (zoom() < 2 ? shelves.shelves[b].el : null),
    focus: (b) => zoom() < 2 && shelves.focus(b),
    focused: () => shelves.focused(),
    highlight() {},
  };
}
