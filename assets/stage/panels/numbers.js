/* The step in figures: used, wasted, shared, kept, free, in blocks, tokens and percent. All sent with the step. */
import { el, percent, put } from "../dom.js";

const ROWS = ["used", "gaps", "shared", "kept", "free", "all"];

export default function numbers(stage, room) {
  const title = el("caption", {});
  const head = el("tr", {});
  const body = el("tbody", {});
  const table = el("table", { class: "numbers" }, title, el("thead", {}, head), body);
  const cells = ROWS.map(() => ["", "", "", ""].map((_, k) => el(k ? "td" : "th", k ? {} : { scope: "row" })));
  body.append(...cells.map((row) => el("tr", {}, ...row)));
  return {
    el: table,
    build() {
      const { words } = stage;
      head.replaceChildren(...words.numbers.head.map((text) => (text ? el("th", { scope: "col" }, text) : el("td", {}))));
      ROWS.forEach((row, k) => put(cells[k][0], words.numbers[row]));
    },
    draw() {
      const { m, i } = room.step;
      const { blockSize: size, numBlocks } = room.tl;
      const [used, gaps, kept, empty, shared] = m;
      const pool = (numBlocks - 1) * size;
      put(title, `${stage.words.numbers.title}: ${i}`);
      const tokens = { used: used * size, gaps, shared: shared * size, kept: kept * size, free: empty * size, all: pool };
      const blocks = { used, gaps: "", shared, kept, free: empty, all: numBlocks - 1 };
      ROWS.forEach((row, k) => {
        put(cells[k][1], String(blocks[row]));
        put(cells[k][2], String(tokens[row]));
        put(cells[k][3], percent(tokens[row], pool));
      });
    },
  };
}
