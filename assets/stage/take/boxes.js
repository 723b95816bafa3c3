/* One box as CSS paints it, in SVG: shadows that are rings, background, border, outline. Leaves out: blurred shadows and
   border images, which the stage does not use. */
import { colour, cut, length, painted, round, seen } from "./colours.js";
import { layers } from "./gradients.js";

const SIDES = ["Top", "Right", "Bottom", "Left"];
const CORNERS = ["TopLeft", "TopRight", "BottomRight", "BottomLeft"];

/** Everything of a box {x, y, w, h} but its content. `style` is a computed style. */
export function box(style, at) {
  if (at.w <= 0 && at.h <= 0) return "";
  const radii = CORNERS.map((corner) => radius(style[`border${corner}Radius`], at));
  const widths = SIDES.map((side) => (["none", "hidden"].includes(style[`border${side}Style`]) ? 0 : parseFloat(style[`border${side}Width`])));
  const inner = { x: at.x + widths[3], y: at.y + widths[0], w: at.w - widths[1] - widths[3], h: at.h - widths[0] - widths[2] };
  let out = shadows(style, at, radii, false);
  if (seen(style.backgroundColor)) out += shape(at, radii, painted("fill", style.backgroundColor));
  if (style.backgroundImage !== "none") out += layers(style, inner);
  return out + shadows(style, inner, radii, true) + border(style, at, radii, widths) + outline(style, at, radii);
}

function radius(text, { w, h }) {
  const value = text.includes("%") ? length(text.split(" ")[0], Math.min(w, h)) : parseFloat(text);
  return Math.min(value, w / 2, h / 2);
}

const grown = ({ x, y, w, h }, by) => ({ x: x - by, y: y - by, w: w + 2 * by, h: h + 2 * by });
const wider = (radii, by) => radii.map((r) => (r > 0 ? Math.max(0, r + by) : 0));

/** A rectangle, with its corners rounded as they are. */
export function shape(at, radii, paint) {
  const { x, y, w, h } = at;
  if (w <= 0 || h <= 0) return "";
  if (radii.every((r) => r === radii[0])) {
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}"${radii[0] > 0 ? ` rx="${round(radii[0])}"` : ""} ${paint}/>`;
  }
  return `<path d="${edge(at, radii)}" ${paint}/>`;
}

function edge({ x, y, w, h }, [a, b, c, d]) {
  const arc = (r, dx, dy) => (r > 0 ? `a${round(r)} ${round(r)} 0 0 1 ${round(dx)} ${round(dy)}` : "");
  return `M${round(x + a)} ${round(y)}H${round(x + w - b)}${arc(b, b, b)}V${round(y + h - c)}${arc(c, -c, c)}H${round(x + d)}${arc(d, -d, -d)}V${round(y + a)}${arc(a, a, -a)}Z`;
}

/** A frame of one width drawn along the middle of its line. */
function ring(at, radii, width, paint, dash = "") {
  return shape(grown(at, -width / 2), wider(radii, -width / 2), `fill="none" ${paint} stroke-width="${round(width)}"${dash}`);
}

const dashes = (kind, width) => (kind === "dashed" ? ` stroke-dasharray="${round(Math.max(3, 2 * width))} ${round(Math.max(2, 1.4 * width))}"` : kind === "dotted" ? ` stroke-dasharray="0 ${round(2 * width)}" stroke-linecap="round"` : "");

function border(style, at, radii, widths) {
  if (widths.every((width) => width === 0)) return "";
  const kinds = SIDES.map((side) => style[`border${side}Style`]);
  const inks = SIDES.map((side) => style[`border${side}Color`]);
  const same = (list) => list.every((one) => one === list[0]);
  if (same(widths) && same(kinds) && same(inks)) {
    if (!seen(inks[0])) return "";
    const paint = painted("stroke", inks[0]);
    if (kinds[0] !== "double") return ring(at, radii, widths[0], paint, dashes(kinds[0], widths[0]));
    const line = widths[0] / 3;
    return ring(at, radii, line, paint) + ring(grown(at, -2 * line), wider(radii, -2 * line), line, paint);
  }
  return SIDES.map((_, k) => (widths[k] > 0 && seen(inks[k]) ? side(at, widths, k, kinds[k], inks[k]) : "")).join("");
}

/** One side of a frame: a trapezoid, so that the corners fit (and a box without size is a triangle); dashes as a line. */
function side({ x, y, w, h }, [t, r, b, l], k, kind, ink) {
  const [x2, y2] = [x + w, y + h];
  if (kind !== "solid" && kind !== "double") {
    const middle = [[x, y + t / 2, x2, y + t / 2], [x2 - r / 2, y, x2 - r / 2, y2], [x, y2 - b / 2, x2, y2 - b / 2], [x + l / 2, y, x + l / 2, y2]][k];
    const width = [t, r, b, l][k];
    return `<path d="M${middle.slice(0, 2).map(round).join(" ")}L${middle.slice(2).map(round).join(" ")}" fill="none" ${painted("stroke", ink)} stroke-width="${round(width)}"${dashes(kind, width)}/>`;
  }
  const corners = [
    [[x, y], [x2, y], [x2 - r, y + t], [x + l, y + t]],
    [[x2, y], [x2, y2], [x2 - r, y2 - b], [x2 - r, y + t]],
    [[x2, y2], [x, y2], [x + l, y2 - b], [x2 - r, y2 - b]],
    [[x, y2], [x, y], [x + l, y + t], [x + l, y2 - b]],
  ][k];
  return `<path d="M${corners.map((point) => point.map(round).join(" ")).join("L")}Z" ${painted("fill", ink)}/>`;
}

function outline(style, at, radii) {
  const width = parseFloat(style.outlineWidth);
  if (["none", "auto"].includes(style.outlineStyle) || !(width > 0) || !seen(style.outlineColor)) return "";
  const by = width + parseFloat(style.outlineOffset || "0");
  return ring(grown(at, by), wider(radii, by), width, painted("stroke", style.outlineColor), dashes(style.outlineStyle, width));
}

/** Shadows without blur: what of a larger (or moved) box can be seen beside this one; inside of it a frame. The first is
    on top. */
function shadows(style, at, radii, inset) {
  if (style.boxShadow === "none") return "";
  return cut(style.boxShadow)
    .filter((text) => text.includes("inset") === inset)
    .map((text) => {
      const ink = /(rgba?|color)\([^)]*\)/.exec(text)?.[0] ?? "";
      const [dx, dy, blur, spread] = text.replace(ink, "").replace("inset", "").trim().split(/\s+/).map(parseFloat);
      if (colour(ink).alpha === 0 || blur > 0) return "";
      if (inset && spread > 0) return ring(at, wider(radii, -1), spread, painted("stroke", ink));
      if (inset) return shape({ ...at, w: dx > 0 ? dx : at.w }, [0, 0, 0, 0], painted("fill", ink)); // a rule along the left
      const own = { ...grown(at, spread), x: at.x - spread + dx, y: at.y - spread + dy };
      if (dx || dy) return beside(own, at, painted("fill", ink));
      return spread > 0 ? `<path fill-rule="evenodd" d="${edge(own, wider(radii, spread))}${edge(at, radii)}" ${painted("fill", ink)}/>` : "";
    })
    .reverse()
    .join("");
}

/** The parts of one box that stick out of another to the left and right: the stage moves no shadow up or down. */
function beside(own, at, paint) {
  const strips = [
    { ...own, w: Math.min(own.w, at.x - own.x) },
    { ...own, x: Math.max(own.x, at.x + at.w), w: Math.min(own.w, own.x + own.w - at.x - at.w) },
  ];
  return strips.map((strip) => shape(strip, [0, 0, 0, 0], paint)).join("");
}
