/* Scene 7: what was published, the price, the dates, and the doors to the pages. */
import { N } from "./story_nodes.js";

export function outcome(context) {
  const { shows } = context;
  if (shows.doors) return doors(context);
  if (shows.dates) return dates(context);
  if (shows.price) return price(context);
  return shows.shares ? shares(context) : announced(context);
}

function announced({ scene, g, t }) {
  const out = [];
  const h = g.phone ? 26 : 40 * g.F;
  const step = g.phone ? 54 : h + 36 * g.F;
  const y1 = g.phone ? 26 : 40 * g.F;
  const W = g.W;
  out.push(N("wt", 0, y1 - 28 * g.F, W, 22, "tx mu", t("waste"), { hl: "waste" }));
  out.push(N("wa", 0, y1, W, h, "lane", "", { hl: "waste" }));
  out.push(N("wb", 2, y1 + 2, W * 0.6 - 2, h - 4, "held", "", { hl: "waste", info: t("old").replaceAll("**", "") }));
  out.push(N("wc", W * 0.6, y1 + 2, W * 0.2, h - 4, "held", "", { op: 0.5, hl: "waste" }));
  out.push(N("wd", 0, y1 + h + 3, W, 22, "tx", t("old"), { hl: "waste" }));
  out.push(N("we", 0, y1 + step, W, h, "lane", "", { hl: "waste", d: 150 }));
  out.push(N("wf", 2, y1 + step + 2, W * 0.04 - 2, h - 4, "held", "", { hl: "waste", d: 150 }));
  out.push(N("wg", 0, y1 + step + h + 3, W, 22, "tx", t("new"), { hl: "waste", d: 150 }));
  const y2 = y1 + 2 * step + (g.phone ? 34 : 44 * g.F);
  out.push(N("xt", 0, y2 - 28 * g.F, W, 22, "tx mu", t("rate"), { hl: "times", d: 250 }));
  out.push(N("xa", 0, y2, W / scene.shows.times, h, "bar", "", { hl: "times", d: 250 }));
  out.push(N("xb", 0, y2 + h + 3, W, 22, "tx", t("hf"), { hl: "times", d: 250 }));
  out.push(N("xc", 0, y2 + step, W, h, "bar strong", "", { hl: "times", d: 300, from: { x: 0, y: y2 + step, w: 0 } }));
  out.push(N("xd", 0, y2 + step + h + 3, W, 22, "tx", t("vllm"), { hl: "times", d: 300 }));
  return out;
}

function shares({ scene, g, t }) {
  const out = [N("bt", 0, 0, g.W, 22, "tx mu", t("shares"), { hl: "orca vllm" })];
  const y0 = g.phone ? 26 : 34 * g.F;
  const row = g.phone ? 64 : Math.min(92 * g.F, (g.H - y0 - 60 * g.F) / scene.shows.shares.length);
  const h = g.phone ? 26 : row - 36 * g.F;
  scene.shows.shares.forEach(([share], i) => {
    const y = y0 + i * row;
    const last = i === scene.shows.shares.length - 1;
    const hl = last ? "vllm" : "orca";
    out.push(N(`bl${i}`, 0, y, g.W, h, "lane", "", { hl }));
    out.push(N(`bb${i}`, 0, y, (g.W * share) / 100, h, last ? "bar strong" : "bar", "", { hl, d: i * 90, from: { x: 0, y, w: 0 } }));
    out.push(N(`bv${i}`, 0, y + h + 3, g.W, 22, "tx", t(`share${i}`), { hl }));
  });
  out.push(N("bn", 0, y0 + scene.shows.shares.length * row + 6, g.W, 28, "tx mid wrap", t("paper"), { hl: "paper" }));
  return out;
}

function price({ scene, g, t }) {
  const out = [];
  const [low, high] = scene.shows.slower.map((more) => 100 + more);
  const h = g.phone ? 34 : 56 * g.F;
  const y = g.phone ? 40 : g.H * 0.18;
  const unit = (g.W * 0.9) / high;
  const y2 = y + h + 64 * g.F;
  out.push(N("ct", 0, y - 32 * g.F, g.W, 22, "tx mu", t("kernel"), { hl: "price" }));
  out.push(N("c0", 0, y, unit * 100, h, "bar", ""), N("c0t", 0, y + h + 4, g.W, 22, "tx", t("one_piece")));
  out.push(N("c1", 0, y2, unit * low, h, "bar", "", { from: { x: 0, y: y2, w: unit * 100 } }));
  out.push(N("c2", unit * low, y2, unit * (high - low), h, "held edge", "", { hl: "price" }));
  out.push(N("c1t", 0, y2 + h + 4, g.W, 22, "tx", t("paged"), { hl: "price" }));
  out.push(N("c3", 0, y2 + h + 56 * g.F, g.W, 30, "tx mid wrap", t("even_so")));
  return out;
}

function dates({ scene, g, t }) {
  const out = [];
  const all = scene.shows.dates;
  const row = (g.H - 24) / all.length;
  const x0 = g.phone ? 0 : 124 * g.F;
  out.push(N("dl", x0 + 7, 14, 3, row * (all.length - 1), "ax", ""));
  all.forEach(([confirmed, whose], i) => {
    const y = i * row + 6;
    out.push(N(`do${i}`, x0, y, 17, 17, `dot ${confirmed ? "on" : ""}`, "", { d: i * 70, z: 2, hl: whose }));
    if (g.phone) {
      out.push(N(`dt${i}`, x0 + 28, y - 4, g.W - 28, 44, "tx wrap", `**${t(`date${i}`)}** ${t(`event${i}`)}`, { d: i * 70, hl: whose }));
    } else {
      out.push(N(`dd${i}`, 0, y - 3, x0 - 16, 22, "tx r mu", t(`date${i}`), { d: i * 70, hl: whose }));
      out.push(N(`dt${i}`, x0 + 32, y - 4, g.W - x0 - 32, 24, "tx wrap mid2", t(`event${i}`), { d: i * 70, hl: whose }));
    }
  });
  return out;
}

function doors({ g, t, doors: pages, reg }) {
  const out = [N("wh", 0, 0, g.W, 26, "tx mid", t("where"), { hl: "door" })];
  const cols = g.phone ? 1 : 2;
  const gap = g.phone ? 7 : 14;
  const rows = Math.ceil(pages.length / cols);
  const top = 36 * g.F;
  const h = Math.min(g.phone ? 56 : 96 * g.F, (g.H - top) / rows - gap);
  const w = (g.W - gap * (cols - 1)) / cols;
  pages.forEach(({ href, title, question }, i) => {
    const [x, y] = [(i % cols) * (w + gap), top + Math.floor(i / cols) * (h + gap)];
    out.push(N(`d${i}`, x, y, w, h, g.phone ? "card slim" : "card", `**${title}** ${question[reg === "engine" ? 1 : 0]}`, { hl: "door", href, d: i * 50, from: { x, y: y + 30 } }));
  });
  return out;
}
