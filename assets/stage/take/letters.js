/* Text as it stands on the screen: one <text> for each line, at the baseline the browser used, as wide as it is drawn
   (`textLength`), so that it still fits where another font has to stand in. Fonts are named by plain families.
   Leaves out: right-to-left marks of direction; the letters themselves carry theirs. */
import { painted, round, xml } from "./colours.js";

const SANS = "'Source Sans 3', 'Source Sans Pro', 'Source Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif";
const MONO = "'Source Code Pro', 'IBM Plex Mono', Consolas, Menlo, 'Liberation Mono', monospace";
let pen = null; // made when letters are measured: a browser that has none still shows the stage
const board = () => (pen ??= document.createElement("canvas").getContext("2d"));
const heights = new Map(); // font -> [ascent, descent] in px

export const families = (style) => (/mono|code/i.test(style.fontFamily.split(",")[0]) ? MONO : SANS);

/** How far the font reaches above and below its baseline. */
function height(style) {
  const font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  if (!heights.has(font)) {
    board().font = font;
    const measure = board().measureText("x");
    heights.set(font, [Math.round(measure.fontBoundingBoxAscent), Math.round(measure.fontBoundingBoxDescent)]);
  }
  return heights.get(font);
}

/** All lines of a text node, as SVG; `origin` is the picture's corner on the screen. */
export function lines(node, style, origin) {
  const text = node.nodeValue;
  if (!text.trim()) return "";
  const range = document.createRange();
  const rects = (from, to) => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter((rect) => rect.width > 0);
  };
  const found = []; // [from, to] of each line
  let end = null; // where the line last found ends on the screen
  const take = (from, to) => {
    const parts = rects(from, to);
    if (parts.length > 1 && to - from > 1) {
      for (const sign of text.slice(from, to)) take(from, (from += sign.length));
      return;
    }
    const [rect] = parts;
    if (!rect) return;
    const goesOn = end && Math.abs(end.top - rect.top) < 3 && rect.left >= end.right - 1;
    if (goesOn) found.at(-1)[1] = to;
    else found.push([from, to]);
    end = rect;
  };
  const whole = rects(0, text.length);
  if (whole.length === 1) found.push([0, text.length]);
  else if (whole.length) for (const { 0: word, index } of text.matchAll(/\s*\S+/g)) take(index, index + word.length);
  return found
    .map(([from, to]) => {
      const said = text.slice(from, to);
      const start = from + said.length - said.trimStart().length;
      const parts = rects(start, Math.max(start, to - (said.length - said.trimEnd().length)));
      if (!parts.length) return "";
      const [left, right] = [Math.min(...parts.map((rect) => rect.left)), Math.max(...parts.map((rect) => rect.right))];
      const kept = style.whiteSpace.startsWith("pre") ? said : said.replace(/\s+/g, " ");
      return letters(kept.trim(), { x: left - origin.x, y: parts[0].top - origin.y, w: right - left, h: parts[0].height }, style);
    })
    .join("");
}

/** One line in its box: as wide as the box and at its baseline. */
export function letters(text, { x, y, w, h }, style) {
  if (!text) return "";
  const [ascent, descent] = height(style);
  const base = y + (h - ascent - descent) / 2 + ascent;
  const size = parseFloat(style.fontSize);
  const fit = w > 0 ? ` textLength="${round(w)}" lengthAdjust="spacingAndGlyphs"` : "";
  const weight = style.fontWeight === "400" ? "" : ` font-weight="${style.fontWeight}"`;
  const slant = style.fontStyle === "normal" ? "" : ` font-style="${style.fontStyle}"`;
  return `<text x="${round(x)}" y="${round(base)}" font-family="${families(style)}" font-size="${round(size)}"${weight}${slant} ${painted("fill", style.color)}${fit}>${xml(text)}</text>${rules(style, x, w, base, size)}`;
}

/** A line under or through the text. */
function rules(style, x, w, base, size) {
  const kind = style.textDecorationLine;
  if (kind === "none") return "";
  const y = kind.includes("line-through") ? base - size * 0.28 : base + size * 0.14;
  const width = parseFloat(style.textDecorationThickness) || Math.max(1, size / 16);
  return `<path d="M${round(x)} ${round(y)}h${round(w)}" fill="none" ${painted("stroke", style.textDecorationColor)} stroke-width="${round(width)}"/>`;
}
