/* Batch times context as an area: linear axes, so that an equal product is an equal area. Its corner can be dragged
   along the limit; IBM's rows stand in it as dashed outlines. */
import { el, thousands } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const M = { l: 32, r: 6, t: 8, b: 40 };

export function svgNode(tag, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

export function areaPicture(stage, room, go) {
  const heading = el("h2", { class: "h" });
  const picture = svgNode("svg", { class: "area-picture" });
  const corner = svgNode("circle", { class: "corner", r: 10, tabindex: 0, role: "slider" });
  const node = el("div", { class: "limits-area" }, heading, picture);
  let scale = null;

  function fit() {
    const { wire } = room.tl;
    const width = Math.max(240, picture.clientWidth || node.clientWidth);
    const height = width < 420 ? 280 : 344;
    const [w, h] = [width - M.l - M.r, height - M.t - M.b];
    scale = { width, height, x: (c) => M.l + (c / wire.max_context) * w, y: (b) => M.t + h - (b / (wire.max_seqs + 1)) * h };
    scale.contextAt = (px) => ((px - M.l) / w) * wire.max_context;
    scale.batchAt = (py) => ((M.t + h - py) / h) * (wire.max_seqs + 1);
  }
  picture.addEventListener("pointerdown", (event) => {
    picture.setPointerCapture(event.pointerId);
    picture.onpointermove = follow;
    follow(event);
  });
  picture.addEventListener("pointerup", () => (picture.onpointermove = null));
  picture.addEventListener("pointercancel", () => (picture.onpointermove = null));
  /** The point of the limit on the ray from the origin through the hand. */
  function follow(event) {
    const box = picture.getBoundingClientRect();
    const c = Math.max(64, scale.contextAt(event.clientX - box.left));
    const b = Math.max(0.5, scale.batchAt(event.clientY - box.top));
    const { wire } = room.tl;
    const along = Math.sqrt(wire.limit / (c * b));
    const context = b / c > wire.max_seqs / wire.rows[0][1] ? c : c * along;
    go(room.tl.stepOfContext(context));
  }
  corner.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    go(room.tl.stepBeside(room.step.context, by, 2 ** (1 / 16)));
  });

  function draw() {
    fit();
    const { wire } = room.tl;
    const { step } = room;
    const { x, y, width, height } = scale;
    const words = stage.words.spyre;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("height", height);
    const parts = [];
    const add = (tag, attributes, text) => parts.push(svgNode(tag, attributes, text));
    for (const b of [4, 8, 16, 32]) add("text", { x: M.l - 7, y: y(b) + 5, "text-anchor": "end" }, String(b));
    for (const c of [4096, 8192, 16384, 32768]) {
      add("path", { class: "axis", d: `M${x(c)} ${y(0)}v4` });
      add("text", { x: c === wire.max_context ? x(c) + 4 : x(c), y: height - M.b + 18, "text-anchor": c === wire.max_context ? "end" : "middle" }, thousands(c));
    }
    add("text", { x: M.l, y: height - 5 }, words.axis);
    const top = wire.limit / wire.max_seqs;
    let curve = `M${x(0)} ${y(wire.max_seqs)}H${x(top)}`;
    for (let c = top; c <= wire.max_context; c += 256) curve += `L${x(c).toFixed(1)} ${y(wire.limit / c).toFixed(1)}`;
    add("path", { class: "limit-curve", d: `${curve}V${y(0)}` });
    for (const [b, c] of wire.rows) if (b !== step.batch || c !== step.context) add("rect", { class: "ibm-row", x: x(0), y: y(b), width: x(c) - x(0), height: y(0) - y(b) });
    const [w, h] = [x(step.context) - x(0), y(0) - y(step.batch)];
    add("rect", { class: "mine-fill", x: x(0), y: y(step.batch), width: w, height: h });
    let ticks = "";
    for (let c = 1024; c < step.context; c += 1024) ticks += `M${x(c).toFixed(1)} ${y(0)}V${y(step.batch).toFixed(1)}`;
    add("path", { class: "ticks", d: ticks });
    let lines = "";
    for (let b = 1; b < step.batch; b++) lines += `M${x(0)} ${y(b).toFixed(1)}h${w.toFixed(1)}`;
    add("path", { class: "rowlines", d: lines });
    add("rect", { class: "mine", x: x(0), y: y(step.batch), width: w, height: h });
    add("path", { class: "axis", d: `M${x(0)} ${M.t}V${y(0)}H${x(wire.max_context)}` });
    const inside = w > 130 && h > 34;
    const tx = inside ? x(0) + w / 2 : Math.min(x(step.context) + 16, width - 120);
    const ty = inside ? y(0) - h / 2 + 7 : Math.max(M.t + 22, y(step.batch) - 10);
    add("text", { class: `product${inside ? " in" : ""}`, x: tx, y: ty, "text-anchor": inside ? "middle" : "start" }, `${step.batch} × ${thousands(step.context)}`);
    corner.setAttribute("cx", x(step.context));
    corner.setAttribute("cy", y(step.batch));
    corner.setAttribute("aria-label", words.corner);
    for (const [name, value] of [["valuenow", step.context], ["valuemin", 64], ["valuemax", wire.max_context], ["valuetext", `${step.batch} × ${thousands(step.context)}`]]) corner.setAttribute(`aria-${name}`, value);
    const had = corner.getRootNode().activeElement === corner;
    picture.replaceChildren(...parts, corner);
    if (had) corner.focus({ preventScroll: true });
  }
  return {
    el: node,
    build() {
      const [title, note] = stage.words.spyre.area;
      heading.replaceChildren(title, " ", el("small", {}, note));
    },
    draw,
  };
}
