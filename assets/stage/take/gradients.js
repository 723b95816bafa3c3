/* Backgrounds made of gradients, as plain shapes. The stage uses gradients for hatches, dots and bands only, all with
   hard edges, so each becomes polygons or circles: an SVG pattern or a repeating gradient is not read everywhere.
   Leaves out: soft transitions, of which the middle colour is taken. */
import { colour, cut, length, painted, round } from "./colours.js";

const MOST_TILES = 20000;

/** The layers of a computed background over a box {x, y, w, h} (its padding box), the lowest first, as SVG. */
export function layers(style, box) {
  const images = cut(style.backgroundImage);
  const sizes = cut(style.backgroundSize);
  const places = cut(style.backgroundPosition);
  const repeats = cut(style.backgroundRepeat);
  const pick = (list, k) => list[k % list.length];
  return images
    .map((image, k) => (image.includes("gradient(") ? layer(image, pick(sizes, k), pick(places, k), pick(repeats, k), box) : ""))
    .reverse()
    .join("");
}

function layer(image, size, place, repeat, box) {
  const [sw, sh = "auto"] = cut(size, " ");
  const w = sw === "auto" ? box.w : length(sw, box.w);
  const h = sh === "auto" ? box.h : length(sh, box.h);
  if (!(w > 0.2 && h > 0.2)) return "";
  const [px, py = "0px"] = cut(place, " ");
  const at = (text, free) => (text.includes("%") ? length(text, free) : length(text, 0));
  const [x0, y0] = [at(px, box.w - w), at(py, box.h - h)];
  const paths = new Map(); // colour -> path data
  const add = (text, d) => paths.set(text, (paths.get(text) ?? "") + d);
  const draw = image.startsWith("radial") ? circles : bands;
  const once = repeat === "no-repeat";
  const first = (start, tile) => (once ? start : start - Math.ceil(start / tile) * tile);
  let tiles = 0;
  for (let y = first(y0, h); y < box.h - 0.05; y += h) {
    for (let x = first(x0, w); x < box.w - 0.05; x += w) {
      if (tiles++ > MOST_TILES) break;
      draw(image, { x: box.x + x, y: box.y + y, w, h }, box, add);
      if (once) break;
    }
    if (once) break;
  }
  return [...paths].map(([text, d]) => `<path d="${d}" ${painted("fill", text)}/>`).join("");
}

/** linear-gradient and repeating-linear-gradient: stripes across the direction, cut to the tile and the box. */
function bands(image, tile, box, add) {
  const inside = cut(image.slice(image.indexOf("(") + 1, image.lastIndexOf(")")));
  const way = /^(to |-?[\d.]+(deg|turn|rad))/.test(inside[0]) ? inside.shift() : "180deg";
  const [dx, dy] = direction(way, tile);
  const along = Math.abs(tile.w * dx) + Math.abs(tile.h * dy);
  const from = [tile.x + tile.w / 2 - (dx * along) / 2, tile.y + tile.h / 2 - (dy * along) / 2];
  const stops = stopsOf(inside, along);
  const spans = [];
  const span = (text, a, b) => b - a > 0.01 && colour(text).alpha > 0 && spans.push([text, a, b]);
  for (let k = 1; k < stops.length; k++) {
    const [a, b] = [stops[k - 1], stops[k]];
    span(a.text, a.at, a.text === b.text ? b.at : (a.at + b.at) / 2);
    if (a.text !== b.text) span(b.text, (a.at + b.at) / 2, b.at);
  }
  if (image.startsWith("repeating")) {
    const period = stops.at(-1).at - stops[0].at;
    const pattern = spans.splice(0);
    if (period < 0.5) return;
    for (let k = Math.floor(-stops.at(-1).at / period); stops[0].at + k * period < along; k++) {
      for (const [text, a, b] of pattern) spans.push([text, a + k * period, b + k * period]);
    }
  } else {
    span(stops[0].text, -1, stops[0].at);
    span(stops.at(-1).text, stops.at(-1).at, along + 1);
  }
  const whole = rectangle(tile, box);
  const distance = ([x, y]) => (x - from[0]) * dx + (y - from[1]) * dy;
  for (const [text, a, b] of spans) {
    const polygon = half(half(whole, (p) => distance(p) - a), (p) => b - distance(p));
    if (polygon.length > 2) add(text, `M${polygon.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`);
  }
}

function direction(way, { w, h }) {
  if (!way.startsWith("to ")) {
    const turn = parseFloat(way) * (way.endsWith("turn") ? 2 * Math.PI : way.endsWith("rad") ? 1 : Math.PI / 180);
    return [Math.sin(turn), -Math.cos(turn)];
  }
  const x = way.includes("right") ? 1 : way.includes("left") ? -1 : 0;
  const y = way.includes("bottom") ? 1 : way.includes("top") ? -1 : 0;
  if (!x || !y) return [x, y];
  const size = Math.hypot(w, h); // to a corner: the middle line goes through the two others
  return [(x * h) / size, (y * w) / size];
}

/** Colours with their places along the line, in px; those without one stand evenly between their neighbours. */
function stopsOf(parts, along) {
  const stops = [];
  for (const part of parts) {
    const [text, ...places] = cut(part, " ");
    if (!places.length) stops.push({ text, at: null });
    for (const place of places) stops.push({ text, at: length(place, along) });
  }
  stops[0].at ??= 0;
  stops.at(-1).at ??= along;
  stops.forEach((stop, k) => {
    if (stop.at !== null) {
      stop.at = Math.max(stop.at, stops[k - 1]?.at ?? -Infinity);
      return;
    }
    const next = stops.findIndex((other, j) => j > k && other.at !== null);
    stop.at = stops[k - 1].at + (stops[next].at - stops[k - 1].at) / (next - k + 1);
  });
  return stops;
}

function rectangle(tile, box) {
  const [l, t] = [Math.max(tile.x, box.x), Math.max(tile.y, box.y)];
  const [r, b] = [Math.min(tile.x + tile.w, box.x + box.w), Math.min(tile.y + tile.h, box.y + box.h)];
  return r > l && b > t ? [[l, t], [r, t], [r, b], [l, b]] : [];
}

/** The part of a polygon where `side` is not negative. */
function half(polygon, side) {
  const out = [];
  polygon.forEach((point, k) => {
    const next = polygon[(k + 1) % polygon.length];
    const [a, b] = [side(point), side(next)];
    if (a >= 0) out.push(point);
    if (a >= 0 !== b >= 0) out.push([point[0] + ((next[0] - point[0]) * a) / (a - b), point[1] + ((next[1] - point[1]) * a) / (a - b)]);
  });
  return out;
}

/** radial-gradient(circle at x y, ...): the dot in the middle of each tile, where it lies in the box. */
function circles(image, tile, box, add) {
  const inside = cut(image.slice(image.indexOf("(") + 1, image.lastIndexOf(")")));
  const [, cx, cy] = /at ([\d.]+)px ([\d.]+)px/.exec(inside[0]) ?? [null, tile.w / 2, tile.h / 2];
  const [x, y] = [tile.x + Number(cx), tile.y + Number(cy)];
  const stops = stopsOf(inside.slice(1), Math.max(tile.w, tile.h) / 2);
  const r = (stops[0].at + (stops[1]?.at ?? stops[0].at)) / 2;
  if (x < box.x - r / 2 || y < box.y - r / 2 || x > box.x + box.w + r / 2 || y > box.y + box.h + r / 2) return;
  add(stops[0].text, `M${round(x - r)} ${round(y)}a${round(r)} ${round(r)} 0 1 0 ${round(2 * r)} 0a${round(r)} ${round(r)} 0 1 0 ${round(-2 * r)} 0Z`);
}
