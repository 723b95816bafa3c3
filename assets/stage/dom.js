/* Small helpers every panel uses: elements, bold marks in captions, icons, lists of numbers in words. */

/** An element with properties and children. `class`, `style` (text), `data-*` and `aria-*` go in as attributes. */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Text with `**bold**` marks into nodes: never through innerHTML, since run files are other people's. */
export function rich(text) {
  const out = document.createDocumentFragment();
  text.split("**").forEach((part, k) => {
    if (part) out.append(k % 2 ? el("b", {}, part) : part);
  });
  return out;
}
export const plain = (text) => text.replaceAll("**", "");

/** Set text only when it differs: an unchanged node costs no layout. */
export function put(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
export function toggle(node, name, on) {
  if (node.classList.contains(name) !== on) node.classList.toggle(name, on);
}

const SHAPES = {
  first: "M2 2h2.5v14H2zM16 2v14L6 9z",
  prev: "M13 2v14L3 9z",
  next: "M5 2v14l10-7z",
  last: "M13.5 2H16v14h-2.5zM2 2v14l10-7z",
  play: "M4 1.5v15L16.5 9z",
  take: "M8 1.5h2v7l2.6-2.6L14 7.3l-5 5-5-5 1.4-1.4L8 8.5zM2 13h2v2h10v-2h2v4H2z",
  pause: "M3 2h4.5v14H3zM10.5 2H15v14h-4.5z",
};
export function icon(name) {
  const holder = document.createElement("span");
  holder.innerHTML = `<svg viewBox="0 0 18 18" aria-hidden="true"><path d="${SHAPES[name]}"/></svg>`;
  return holder.firstChild;
}

export const HUES = ["a", "b", "c", "d", "e", "f", "g"];
/** CSS variables of a request's hue and of the tint behind dark letters. -1: never inside, no hue. */
export const hue = (k) =>
  k < 0 ? "--hue:var(--muted);--tint:var(--soft)" : `--hue:var(--${HUES[k]});--tint:var(--${HUES[k]}-t)`;
export const hueVar = (k) => (k < 0 ? "var(--muted)" : `var(--${HUES[k]})`);

export function listOf(items) {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
export const thousands = (n) => n.toLocaleString("en-US");
export const percent = (part, whole) => (whole ? `${((part / whole) * 100).toFixed(1)} %` : "0 %");

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
