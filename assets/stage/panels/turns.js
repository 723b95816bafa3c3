/* Who does what in which step: a row for each request, a column for each step; a click goes there. It is read off the
   strings that were sent, one character for each step. */
import { el, HUES, thousands } from "../dom.js";
import { spyreWords } from "../spyre_words.js";
import { palette } from "../tiles.js";

const LABEL = 30;
const SIGNS = ["p", "P", "d", "-", ".", "~", "x"];

export default function turns(stage, room) {
  const heading = el("h2", { class: "h" });
  const canvas = el("canvas", { role: "img", tabindex: -1 });
  const mark = el("div", { class: "turnmark", "aria-hidden": "true" });
  const legend = el("p", { class: "turnlegend" });
  const frame = el("div", { class: "turnframe" }, canvas, mark);
  const node = el("section", { class: "turnsw" }, heading, frame, legend);
  let colours = null;
  let geometry = null;
  frame.onclick = (event) => {
    const box = frame.getBoundingClientRect();
    const k = Math.floor((event.clientX - box.left - LABEL) / geometry.pitch);
    if (k >= 0) stage.clock.jump(Math.min(stage.clock.last, k));
  };
  function paint() {
    const { tl } = room;
    const width = node.clientWidth;
    if (!width) return;
    const n = tl.wire.turns.length;
    const steps = stage.clock.last + 1; // the same scale for both rooms
    const few = steps <= 24;
    const top = few ? 20 : 2;
    const rowHeight = n <= 8 ? 20 : n <= 16 ? 12 : n <= 32 ? 8 : 5;
    const height = top + n * rowHeight + 18;
    const pitch = (width - LABEL - 2) / steps;
    geometry = { pitch, top, bottom: top + n * rowHeight };
    colours ??= palette(node);
    const ratio = devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.height = `${height}px`;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    g.textBaseline = "middle";
    tl.wire.turns.forEach((line, r) => {
      const request = tl.requests[r];
      const y = top + r * rowHeight;
      g.fillStyle = colours.ink;
      g.font = `650 ${Math.min(14, Math.max(8, rowHeight))}px ${colours.font}`;
      if (rowHeight >= 8 || r % 2 === 0) g.fillText(request.letter, 4, y + rowHeight / 2);
      cells(g, line, { y, pitch, high: rowHeight - (rowHeight > 6 ? 2 : 1), fill: colours[HUES[Math.max(0, request.hue)]], colours });
    });
    g.fillStyle = colours.muted;
    g.font = `13px ${colours.font}`;
    if (few) {
      g.textAlign = "center";
      tl.steps.forEach((step, k) => step.rows && g.fillText(String(step.rows.length), LABEL + (k + 0.5) * pitch, 9));
    }
    for (let k = 0; k < steps; k += few ? 1 : nice(steps)) {
      g.textAlign = k === 0 ? "left" : "center";
      g.fillText(thousands(k), LABEL + (k ? (k + 0.5) * pitch : 0), height - 7);
    }
    g.textAlign = "left";
  }
  return {
    el: node,
    build() {
      const words = spyreWords(stage, room.tl);
      const [title, note] = room.tl.wire.kind === "vllm" ? words.turnsVllm : words.turns;
      if (room.tl.wire.kind === "vllm") heading.remove(); // the panel beside has it
      else heading.replaceChildren(title, " ", el("small", {}, note));
      const used = new Set(room.tl.wire.turns.join(""));
      legend.replaceChildren(...SIGNS.filter((sign) => used.has(sign)).map((sign) => el("span", {}, el("i", { class: `sign s${SIGNS.indexOf(sign)}` }), words.legend[sign])));
      canvas.setAttribute("aria-label", `${title}. ${note}`);
      paint();
    },
    draw() {
      if (!geometry) paint();
      if (!geometry) return;
      const { pitch, top, bottom } = geometry;
      mark.style.cssText = `left:${LABEL + stage.clock.at * pitch - 2}px;width:${Math.max(5, pitch + 3)}px;top:${top - 2}px;height:${bottom - top + 3}px`;
    },
    resize() {
      colours = null;
      paint();
      this.draw();
    },
  };
}

const nice = (steps) => [10, 20, 50, 100, 200, 500].find((by) => steps / by <= 8) ?? 500;

/** Runs of the same sign are drawn as one where the gaps would be too fine to see. */
function cells(g, line, { y, pitch, high, fill, colours }) {
  const gap = pitch > 4 ? 1 : pitch > 2 ? 0.4 : 0;
  for (let k = 0; k < line.length; k++) {
    const sign = line[k];
    const x = LABEL + k * pitch;
    const w = Math.max(0.8, pitch - gap);
    if (sign === "d") {
      g.fillStyle = fill;
      g.fillRect(x, y, w, high);
    } else if (sign === "p" || sign === "P") {
      g.fillStyle = colours.ink;
      g.fillRect(x, y, w, high);
    } else if (sign === "-") {
      g.fillStyle = colours.kept;
      if (pitch > 8) {
        g.strokeStyle = colours.kept;
        g.strokeRect(x + 0.5, y + 0.5, w - 1, high - 1);
      } else {
        g.fillRect(x, y, w, 1.2);
        g.fillRect(x, y + high - 1.2, w, 1.2);
      }
    } else if (sign === "x") {
      g.fillStyle = colours.warn;
      g.fillRect(x - 1, y, Math.max(5, w), high);
    } else if (sign === "~") {
      g.fillStyle = colours.line;
      g.fillRect(x, y + high / 2 - 1, w, 2);
    } else if (sign === "." && k % Math.max(1, Math.round(6 / pitch)) === 0) {
      g.fillStyle = colours.kept;
      g.beginPath();
      g.arc(x + w / 2, y + high / 2, 1.4, 0, 7);
      g.fill();
    }
  }
}
