/* CSS values as a browser computes them, in the form that any SVG reader knows: colours as #rrggbb with an opacity
   beside it, lengths in px. Leaves out: colour spaces other than sRGB, which the stage does not use. */

const NONE = { hex: "none", alpha: 0 };

/** `{hex, alpha}` of a computed colour: rgb(), rgba() or color(srgb ...), which is what color-mix() comes to. */
export function colour(text) {
  if (!text || text === "none" || text === "transparent") return NONE;
  const numbers = (text.match(/-?[\d.]+(e-?\d+)?%?/g) ?? []).map((part) => (part.endsWith("%") ? parseFloat(part) / 100 : Number(part)));
  if (numbers.length < 3) return NONE;
  const whole = text.startsWith("color(") ? 255 : 1;
  const hex = numbers.slice(0, 3).map((value) => Math.round(Math.max(0, Math.min(255, value * whole))).toString(16).padStart(2, "0"));
  return { hex: `#${hex.join("")}`, alpha: numbers[3] ?? 1 };
}

/** The attributes that paint with a colour: `fill` or `stroke`, and its opacity where it is not whole. */
export function painted(name, text) {
  const { hex, alpha } = typeof text === "string" ? colour(text) : text;
  if (alpha === 0) return `${name}="none"`;
  return `${name}="${hex}"${alpha < 1 ? ` ${name}-opacity="${round(alpha)}"` : ""}`;
}

export const seen = (text) => colour(text).alpha > 0;

/** px, percent of `whole`, or a calc() of both. */
export function length(text, whole) {
  let sum = 0;
  for (const [, sign, value, unit] of text.matchAll(/([+-]?)\s*([\d.]+)(px|%)?/g)) {
    const size = unit === "%" ? (Number(value) / 100) * whole : Number(value);
    sum += sign === "-" ? -size : size;
  }
  return sum;
}

/** A list as CSS writes it, cut at the commas (or blanks) that stand outside of brackets. */
export function cut(text, at = ",") {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    if (sign === "(") depth++;
    if (sign === ")") depth--;
    if (sign === at && depth === 0) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

export const round = (value) => String(Math.round(value * 100) / 100);

/** Anybody's text inside XML: marks escaped, and the characters left out that XML cannot hold. */
export const xml = (text) =>
  String(text)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
