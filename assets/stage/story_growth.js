/* Scene 1: pieces of text and, under each, what the model keeps of it. */
import { N } from "./story_nodes.js";

export function growth({ scene, shows, g, t, reg }) {
  const out = [];
  const { pieces, asked, layers } = scene.shows;
  const n = shows.tokens;
  const per = g.phone ? 4 : 8;
  const gap = g.phone ? 8 : 10;
  const w = (g.W - gap * (per - 1)) / per;
  const chip = 38 * g.F;
  const boxH = g.phone ? 52 : Math.min(104 * g.F, g.H * 0.165);
  const row = chip + boxH + (g.phone ? 18 : 36 * g.F);
  const y0 = g.phone ? 22 : 34 * g.F;
  const pos = (i) => ({ x: (i % per) * (w + gap), y: y0 + Math.floor(i / per) * row });
  out.push(N("lab", 0, 0, g.W, 20, "tx mu", t(n > asked ? "so_far" : "question")));
  for (let i = 0; i < n; i++) {
    const p = pos(i);
    const isNew = i >= asked;
    out.push(N(`t${i}`, p.x, p.y, w, chip, isNew ? "piece new" : "piece", pieces[i], { hl: "tok", info: t("tok"), from: isNew ? { y: p.y - 30 } : undefined }));
    if (i < (shows.boxes ?? 0)) {
      out.push(N(`k${i}`, p.x + w * 0.12, p.y + chip + 8, w * 0.76, boxH, reg === "engine" ? "kv" : "kv notes", undefined, { hl: isNew ? "newbox box" : "box", info: t("box"), o: "a", d: i * 45, from: { x: p.x + w * 0.12, y: p.y }, z: 1, make: keyAndValue, set: letters(reg) }));
    }
  }
  const below = y0 + Math.ceil((g.phone ? asked + 1 : per) / per) * row;
  if (shows.next) {
    if (!g.phone) {
      const y = y0 + chip + 8 + boxH + 8;
      out.push(N("join", w / 2, y, (w + gap) * (n - 1) + 2, 12, "brk dn", "", { hl: "box", d: 200, from: { x: w / 2, y, w: 0 } }));
    }
    out.push(N("read", 0, below + (g.phone ? 0 : 2), g.W, 22, "tx mid", t("read"), { hl: "box", d: 250 }));
  }
  if (shows.reads) reads(out, g, t, below, layers);
  if (shows.memory) memory(out, g, t, below);
  if (shows.opened) opened(out, g, t, below, layers, pos(n - 1), w);
  if (shows.unknown) unknown(out, g, t, n, pos, w, chip, boxH, below);
  return out;
}

/** The model itself: what the pieces go through, stage by stage. */
function reads(out, g, t, below, layers) {
  const y = below + (g.phone ? 30 : 34 * g.F);
  const h = (g.phone ? 56 : 72) * g.F;
  out.push(N("rt", 0, y - 24 * g.F, g.W, 20, "tx mu", t("reads"), { hl: "tok" }));
  out.push(N("rm", 0, y, g.W, h, "frame2", "", { hl: "tok" }));
  out.push(N("rl", 10, y + 10, g.W - 20, h - 20, "fields stages", "", { v: { "--cw": `${(g.W - 20) / layers}px` }, hl: "tok" }));
}

const keyAndValue = () => document.createElement("div");
const letters = (reg) => (inside) => {
  if (inside.shown === reg) return;
  inside.shown = reg;
  inside.replaceChildren(...(reg === "engine" ? ["K", "V"] : ["", ""]).map((letter) => Object.assign(document.createElement("i"), { textContent: letter })));
};

function memory(out, g, t, below) {
  const y = below + (g.phone ? 26 : 34 * g.F);
  const h = 56 * g.F;
  out.push(N("mt", 0, y - 24 * g.F, g.W, 20, "tx mu", t("memory"), { hl: "mem" }));
  out.push(N("m", 0, y, g.W, h, "frame2", "", { hl: "mem model box" }));
  out.push(N("mm", 4, y + 4, g.W * 0.6, h - 8, "part", t("model"), { hl: "mem model", o: "g" }));
  out.push(N("mb", g.W * 0.6 + 8, y + 4, g.W * 0.28, h - 8, "part", t("notes"), { hl: "mem box", o: "a", from: { y: y - 60 } }));
}

function opened(out, g, t, below, layers, at, w) {
  const x0 = 26 * g.F;
  const h = g.phone ? 20 : 28 * g.F;
  const y = below + (g.phone ? 24 : 26 * g.F);
  const v = { "--cw": `${(g.W - x0) / layers}px` };
  out.push(N("zt", x0, y - 24 * g.F, g.W - x0, 20, "tx mu", t("opened"), { hl: "size" }));
  ["K", "V"].forEach((letter, k) => {
    out.push(N(`z${letter}l`, 0, y + k * (h + 4) + h / 2 - 10, x0, 20, "tx bold", letter, { hl: "size" }));
    out.push(N(`z${letter}`, x0, y + k * (h + 4), g.W - x0, h, "fields", "", { o: "a", v, hl: "size", info: t("field"), from: { x: at.x + w * 0.2, y: at.y + 70, w: 8, h: 8 } }));
  });
  out.push(N("zf", x0, y + 2 * (h + 4) + 2, g.W - x0, g.phone ? 38 : 20, "tx mu wrap", t("field"), { hl: "size" }));
  const ys = y + 2 * (h + 4) + (g.phone ? 44 : 32 * g.F);
  out.push(N("zs", 0, ys, g.W, 34, "tx big", t("sum"), { hl: "size" }));
  out.push(N("za", 0, ys + 34 * g.F, g.W, 20, "tx mu", t("all"), { hl: "size" }));
}

function unknown(out, g, t, n, pos, w, chip, boxH, below) {
  const more = g.phone ? 4 : 16;
  for (let i = 0; i < more; i++) {
    const p = pos(g.phone ? 8 + i : n + i);
    const y = p.y + (g.phone ? 0 : chip + 8);
    if (y + boxH > g.H) break;
    out.push(N(`g${i}`, p.x + w * 0.12, y, w * 0.76, boxH, "kv q", "?", { hl: "unk", info: t("unk"), d: Math.min(i * 25, 420) }));
  }
}
