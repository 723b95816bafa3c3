/* The scores of all tokens read so far in the order of reading, the running maximum as a line, and below them the
   weights as things stand. */
import { fixed } from "./attention.js";
import { el } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const svg = (tag, attributes, text) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
};

export class ReadingScores {
  constructor(stage, room) {
    this.stage = stage;
    this.room = room;
    this.el = el("div", { class: "scores" });
  }

  draw() {
    const { tl } = this.room;
    const words = this.stage.words.attention;
    const look = tl.look(this.room.i);
    const { h, scored, maxed, m, line, ended } = look;
    const width = Math.max(260, this.el.clientWidth);
    const narrow = width < 420;
    const height = narrow ? 226 : 232;
    const { lines } = tl.wire;
    const count = lines.reduce((sum, each) => sum + each.n, 0);
    const all = h.s.flat();
    const [most, least] = [Math.max(...all, 0), Math.min(...all, 0)];
    const scale = (height * 0.48) / Math.max(1e-9, most - least);
    const top = 34;
    const y = (s) => top + (most - s) * scale;
    const gap = narrow ? 5 : 12;
    const bar = (width - gap * (lines.length - 1)) / count;
    const floor = height - 20;
    const tall = height * 0.2;
    const shares = tl.shares(this.room.i);
    const peak = Math.max(0.05, ...h.w.at(-1));
    const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img" });
    picture.setAttribute("aria-label", `${words.scores}: ${h.s.slice(0, scored).flat().map((s) => fixed(s, 2)).join(", ")}`);
    picture.append(svg("text", { x: 0, y: 12 }, words.scores), svg("text", { x: 0, y: floor - tall - 8 }, words.shares));
    picture.append(svg("path", { d: `M0 ${y(0)}H${width}`, class: "zero" }));
    const late = [];
    let x = 0;
    let k = 0;
    lines.forEach((each, l) => {
      const start = x;
      for (let t = 0; t < each.n; t++, k++) {
        const s = h.s[l][t];
        if (l < scored) {
          const name = `${!ended && l === line ? "now" : "past"}${typeof each.t[t] === "number" ? "" : " alien"}`;
          picture.append(svg("rect", { class: name, x: x + 1, width: Math.max(1, bar - 2), y: Math.min(y(0), y(s)), height: Math.max(1.5, Math.abs(y(0) - y(s))) }));
          if (!ended && l === line && bar > 30) late.push(svg("text", { class: "ink", x: x + bar / 2, y: s >= 0 ? y(s) - 4 : y(s) + 14, "text-anchor": "middle" }, fixed(s, 2)));
        }
        picture.append(svg("path", { class: "zero", d: `M${x + 1} ${floor}h${Math.max(1, bar - 2)}` }));
        const part = Math.min(1, (shares[k] ?? 0) / peak) * tall;
        if (part > 0) picture.append(svg("rect", { class: "share", x: x + 1, width: Math.max(1, bar - 2), y: floor - part, height: part }));
        x += bar;
      }
      const name = each.n * bar > 54 ? words.shelf(each.b) : String(each.b);
      picture.append(svg("text", { class: l === line ? "ink" : "", x: (start + x) / 2, y: height - 4, "text-anchor": "middle" }, name));
      x += gap;
    });
    if (maxed) {
      picture.append(svg("path", { class: "most", d: `M0 ${y(m)}H${width}` }));
      late.push(svg("text", { class: "mostword", x: width, y: y(m) - 5, "text-anchor": "end" }, words.most(fixed(m, 2))));
    }
    picture.append(...late);
    this.el.replaceChildren(picture);
  }
}
