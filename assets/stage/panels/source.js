/* The engine's own source of the operation that just ran, as Python read it from its files. */
import { el, put } from "../dom.js";

export default function source(stage, room) {
  const summary = el("summary", {});
  const lead = el("span", { class: "muted" });
  const parts = el("div", { class: "source" });
  const fold = el("details", { class: "fold" }, summary, parts);
  let shown = null;
  const draw = () => {
    if (!fold.open) return;
    const names = stage.data.source?.operations[room.step.op ?? "start"] ?? [];
    const key = names.join();
    if (key === shown) return;
    shown = key;
    parts.replaceChildren(
      ...names.map((name) => {
        const { file, code } = stage.data.source.functions[name];
        return el("figure", {}, el("figcaption", {}, el("b", {}, name), ` ${file}`), el("pre", { tabindex: 0, "aria-label": name }, el("code", {}, code)));
      }),
    );
  };
  fold.ontoggle = draw;
  return {
    el: fold,
    build() {
      summary.replaceChildren(stage.words.source.title, " ", lead);
      put(lead, stage.words.source.lead);
    },
    draw,
  };
}
