/* Scene 5: two prompts cut into blocks, with their labels, above the room in which the common blocks stand once. */
import { HUES } from "./dom.js";
import { N } from "./story_nodes.js";
import { queueNodes, shelfNodes } from "./story_room.js";

export function sharing(context) {
  const { scene, shows, g, t } = context;
  const { prompts, marks } = scene.shows;
  const out = [];
  const rowH = g.phone ? 56 : 82 * g.F;
  const top = prompts.length * rowH + (g.phone ? 30 : 34 * g.F);
  prompts.forEach((prompt, r) => out.push(...promptNodes(context, prompt, r, rowH)));
  const cols = g.phone ? 4 : 6;
  const rows = shows.shelves.length / cols;
  const queue = g.phone ? 32 : 38 * g.F;
  const [gx, gy] = g.phone ? [7, 8] : [12 * g.F, 12 * g.F];
  const w = (g.W - gx * (cols - 1)) / cols;
  const h = Math.min(g.phone ? 72 : 132 * g.F, (g.H - top - queue - 6) / rows - gy);
  const place = (i) => [(i % cols) * (w + gx), top + Math.floor(i / cols) * (h + gy), w, h];
  const label = (hash) => marks[hash] ?? `#${hash}`;
  const two = new Set(shows.two);
  out.push(...shelfNodes(context, place, label, (b, owners) => `${two.has(b) ? "two" : ""}${owners.length === 1 && !two.has(b) ? ` own${context.tl.requests[owners[0]].letter}` : ""}${shows.shelves[b - 1][2] >= 0 ? " mark" : ""}`));
  const y = prompts.length * rowH;
  if (shows.saved) out.push(N("saved", 0, y, g.W / 2, 22, "tx bold", t("saved"), { hl: "two" }));
  if (shows.named) out.push(N("named", g.phone ? g.W / 2 : g.W - 200 * g.F, y - 2, g.phone ? g.W / 2 : 200 * g.F, 26 * g.F, "idle", t("named"), { hl: "name" }));
  out.push(...queueNodes(context, Math.min(top + rows * (h + gy) + 2, g.H - queue), g.phone ? 46 : 126 * g.F));
  return out;
}

function promptNodes({ scene, shows, g, t }, prompt, r, rowH) {
  const out = [];
  const L = prompt.letter;
  const y = r * rowH;
  const gone = shows.two.length > 0 && !shows.lists[L] && shows.marks && shows.named;
  const op = gone ? 0.45 : 1;
  const x0 = g.phone ? 26 : 36 * g.F;
  const gap = 12;
  const w = (g.W - x0 - gap * (prompt.blocks.length - 1)) / prompt.blocks.length;
  const bar = g.phone ? 22 : 28 * g.F;
  out.push(N(`L${L}`, 0, y + 1, 24, 24, "letter", L, { o: HUES[r], hl: `v${L}`, op }));
  prompt.blocks.forEach(([text, count, mark], j) => {
    const x = x0 + j * (w + gap);
    const same = (j + 1) * scene.shows.size <= scene.shows.alike;
    const keys = `${same ? "same" : `own${L}`} v${L}`;
    const v = { "--cw": `${(w - 6) / scene.shows.size}px` };
    out.push(N(`b${L}${j}`, x, y, w, bar, "tray", "", { hl: keys, op, info: text.trim() }));
    out.push(N(`f${L}${j}`, x + 3, y + 3, ((w - 6) / scene.shows.size) * count, bar - 6, "fields", "", { o: HUES[r], v, hl: keys, op, info: text.trim(), z: 1 }));
    if (!g.phone) out.push(N(`w${L}${j}`, x, y + bar + 3, w, 18, "tx mu cut", text.trim(), { hl: keys, op }));
    if (shows.marks) out.push(N(`m${L}${j}`, x, y + bar + (g.phone ? 4 : 24 * g.F), w, 20, "tx", mark ? `**#${mark}**${g.phone ? "" : j ? ` ← #${prompt.blocks[j - 1][2]}` : ` ${t("from_text")}`}` : t("no_mark"), { hl: mark ? `mark${same ? " same" : ""}` : "", d: j * 120, op }));
  });
  return out;
}
