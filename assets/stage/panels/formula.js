/* The arithmetic of the current step with its values in it: in the overview its last line, closer all lines so far. */
import { fixed } from "../attention.js";
import { el, toggle } from "../dom.js";

const MOST = 6; // terms written out
const n3 = (x) => fixed(x, 3);

function terms(values, write, joint) {
  const shown = values.slice(0, MOST).map(write);
  return shown.join(joint) + (values.length > MOST ? `${joint}…` : "");
}

export default function formula(stage, room) {
  const node = el("div", { class: "fml", role: "group", "aria-label": "formula" });
  const line = (text, result, now, wide = false) => el("div", { class: wide ? "wide" : "" }, `${text} = `, now ? el("b", {}, result) : result);
  return {
    el: node,
    build() {
      toggle(node, "brief", stage.view.zoom === 0);
    },
    draw() {
      const { tl } = room;
      const { k, line: l, h, ended, alpha, before, m } = tl.look(room.i);
      const d = h.query.length;
      if (ended) {
        const last = tl.wire.lines.length - 1;
        return node.replaceChildren(line(`out = acc / l = [${terms(h.acc[last], n3, ", ")}] / ${n3(h.l[last])}`, `[${terms(h.out, n3, ", ")}]`, true, true));
      }
      if (l < 0) {
        const general = [`s = q·k / √${d}`, "m′ = max(m, s)", "α = exp(m − m′)", "l′ = α·l + Σ exp(s − m′)", "acc′ = α·acc + Σ exp(s − m′)·v"];
        return node.replaceChildren(el("div", { class: "wide dim" }, general.join("   ")));
      }
      const s = h.s[l];
      const lines = [line(`block_table[${l}]`, String(tl.wire.lines[l].b), k === 0)];
      if (k >= 1) lines.push(line(`s = q·k / √${d}`, terms(s, n3, ", "), k === 1));
      if (k >= 2) {
        lines.push(line(`m′ = max(${n3(before)}, ${n3(Math.max(...s))})`, n3(m), k === 2));
        lines.push(line(`α = exp(${n3(before)} − ${n3(m)})`, n3(alpha), k === 2));
      }
      if (k >= 3) {
        lines.push(line(`l′ = ${n3(alpha)} × ${n3(h.l0[l])} + (${terms(h.p[l], n3, " + ")})`, n3(h.l[l]), true));
        const kv = Math.floor(tl.head / tl.wire.group);
        const first = l ? h.acc[l - 1][0] : 0;
        const products = terms(h.p[l].map((p, t) => [p, tl.wire.values[kv][l][t][0]]), ([p, v]) => `${n3(p)}·${n3(v)}`, " + ");
        lines.push(line(`acc′[0] = ${n3(alpha)} × ${n3(first)} + ${products}`, n3(h.acc[l][0]), true, true));
      }
      node.replaceChildren(...(stage.view.zoom === 0 ? lines.slice(k === 2 ? -2 : -1) : lines));
    },
  };
}
