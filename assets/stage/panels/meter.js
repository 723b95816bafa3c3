/* How full the room is: in use, empty places on what is in use, kept, empty. The percentage is vLLM's usage, in which
   what is kept counts as free. All figures are sent with the step. */
import { el, percent, put } from "../dom.js";

export default function meter(stage, room) {
  const percentage = el("span", { class: "n" });
  const parts = ["u", "w", "k", "e"].map((name) => el("div", { class: name }));
  const bar = el("div", { class: "bar", "aria-hidden": "true" }, ...parts);
  const lines = ["u", "w", "k", "e"].map((name) => ({ key: el("i", { class: name }), value: el("b", {}), text: el("span", {}) }));
  const legend = el("p", {}, ...lines.map((line) => el("span", {}, line.key, line.value, line.text)));
  const node = el("section", { class: "mt" }, percentage, bar, legend);
  return {
    el: node,
    build() {},
    draw() {
      const [used, gaps, kept, empty] = room.step.m;
      const blocks = room.tl.numBlocks - 1;
      const places = blocks * room.tl.blockSize;
      const words = stage.words.meter;
      put(percentage, `${blocks ? Math.round((used / blocks) * 100) : 0} %`);
      const widths = [used * room.tl.blockSize - gaps, gaps, kept * room.tl.blockSize];
      widths.forEach((part, k) => {
        parts[k].style.width = `${(part / places) * 100}%`;
        parts[k].style.border = part ? "" : "0";
      });
      const values = [used, gaps, kept, empty];
      const texts = [
        ` ${words.used[1]} ${blocks} ${words.used[0]}`,
        ` ${words.gaps}${used ? ` ${words.ofUsed(percent(gaps, used * room.tl.blockSize))}` : ""}`,
        ` ${words.kept}`,
        ` ${words.empty}`,
      ];
      lines.forEach((line, k) => {
        put(line.value, String(values[k]));
        put(line.text, texts[k]);
      });
    },
  };
}
