/* Shelves too many to be elements: drawn on a canvas, in two sizes. The same signs as a large shelf, fewer of them:
   medium keeps letters, a gauge at the left (fill, one band per owner), the foot for the plate, hatching for kept;
   tiny keeps fill (height), shared (pierced), kept (one stroke) and empty (outline). */
import { HUES } from "./dom.js";

export const MEDIUM = { name: "medium", width: 28, height: 22, gapX: 5, gapY: 7, edge: 3 };
export const TINY = { name: "tiny", width: 6, height: 6, gapX: 1, gapY: 1, edge: 2 };
const ACROSS_MOST = 128; // tiny tiles in a row: 8,192 make 64 rows

/** Theme colours as a canvas can use them: light-dark() and Streamlit's variables resolved by the browser. */
export function palette(host) {
  const probe = document.createElement("span");
  host.append(probe);
  const read = (value) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const names = ["ink", "bg", "line", "muted", "kept", "accent", "warn", "hair", ...HUES, ...HUES.map((h) => `${h}-t`)];
  const colours = Object.fromEntries(names.map((name) => [name, read(`var(--${name})`)]));
  colours.font = getComputedStyle(host).fontFamily;
  probe.remove();
  return colours;
}

export function layout(numBlocks, width, size) {
  const most = size === TINY ? ACROSS_MOST : 64;
  const across = Math.max(8, Math.min(most, Math.floor((width - 2 * size.edge) / (size.width + size.gapX))));
  const rows = Math.ceil(numBlocks / across);
  const place = (b) => [
    size.edge + (b % across) * (size.width + size.gapX),
    size.edge + Math.floor(b / across) * (size.height + size.gapY),
  ];
  const at = (x, y) => {
    const column = Math.floor((x - size.edge) / (size.width + size.gapX));
    const row = Math.floor((y - size.edge) / (size.height + size.gapY));
    const b = row * across + column;
    return column >= 0 && column < across && b >= 0 && b < numBlocks ? b : null;
  };
  return {
    size, across, rows, place, at,
    width: 2 * size.edge + across * (size.width + size.gapX) - size.gapX,
    height: 2 * size.edge + rows * (size.height + size.gapY) - size.gapY,
  };
}

/** One tile. `is` = {owners, fill (0..1), hash, now, pinned, refused}; letters and hues come from `requests`. */
export function paint(g, colours, size, b, is, requests, x, y) {
  const m = size === MEDIUM ? 3 : 1;
  const { width: w, height: h } = size;
  g.clearRect(x - m, y - m, w + 2 * m, h + 2 * m);
  if (b === 0) nullTile(g, colours, x, y, w, h);
  else if (is.owners.length) (size === MEDIUM ? mediumUsed : tinyUsed)(g, colours, is, requests, x, y, w, h);
  else if (is.hash >= 0) keptTile(g, colours, size, x, y, w, h);
  else frame(g, colours.line, x, y, w, h, size === MEDIUM ? 0 : 1);
  if (is.now) ring(g, colours.accent, x, y, w, h, size === MEDIUM ? 2 : 1);
  if (is.pinned) ring(g, colours.ink, x, y, w, h, size === MEDIUM ? 3 : 1.5);
}

function frame(g, colour, x, y, w, h, inset = 0) {
  g.strokeStyle = colour;
  g.lineWidth = 1;
  g.strokeRect(x + 0.5 + inset, y + 0.5 + inset, w - 1 - 2 * inset, h - 1 - 2 * inset);
}
function ring(g, colour, x, y, w, h, width) {
  g.strokeStyle = colour;
  g.lineWidth = width;
  const out = width / 2;
  g.strokeRect(x - out, y - out, w + width, h + width);
}
function nullTile(g, colours, x, y, w, h) {
  frame(g, colours.hair, x, y, w, h);
  g.beginPath();
  g.moveTo(x, y + h);
  g.lineTo(x + w, y);
  g.stroke();
}
function keptTile(g, colours, size, x, y, w, h) {
  g.strokeStyle = colours.kept;
  g.lineWidth = 1.2;
  g.beginPath();
  if (size === TINY) {
    g.moveTo(x + 0.5, y + h - 0.5);
    g.lineTo(x + w - 0.5, y + 0.5);
    g.stroke();
    return;
  }
  g.save();
  g.rect(x, y, w, h);
  g.clip();
  g.beginPath();
  for (let k = -h; k < w; k += 5) {
    g.moveTo(x + k, y + h);
    g.lineTo(x + k + h, y);
  }
  g.stroke();
  g.restore();
  g.setLineDash([3, 2]);
  frame(g, colours.kept, x, y, w, h);
  g.setLineDash([]);
  g.fillStyle = colours.ink;
  g.fillRect(x, y + h - 3, w, 3);
}
const hueOf = (colours, requests, r) => colours[HUES[requests[r].hue]] ?? colours.muted;

function mediumUsed(g, colours, is, requests, x, y, w, h) {
  const owners = is.owners;
  const shared = owners.length > 1;
  g.fillStyle = shared ? colours.bg : (colours[`${HUES[requests[owners[0]].hue]}-t`] ?? colours.bg);
  g.fillRect(x, y, w, h);
  const tall = (h - 5) * is.fill;
  const top = y + 1 + (h - 5 - tall);
  const banded = owners.slice(0, 4);
  banded.forEach((r, k) => {
    g.fillStyle = hueOf(colours, requests, r);
    g.fillRect(x + 2, top + (tall * k) / banded.length, 6, tall / banded.length);
  });
  frame(g, shared ? colours.ink : hueOf(colours, requests, owners[0]), x, y, w, h);
  if (shared) frame(g, colours.ink, x - 2, y - 2, w + 4, h + 4);
  if (is.hash >= 0) {
    g.fillStyle = colours.ink;
    g.fillRect(x, y + h - 3, w, 3);
  }
  const letters = owners.map((r) => requests[r].letter);
  const text = owners.length <= 2 && letters.join("").length < 3 ? letters.join("") : owners.length === 1 ? letters[0] : `${letters[0]}+${owners.length - 1}`;
  g.fillStyle = colours.ink;
  g.font = `700 ${text.length > 3 ? 9 : text.length > 2 ? 11 : 12}px ${colours.font}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, x + 8 + (w - 8) / 2, y + (h - 3) / 2 + 0.5);
}

function tinyUsed(g, colours, is, requests, x, y, w, h) {
  const tall = Math.max(1.5, h * is.fill);
  g.fillStyle = hueOf(colours, requests, is.owners[0]);
  g.fillRect(x, y + h - tall, w, tall);
  if (is.fill < 1) frame(g, g.fillStyle, x, y, w, h);
  if (is.owners.length > 1) {
    g.fillStyle = colours.bg;
    g.fillRect(x + w / 2 - 1.5, y + h / 2 - 1.5, 3, 3);
  }
}
