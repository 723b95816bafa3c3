/* Scenes 3 and 4: visitors, the room with its shelves, one slip, and the queue of free shelves. */
import { HUES } from "./dom.js";
import { N } from "./story_nodes.js";
import { Shelf } from "./shelf.js";

/** The shelves of a room as keyed boxes. `at` gives the place of shelf i, `more` what is special about a shelf. */
export function shelfNodes({ scene, shows, t, tl, words }, at, label, keysOf = () => "") {
  const now = new Set(shows.now ?? []);
  return shows.shelves.map(([owners, fill, hash], i) => {
    const b = i + 1;
    const letters = owners.map((r) => tl.requests[r].letter);
    const is = { owners, fill, hash, thrown: -1, now: now.has(b), pinned: false };
    const keys = [`s${b}`, "shelf", ...letters.map((L) => `v${L}`), ...(owners.length ? [] : hash >= 0 ? ["kept"] : []), keysOf(b, owners)];
    return N(`s${b}`, ...at(i), shows.tails && owners.length && fill < scene.shows.size ? "store wasted" : "store", undefined, {
      hl: keys.join(" "),
      info: words.shelfIs(b, letters, fill, scene.shows.size, hash >= 0 ? 0 : hash).replace(/\b0$/, () => (hash >= 0 ? scene.shows.marks[hash] : "0")),
      make: () => staggered(new Shelf(b, scene.shows.size)),
      set: (shelf) => shelf.set(is, tl.requests, t("kept"), label),
    });
  });
}

function staggered(shelf) {
  shelf.el.removeAttribute("data-b"); // nothing is pinned in the story
  [...shelf.boxes.children].forEach((box, j) => box.style.setProperty("--j", j));
  return shelf;
}

/** Free shelves in order, as many as there is room for. */
export function queueNodes({ shows, g, t }, y, x0) {
  const w = g.phone ? 26 : 33 * g.F;
  const most = Math.floor((g.W - x0) / (w + 5));
  const { queue, shelves } = shows;
  const cut = queue.length > most;
  const shown = cut ? [...queue.slice(0, most - 3), ...queue.slice(-2)] : queue;
  const out = [N("ql", 0, y + (g.phone ? 4 : 7 * g.F), x0, 20, "tx mu", t(g.phone ? "queue_short" : "queue"), { hl: "queue" })];
  shown.forEach((b, k) => {
    const place = cut && k >= most - 3 ? k + 1 : k;
    const kept = shelves[b - 1][2] >= 0;
    out.push(N(`q${b}`, x0 + place * (w + 5), y, w, g.phone ? 28 : 32 * g.F, `qq${k ? "" : " first"}${kept ? " kept" : ""}`, String(b), { hl: `queue s${b}${kept ? " kept" : ""}`, info: `${b}: ${t("queued")}` }));
  });
  if (cut) out.push(N("qdots", x0 + (most - 3) * (w + 5), y + 4, w, 20, "tx mu c", "…", { hl: "queue" }));
  return out;
}

/** Who is inside, at the top of the picture. */
export function visitorNodes({ scene, shows, g, t }, width) {
  const inside = scene.shows.visitors.filter((L) => shows.lists[L]);
  return inside.map((L, i) =>
    N(`v${L}`, i * (width + 10), 0, width, g.phone ? 26 : 30 * g.F, "who", g.phone ? `${L} · ${shows.boxes[L]}` : `**${L}** · ${shows.boxes[L]} ${t(`who${L}`)}`, {
      o: HUES[scene.shows.visitors.indexOf(L)],
      hl: `v${L}`,
      from: { x: i * (width + 10), y: -40 },
      info: `${L}: ${shows.boxes[L]} ${t(`who${L}`)}, ${shows.lists[L].join(", ")}`,
    }),
  );
}

export function room(context) {
  const { shows, g, t } = context;
  if (shows.compare) return compare(context);
  const cols = 6;
  const rows = shows.shelves.length / cols;
  const [door, slip, queue] = g.phone ? [34, 44, 32] : [42 * g.F, 50 * g.F, 38 * g.F];
  const [gx, gy] = g.phone ? [6, 7] : [10 * g.F, 9 * g.F];
  const w = (g.W - gx * (cols - 1)) / cols;
  const h = Math.min(g.phone ? 72 : 92 * g.F, (g.H - door - slip - queue - 6) / rows - gy);
  const place = (i) => [(i % cols) * (w + gx), door + Math.floor(i / cols) * (h + gy), w, h];
  const out = visitorNodes(context, g.phone ? 80 : 132 * g.F);
  if (shows.cut) out.push(N("corner", 0, 4, g.W, 20, "tx mu", t("corner"), { hl: "shelf" }));
  if (shows.page) out.push(N("page", 0, 0, g.phone ? g.W : 400 * g.F, g.phone ? 26 : 30 * g.F, "idle", t("page"), { hl: "page" }));
  // six shelves across a phone leave no room for digits: the plate stands without them
  const label = (hash) => (g.phone ? "" : (context.scene.shows.marks[hash] ?? `#${hash}`));
  const shelves = shelfNodes(context, place, label, () => (shows.page ? "page" : ""));
  if (shows.cut) shelves.forEach((node, i) => (node.from = { x: (i % cols) * (g.W / cols), w: g.W / cols - 2 }));
  if (shows.tails) for (const node of shelves) if (node.c.includes("wasted")) node.hl += " tail";
  out.push(...shelves);
  const below = door + rows * (h + gy);
  if (shows.list) out.push(...slipNodes(context, below + 4, place));
  out.push(...queueNodes(context, Math.min(below + slip, g.H - queue), g.phone ? 46 : 126 * g.F));
  return out;
}

function slipNodes({ shows, g, t }, y, place) {
  const L = shows.list;
  const x0 = g.phone ? 56 : 92 * g.F;
  const w = g.phone ? 52 : 74 * g.F;
  const out = [N(`p${L}`, 0, y + (g.phone ? 4 : 8 * g.F), x0, 22, "tx bold", t(`list${L}`), { hl: "slip" })];
  shows.lists[L].forEach((b, j) => {
    const [x, from] = place(b - 1);
    out.push(N(`p${L}${j}`, x0 + j * (w + 7), y, w, g.phone ? 28 : 36 * g.F, "cell", `${j} → **${b}**`, { hl: `slip s${b} v${L}`, d: 120 + j * 90, from: { x, y: from } }));
  });
  return out;
}

function compare({ shows, g, t }) {
  const { stored, longest, places, blocks } = shows.compare;
  const out = [];
  const h = g.phone ? 34 : 46 * g.F;
  const y1 = g.phone ? 34 : g.H * 0.14;
  const y2 = g.phone ? 170 : g.H * 0.54;
  const [part, used] = [stored / longest, places / longest];
  out.push(N("ca", 0, y1 - 26 * g.F, g.W, 22, "tx", t("aisle"), { hl: "aisle" }));
  out.push(N("cb", 0, y1, g.W, h, "lane", "", { hl: "aisle" }));
  out.push(N("cc", 2, y1 + 2, g.W * part - 2, h - 4, "fillb", "", { o: "a", hl: "vA" }));
  out.push(N("cd", g.W * part, y1 + 2, g.W * (1 - part) - 2, h - 4, "held", "", { hl: "aisle", info: t("aisle_empty") }));
  out.push(N("ce", 0, y1 + h + 6, g.W, 36, "tx big", t("aisle_empty"), { hl: "aisle" }));
  out.push(N("cf", 0, y2 - 26 * g.F, g.W, 22, "tx", t("shelves"), { hl: "tail" }));
  const w = (g.W * used) / blocks;
  const last = (stored % (places / blocks)) / (places / blocks);
  const v = { "--cw": `${w}px` };
  out.push(N("cg", 0, y2, w * (blocks - 1), h, "fields", "", { o: "a", v, hl: "vA tail", from: { y: y2 - 40 } }));
  out.push(N("ch", w * (blocks - 1), y2, w, h, "held edge", "", { hl: "tail", info: t("shelves_empty"), from: { y: y2 - 40 } }));
  out.push(N("ci", w * (blocks - 1), y2, w * last, h, "fillb", "", { o: "a", hl: "vA", from: { y: y2 - 40 } }));
  out.push(N("ck", g.W * used + 8, y2, g.W * (1 - used) - 8, h, "ghost", t("others"), { hl: "free" }));
  out.push(N("cl", 0, y2 + h + 6, g.W, 36, "tx big", t("shelves_empty"), { hl: "tail" }));
  return out;
}
