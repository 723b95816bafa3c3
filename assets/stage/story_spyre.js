/* Scene 6: the card and its software, wide shelves, whole cartloads, and the three ceilings. */
import { N } from "./story_nodes.js";

export function spyre(context) {
  const { shows } = context;
  if (shows.card) return card(context);
  if (shows.widths) return widths(context);
  return shows.reuse ? cartloads(context) : ceilings(context);
}

function card({ shows, g, t }) {
  const out = [];
  const h = g.phone ? 34 : 46 * g.F;
  const gap = g.phone ? 8 : 12 * g.F;
  const inner = g.W - 36;
  const top = g.phone ? 130 : g.H * 0.38;
  if (shows.software) {
    const half = (g.W - gap) / 2;
    ["rh1", "rh2"].forEach((name, k) => out.push(N(name, k * (half + gap), top - 2 * (h + gap), half, h, "layer", t(name), { hl: "rh", d: 120 })));
    out.push(N("vllm", 0, top - (h + gap), g.W, h, "layer strong", t("vllm"), { hl: "vllm", from: { y: top - 2 * (h + gap) } }));
  }
  const facts = ["card_in", "nm", "watt", "fp", "batch"];
  const fh = g.phone ? 28 : 34 * g.F;
  out.push(N("card", 0, top, g.W, 46 * g.F + facts.length * (fh + 6) + 10, "board", "", { hl: "card" }));
  out.push(N("cardt", 18, top + 12, inner, 28, "tx mid", t("card"), { hl: "card", z: 1 }));
  facts.forEach((name, k) => out.push(N(`fact${name}`, 18, top + 46 * g.F + k * (fh + 6), inner, fh, "fact", t(name), { hl: name === "watt" ? "watt" : "card", d: k * 70, z: 1 })));
  return out;
}

function widths({ scene, g, t }) {
  const { usual, block } = scene.shows;
  const n = block / usual;
  const gap = 12;
  const w = (g.W - gap * (n - 1)) / n;
  const h = g.phone ? 54 : 96 * g.F;
  const [y1, y2] = g.phone ? [34, 170] : [g.H * 0.14, g.H * 0.52];
  const out = [N("wu", 0, y1 - 28 * g.F, g.W, 22, "tx", t("usual"), { hl: "usual" }), N("ww", 0, y2 - 28 * g.F, g.W, 22, "tx", t("wide"), { hl: "s64" })];
  const rows = 2;
  const grid = (width) => ({ "--cw": `${width / (usual / rows)}px`, "--ch": `${(h - 18) / rows}px` });
  for (let i = 0; i < n; i++) {
    const x = i * (w + gap);
    out.push(N(`u${i}`, x, y1, w, h, "plank", "", { hl: "usual" }));
    out.push(N(`ub${i}`, x + 5, y1 + 5, w - 10, h - 18, "cells on", "", { o: "a", v: grid(w - 10), hl: "usual", z: 1 }));
    const part = (g.W - 10) / n;
    out.push(N(`b${i}`, 5 + i * part, y2 + 5, part, h - 18, "cells on", "", { o: "a", v: grid(part), hl: "s64", z: 2, d: i * 90, from: { x: x + 5, y: y1 + 5, w: w - 10 } }));
  }
  out.push(N("wide", 0, y2, g.W, h, "plank hot", "", { hl: "s64" }));
  return out;
}

function cartloads({ scene, shows, g, t }) {
  const { shared, skipped, chunks, per } = shows.reuse;
  const out = [];
  const gap = g.phone ? 10 : 18 * g.F;
  const w = (g.W - gap) / chunks;
  const cols = g.phone ? 4 : 8;
  const rows = per / cols;
  const head = g.phone ? 28 : 34 * g.F;
  const foot = g.phone ? 26 : 30 * g.F;
  const top = g.phone ? 22 : 26 * g.F;
  const cell = Math.min(g.phone ? 18 : 50 * g.F, ((g.H - head - 16) / 2 - top - foot - 14) / rows - 5);
  const tall = rows * (cell + 5) + 11;
  ["A", "B"].forEach((L, r) => {
    const y = head + top + r * (tall + foot + top);
    const said = L === "A" ? "A" : shared ? `B${shared}` : "B0";
    out.push(N(`L${L}`, 0, y - top, 24, 22, "letter", L, { o: "ab"[r], hl: `v${L}` }));
    out.push(N(`q${L}`, 32, y - top, g.W - 32, 22, "tx", t(said), { hl: `v${L}` }));
    for (let c = 0; c < chunks; c++) {
      const x = c * (w + gap);
      const free = L === "B" && shared > 0 && c < skipped;
      const look = L === "B" && shared ? (free ? "spare" : "redo") : "ghost";
      const word = free ? "skipped" : L === "A" || !shared ? "chunk" : c === 0 && shared < per ? `read${shared}` : "read";
      out.push(N(`c${L}${c}`, x, y, w, tall, look, "", { hl: `chunk${free ? " spared" : ""}`, info: t(word) }));
      for (let i = 0; i < per; i++) {
        const b = c * per + i;
        const hit = L === "A" || b < shared;
        const lost = L === "B" && shared > 0 && shared < per && b === shared;
        const cw = (w - 12 - (cols - 1) * 4) / cols;
        out.push(N(`k${L}${b}`, x + 6 + (i % cols) * (cw + 4), y + 6 + Math.floor(i / cols) * (cell + 5), cw, cell, `s64 ${lost ? "lost" : hit ? "hit" : L === "B" && shared ? "own" : ""}`, "", { hl: `${hit ? `v${L}` : `v${L} own`}${lost ? " lost" : ""}`, d: shared ? Math.min(b * 10, 400) : 0 }));
      }
      out.push(N(`t${L}${c}`, x, y + tall + 3, w, 22, free ? "tx bold" : "tx mu", t(word), { hl: free ? "spared" : "chunk" }));
    }
  });
  if (shows.switched) out.push(N("switch", g.phone ? 0 : g.W - 240 * g.F, 0, g.phone ? g.W : 240 * g.F, 27 * g.F, "idle", t("switch"), { hl: "switch" }));
  if (shared) out.push(N("sum", 0, 0, g.phone ? g.W : g.W - 250 * g.F, 26, g.phone ? "tx hide" : "tx mid", t("sum"), { hl: "spared lost" }));
  return out;
}

function ceilings({ scene, shows, g, t }) {
  const { ceilings: [most, longest], rows, curve } = scene.shows;
  const out = [];
  const x0 = g.phone ? 34 : 52 * g.F;
  const y0 = g.phone ? 26 : 34 * g.F;
  const W = g.W - x0 - 8;
  const H = g.H - y0 - (g.phone ? 84 : 100 * g.F);
  const [sx, sy] = [W / longest, H / (most * 1.06)];
  const base = y0 + H;
  out.push(N("up", 0, 0, g.W, 20, "tx mu", t("up"), { hl: "n" }));
  out.push(N("ay", x0 - 2, y0, 2, H, "ax", ""), N("ax", x0 - 2, base, W + 4, 2, "ax", ""));
  for (const n of new Set([...rows.map(([r]) => r)])) out.push(N(`y${n}`, 0, base - n * sy - 10, x0 - 8, 20, "tx r mu", String(n), { hl: "n" }));
  for (const c of rows.map(([, k]) => k)) {
    const right = c === longest;
    out.push(N(`x${c}`, x0 + c * sx - (right ? 72 : 36), base + 5, 72, 20, `tx mu ${right ? "r" : "c"}`, c.toLocaleString("en-US"), { hl: "c" }));
  }
  out.push(N("across", x0, base + 26 * g.F, W, 20, "tx mu", t("across"), { hl: "c" }));
  out.push(N("curve", x0, y0, W, H, "curve", undefined, { hl: "p", make: svg, set: (inside) => drawCurve(inside, curve, { W, H, sx, sy, most, longest }) }));
  out.push(N("ln", x0, base - most * sy - 1, W, 3, "limit", "", { hl: "n", info: t("ceiling_n") }));
  out.push(N("lc", x0 + W - 3, y0, 3, H, "limit", "", { hl: "c", info: t("ceiling_c") }));
  const inside = shows.row === null;
  if (inside) {
    out.push(N("tn", x0 + W * 0.42, base - most * sy + 5, W * 0.56, 20, "tx bold r", t("ceiling_n"), { hl: "n" }));
    out.push(N("tc", x0 + W * 0.3, base - 40 * g.F, W * 0.68, 20, "tx bold r", t("ceiling_c"), { hl: "c" }));
    out.push(N("tp", x0 + W * 0.3, base - H * 0.52, W * 0.62, 20, "tx bold", t("ceiling_p"), { hl: "p" }));
    return out;
  }
  const [n, c] = rows[shows.row];
  rows.forEach(([r, k], i) => i !== shows.row && out.push(N(`g${i}`, x0, base - r * sy, k * sx, r * sy, "ghost", "", { hl: "p" })));
  const v = { "--ch": `${sy}px` };
  out.push(N("area", x0, base - n * sy, c * sx, n * sy, "area", "", { v, hl: "area longest", z: 2, info: t("product"), op: shows.encoder ? 0.35 : 1 }));
  out.push(N("eq", x0, g.H - (g.phone ? 32 : 46 * g.F), W, 36, g.phone ? "tx mid" : "tx big", t("product"), { hl: "area", op: shows.encoder ? 0.35 : 1 }));
  if (shows.longest) out.push(N("long", x0 + W * 0.3, base - n * sy - 62 * g.F, W * 0.69, 22, "tx bold r", t("longest"), { hl: "longest", z: 3 }));
  if (shows.encoder) out.push(N("enc", x0 + W * 0.2, y0 + H * 0.22, W * 0.74, g.phone ? 64 : 60 * g.F, "idle wrap", t("encoder"), { hl: "enc", z: 4 }));
  return out;
}

const SVG = "http://www.w3.org/2000/svg";
const svg = () => document.createElementNS(SVG, "svg");

function drawCurve(node, curve, { W, H, sx, sy, most, longest }) {
  const key = `${W}|${H}`;
  if (node.drawn === key) return;
  node.drawn = key;
  node.setAttribute("viewBox", `0 0 ${W} ${H}`);
  node.setAttribute("aria-hidden", "true");
  let line = `M0 ${H - most * sy}`;
  for (const [context, batch] of curve) line += `L${context * sx} ${H - batch * sy}`;
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", `${line}L${longest * sx} ${H}L0 ${H}Z`);
  node.replaceChildren(path);
}
