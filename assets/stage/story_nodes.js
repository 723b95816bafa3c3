/* The picture of a beat: a list of keyed boxes, each with place, size, look and text. What keeps its key moves there;
   what is new fades in, what is gone fades out. Going back and jumping need no code of their own. */
import { calm, el, put, rich } from "./dom.js";

const FADE = 230; // ms

/** A box of the picture. `c` classes, `t` text with **bold**, `hl` keys that light it up, `info` what pointing tells,
    `from` where it comes from, `d` delay in ms, `o` hue (a to g), `make`/`set` for one with its own inside. */
export const N = (k, x, y, w, h, c, t, more = {}) => ({ k, x, y, w, h, c, t, ...more });

export class Nodes {
  constructor(holder) {
    this.holder = holder;
    this.live = new Map();
  }

  draw(nodes, instant) {
    const still = instant || calm.matches;
    this.holder.classList.toggle("inst", still);
    const seen = new Set(nodes.map((node) => node.k));
    for (const [k, node] of this.live) if (!seen.has(k)) this.leave(k, node, still);
    let fresh = false;
    for (const n of nodes) fresh = this.prepare(n) || fresh;
    if (fresh && !still) void this.holder.offsetWidth; // where new ones start from must be drawn once
    for (const n of nodes) {
      const node = this.live.get(n.k);
      const delay = still ? "" : `${n.d ?? 0}ms`;
      if (node.style.transitionDelay !== delay) node.style.transitionDelay = delay;
      this.place(node, n);
      const opacity = String(n.op ?? 1);
      if (node.style.opacity !== opacity) node.style.opacity = opacity;
    }
  }

  prepare(n) {
    let node = this.live.get(n.k);
    const isNew = !node;
    if (isNew) {
      node = el(n.href ? "a" : "div", {});
      node.keys = [];
      if (n.make) node.append((node.inside = n.make()).el ?? node.inside);
      this.place(node, { ...n, ...n.from });
      node.style.opacity = n.from ? 1 : 0;
      this.live.set(n.k, node);
      this.holder.append(node);
    }
    const name = `nd ${n.c ?? ""}`;
    if (node.look !== name) node.className = node.look = name;
    if (n.href && node.getAttribute("href") !== n.href) node.setAttribute("href", n.href);
    if (n.t !== undefined && node.text !== n.t) {
      node.text = n.t;
      if (n.t.includes("**")) node.replaceChildren(rich(n.t));
      else put(node, n.t);
    }
    const hl = n.hl ?? "";
    if (node.dataset.hl !== hl) {
      node.keys = hl.split(" ").filter(Boolean);
      node.dataset.hl = hl;
    }
    node.info = n.info ?? "";
    if (n.z && node.style.zIndex !== String(n.z)) node.style.zIndex = n.z;
    if (n.o && node.o !== n.o) {
      node.o = n.o;
      node.style.setProperty("--o", `var(--${n.o})`);
      node.style.setProperty("--ot", `var(--${n.o}-t)`);
    }
    for (const [name2, value] of Object.entries(n.v ?? {})) node.style.setProperty(name2, value);
    n.set?.(node.inside, node);
    return isNew;
  }

  place(node, n) {
    const at = `${n.x}|${n.y}|${n.w}|${n.h}`;
    if (node.at === at) return;
    node.at = at;
    node.style.transform = `translate(${n.x}px,${n.y}px)`;
    if (n.w !== undefined && n.w !== null) node.style.width = `${Math.max(0, n.w)}px`;
    if (n.h !== undefined && n.h !== null) node.style.height = `${Math.max(0, n.h)}px`;
  }

  leave(k, node, still) {
    this.live.delete(k);
    if (still) return node.remove();
    node.classList.add("out");
    node.style.transitionDelay = "0ms";
    node.style.opacity = 0;
    setTimeout(() => node.remove(), FADE);
  }

  /** Light up what carries one of these keys, and dim the rest; nothing lights up without keys. */
  light(keys) {
    const on = keys.length > 0;
    this.holder.classList.toggle("dimmed", on);
    for (const node of this.live.values()) node.classList.toggle("lit", on && node.keys.some((key) => keys.includes(key)));
  }

  clear() {
    this.live.clear();
    this.holder.replaceChildren();
  }
}
