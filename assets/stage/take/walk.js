/* The stage's own elements, one after the other, as SVG: boxes, text, drawings that are SVG already, canvases as images.
   It reads what the browser has laid out and computed, and decides nothing. Leaves out: controls that only mean
   something to a hand (they are hidden before, see take.css), and rotated boxes, of which the picture has none. */
import { box } from "./boxes.js";
import { painted, round, xml } from "./colours.js";
import { families, letters, lines } from "./letters.js";

const DRAWN = ["d", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "points", "transform", "viewBox"];
const GROUND = /^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan)$/;

/** @param root the element to draw; @param origin the corner of the picture on the screen. */
export class Walk {
  constructor(origin) {
    this.origin = origin;
    this.clips = [];
  }

  place(rect) {
    return { x: rect.left - this.origin.x, y: rect.top - this.origin.y, w: rect.width, h: rect.height };
  }

  element(node) {
    const style = getComputedStyle(node);
    if (style.display === "none" || Number(style.opacity) === 0 || node.classList.contains("out")) return "";
    if (node instanceof SVGElement) return this.drawing(node);
    const at = this.place(node.getBoundingClientRect());
    const visible = style.visibility === "visible" && node.getClientRects().length > 0;
    let inside = "";
    if (node instanceof HTMLCanvasElement) inside = visible ? this.image(node, at) : "";
    else if (node instanceof HTMLInputElement) inside = visible && node.type === "range" ? this.slider(node, at) : "";
    else if (node instanceof HTMLTextAreaElement) inside = this.typed(node, style);
    else inside = this.children(node, style, visible);
    if (visible) inside = this.clip(node, style, at, inside);
    const pieces = style.display === "inline" ? [...node.getClientRects()].map((rect) => this.place(rect)) : [at]; // broken over lines
    const whole = (visible ? pieces.map((piece) => box(style, piece)).join("") : "") + inside;
    if (!whole) return "";
    return Number(style.opacity) < 1 ? `<g opacity="${round(Number(style.opacity))}">${whole}</g>` : whole;
  }

  /** Text and elements in the order in which they lie over each other. */
  children(node, style, visible) {
    const parts = [];
    const before = visible ? this.pseudo(node, style, "::before") : "";
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) parts.push([0, visible ? lines(child, style, this.origin) : ""]);
      else if (child.nodeType === Node.ELEMENT_NODE) parts.push([Number(getComputedStyle(child).zIndex) || 0, this.element(child)]);
    }
    parts.sort((a, b) => a[0] - b[0]);
    return before + parts.map((part) => part[1]).join("") + (visible ? this.pseudo(node, style, "::after") : "");
  }

  /** What CSS adds to a box: only what it places itself, where its place can be read. */
  pseudo(node, style, which) {
    const extra = getComputedStyle(node, which);
    if (["none", "normal"].includes(extra.content) || extra.position !== "absolute" || extra.display === "none") return "";
    let holder = node;
    while (holder && getComputedStyle(holder).position === "static") holder = holder.parentElement;
    if (!holder) return "";
    const around = this.place(holder.getBoundingClientRect());
    const of = getComputedStyle(holder);
    const [w, h] = [parseFloat(extra.width), parseFloat(extra.height)];
    const [, sx = "0", sy = "0"] = /^(\S+)(?: (\S+))?/.exec(extra.translate === "none" ? "" : extra.translate) ?? [];
    const shift = (text, size) => (text.endsWith("%") ? (parseFloat(text) / 100) * size : parseFloat(text));
    const at = { x: around.x + parseFloat(of.borderLeftWidth) + parseFloat(extra.left) + shift(sx, w), y: around.y + parseFloat(of.borderTopWidth) + parseFloat(extra.top) + shift(sy, h), w, h };
    if (Object.values(at).some(Number.isNaN)) return "";
    const text = extra.content.startsWith('"') ? extra.content.slice(1, -1) : "";
    return box(extra, at) + letters(text, at, extra);
  }

  /** What does not fit is cut off, as on the screen; only where something does not fit. */
  clip(node, style, at, inside) {
    if (!inside || style.overflowX === "visible") return inside;
    const rect = node.getBoundingClientRect();
    const over = node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight ||
      [...node.children].some((child) => {
        const own = child.getBoundingClientRect();
        return own.width && (own.left < rect.left - 0.5 || own.right > rect.right + 0.5 || own.top < rect.top - 0.5 || own.bottom > rect.bottom + 0.5);
      });
    if (!over) return inside;
    this.clips.push(`<clipPath id="cut${this.clips.length}"><rect x="${round(at.x)}" y="${round(at.y)}" width="${round(at.w)}" height="${round(at.h)}"/></clipPath>`);
    return `<g clip-path="url(#cut${this.clips.length - 1})">${inside}</g>`;
  }

  image(canvas, { x, y, w, h }) {
    if (!canvas.width || !canvas.height) return "";
    return `<image x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" preserveAspectRatio="none" href="${canvas.toDataURL("image/png")}"/>`;
  }

  slider(input, { x, y, w, h }) {
    const [min, max] = [Number(input.min || 0), Number(input.max || 100)];
    const middle = y + h / 2;
    const at = x + 8 + ((Number(input.value) - min) / (max - min || 1)) * (w - 16);
    const probe = document.createElement("i");
    probe.style.color = "var(--accent)"; // the thumb's own colour cannot be asked for
    input.parentElement.append(probe);
    const ink = getComputedStyle(probe).color;
    probe.remove();
    return `<rect x="${round(x)}" y="${round(middle - 2)}" width="${round(w)}" height="4" rx="2" fill="#8c8c8c"/><circle cx="${round(at)}" cy="${round(middle)}" r="8" ${painted("fill", ink)}/>`;
  }

  /** What is typed in a text field is no text node: it is written into a box that looks the same, for the moment. */
  typed(area, style) {
    const twin = document.createElement("div");
    const rect = area.getBoundingClientRect();
    for (const name of ["font", "lineHeight", "letterSpacing", "padding", "color", "overflowWrap", "textAlign"]) twin.style[name] = style[name];
    Object.assign(twin.style, { position: "fixed", left: 0, top: 0, width: `${area.clientWidth}px`, height: `${area.clientHeight}px`, boxSizing: "border-box", whiteSpace: "pre-wrap", overflow: "hidden" });
    twin.textContent = area.value;
    area.parentElement.append(twin);
    const own = twin.getBoundingClientRect();
    const there = new Walk({ x: this.origin.x - (rect.left + area.clientLeft - own.left), y: this.origin.y - (rect.top + area.clientTop - own.top) });
    there.clips = this.clips;
    const text = there.clip(twin, getComputedStyle(twin), there.place(own), lines(twin.firstChild ?? document.createTextNode(""), getComputedStyle(twin), there.origin));
    twin.remove();
    return text;
  }

  /** A drawing in the page: its shapes in its own measure, with the looks that style sheets give them written down. */
  drawing(svg) {
    const m = svg.getScreenCTM();
    if (!m || !svg.getClientRects().length) return "";
    const matrix = [m.a, m.b, m.c, m.d, m.e - this.origin.x, m.f - this.origin.y].map((value) => String(Math.round(value * 1e4) / 1e4));
    return `<g transform="matrix(${matrix.join(" ")})">${[...svg.children].map((child) => this.part(child)).join("")}</g>`;
  }

  part(node) {
    const name = node.tagName;
    if (!GROUND.test(name)) return "";
    const style = getComputedStyle(node);
    if (style.display === "none" || style.visibility === "hidden" || Number(style.opacity) === 0) return "";
    let attributes = "";
    for (const key of DRAWN) if (node.hasAttribute(key)) attributes += ` ${key}="${xml(node.getAttribute(key))}"`;
    if (!["svg", "g"].includes(name)) attributes += ` ${painted("fill", style.fill)} ${painted("stroke", style.stroke)}`;
    if (style.stroke !== "none") {
      attributes += ` stroke-width="${round(parseFloat(style.strokeWidth))}"`;
      for (const [key, value, usual] of [["stroke-dasharray", style.strokeDasharray.replaceAll("px", ""), "none"], ["stroke-linecap", style.strokeLinecap, "butt"], ["stroke-linejoin", style.strokeLinejoin, "miter"], ["vector-effect", style.vectorEffect, "none"]]) {
        if (value && value !== usual) attributes += ` ${key}="${xml(value)}"`;
      }
    }
    if (Number(style.opacity) < 1) attributes += ` opacity="${round(Number(style.opacity))}"`;
    if (name === "text" || name === "tspan") {
      attributes += ` font-family="${families(style)}" font-size="${round(parseFloat(style.fontSize))}" font-weight="${style.fontWeight}" text-anchor="${style.textAnchor}"`;
      if (style.paintOrder !== "normal") attributes += ` paint-order="${xml(style.paintOrder)}"`;
      if (style.dominantBaseline !== "auto") attributes += ` dominant-baseline="${xml(style.dominantBaseline)}"`;
    }
    const inside = [...node.childNodes].map((child) => (child.nodeType === Node.TEXT_NODE ? xml(child.nodeValue) : child.nodeType === Node.ELEMENT_NODE ? this.part(child) : "")).join("");
    return `<${name}${attributes}>${inside}</${name}>`;
  }
}
