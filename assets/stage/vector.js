/* A vector as a row of bars from a middle line: up is positive, down and striped is negative. */
import { el } from "./dom.js";
import { fixed } from "./attention.js";

export function makeVector(name) {
  return el("div", { class: `vec ${name}`, role: "img" });
}

/** @param most: the value that fills half the height. */
export function setVector(node, values, most, label) {
  if (node.children.length !== values.length) node.replaceChildren(...values.map(() => el("div", {}, el("i", {}))));
  values.forEach((value, k) => {
    stretch(node.children[k].firstChild, value, most);
    node.children[k].title = fixed(value, 4);
  });
  node.setAttribute("aria-label", `${label}: ${values.map((value) => fixed(value, 3)).join(", ")}`);
}

/** A bar up or down from the middle. */
export function stretch(bar, value, most) {
  const part = most ? Math.min(1, Math.abs(value) / most) * 48 : 0;
  bar.className = value < 0 ? "neg" : "";
  bar.style.cssText = `top:${value < 0 ? 50 : 50 - part}%;height:${part}%`;
}

export const largest = (vectors) => Math.max(1e-9, ...vectors.flat().map(Math.abs));
