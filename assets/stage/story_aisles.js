/* Scene 2: a lane per visitor, as long as the longest visit; one lane also place by place. */
import { N } from "./story_nodes.js";

const PER_ROW = 64; // places

export function aisles({ scene, shows, g, t }) {
  const out = [];
  const { held, longest, empty } = scene.shows;
  const x0 = g.phone ? 0 : 34 * g.F;
  const W = g.W - x0;
  const lane = g.phone ? 30 : Math.min(54 * g.F, (g.H - 132 * g.F) / held.length - 34 * g.F);
  const gap = g.phone ? 30 : 34 * g.F;
  const y0 = g.phone ? 26 : 32 * g.F;
  out.push(N("t", x0, 0, W, 22, "tx mu", t(shows.aisles > 1 ? "room" : "one"), { hl: "aisle" }));
  held.slice(0, shows.aisles).forEach(([letter, stored, reserved], i) => {
    const y = y0 + i * (lane + gap);
    const part = shows.used ? stored / reserved : 0;
    const d = i * 110;
    if (!g.phone) out.push(N(`q${i}`, 0, y + lane / 2 - 12, 24, 24, "letter", letter, { o: "abcde"[i], hl: `v${letter}` }));
    out.push(N(`l${i}`, x0, y, W, lane, "lane", "", { hl: "aisle size", d, info: t("one") }));
    out.push(N(`h${i}`, x0 + W * part + 1, y + 2, W * (1 - part) - 3, lane - 4, "held", "", { hl: "aisle rest", d, info: t(`held${letter}`).replaceAll("**", "") }));
    if (shows.used) out.push(N(`f${i}`, x0 + 2, y + 2, W * part - 2, lane - 4, "fillb", "", { o: "abcde"[i], hl: `v${letter}`, d, info: t(`held${letter}`).replaceAll("**", ""), from: { x: x0 + 2, y: y + 2, w: 0 } }));
    if (shows.used) out.push(N(`c${i}`, x0, y + lane + 4, W, 20, "tx", t(g.phone ? `short${letter}` : `held${letter}`), { d, hl: `v${letter}` }));
  });
  if (shows.aisles === 1) placeByPlace(out, { scene, shows, g, t }, { x0, W, y: y0 + lane, longest, held });
  const below = y0 + held.length * (lane + gap) + (g.phone ? 0 : 8 * g.F);
  if (shows.waits) {
    out.push(N("e", x0, below, (g.phone ? 200 : 250 * g.F), 36 * g.F, "who", t("waits"), { o: "e", hl: "vE", from: { x: x0 + 60, y: below + 40 } }));
    if (shows.compute) out.push(N("cp", g.phone ? x0 : x0 + 270 * g.F, g.phone ? below + 40 : below, g.phone ? W : W - 270 * g.F, 36 * g.F, "idle", t("compute"), { hl: "compute" }));
  }
  if (shows.meter) {
    const y = below + (g.phone ? 16 : 18 * g.F);
    const h = 24 * g.F;
    out.push(N("m0", x0, y, W, h, "lane", "", { hl: "meter" }));
    out.push(N("m1", x0 + 2, y + 2, W * (1 - empty) - 2, h - 4, "fillb", "", { o: "g", hl: "meter" }));
    out.push(N("m2", x0 + W * (1 - empty), y + 2, W * empty - 2, h - 4, "held", "", { hl: "meter" }));
    out.push(N("m3", x0, y + h + 4, W, 20, "tx bold", t("this"), { hl: "meter" }));
    out.push(N("m4", x0 + W * 0.2, y - 10, W * 0.2, 9, "brk", "", { hl: "band", from: { x: x0 + W * 0.3, y: y - 10, w: 0 } }));
    out.push(N("m5", x0 + W * 0.42, y - 19 * g.F, W * 0.56, 20, "tx mu", t("band"), { hl: "band" }));
  }
  return out;
}

function placeByPlace(out, { scene, shows, g, t }, { x0, W, y, longest, held }) {
  const rows = longest / PER_ROW;
  const top = y + (g.phone ? 62 : 88 * g.F);
  const h = Math.min(g.H - top - 28 * g.F, g.phone ? 220 : W * 0.55);
  const [cw, ch] = [W / PER_ROW, h / rows];
  const v = { "--cw": `${cw}px`, "--ch": `${ch}px` };
  const stored = held[0][1];
  const full = Math.floor(stored / PER_ROW);
  out.push(N("gb", x0, y + (g.phone ? 26 : 36 * g.F), W, 38, "tx big", t("big"), { hl: shows.used ? "vA" : "size aisle" }));
  out.push(N("g0", x0, top, W, h, "cells", "", { v, hl: "aisle rest size", info: t("one") }));
  if (shows.used) {
    out.push(N("g1", x0, top, W, full * ch, "cells on", "", { v, o: "a", hl: "vA", z: 2, from: { x: x0, y: top, h: 0 } }));
    out.push(N("g2", x0, top + full * ch, (stored % PER_ROW) * cw, ch, "cells on", "", { v, o: "a", hl: "vA", z: 2, d: 300, from: { x: x0, y: top + full * ch, w: 0 } }));
  }
  out.push(N("g3", x0, top + h + 4, W, 20, "tx mu", t("place"), { hl: "aisle" }));
}
