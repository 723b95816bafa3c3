/* One shelf, drawn large: owner tags, boxes, lip with its number and, when its hash is in the index, the plate.
   States are told apart without colour: see pagedviz's legend. Only what differs from the last look is touched. */
import { el, hue, hueVar, put } from "./dom.js";

/** Boxes per row so that 4, 8, 16 or 64 of them stay readable. */
export const columns = (size) => (size <= 8 ? size : size <= 16 ? 8 : size <= 32 ? 8 : 16);
export const boxHeight = (size) => (size <= 8 ? 18 : size <= 16 ? 8 : size <= 32 ? 5 : size <= 64 ? 3 : 2);

export function bands(owners, requests) {
  if (owners.length < 2) return "";
  const stop = (k) => `${(k / owners.length) * 100}%`;
  return `linear-gradient(to bottom,${owners
    .map((r, k) => `${hueVar(requests[r].hue)} ${stop(k)} ${stop(k + 1)}`)
    .join()})`;
}

export function look(b, owners, hash) {
  if (b === 0) return "null";
  if (owners.length) return owners.length > 1 ? "used shared" : "used";
  return hash >= 0 ? "kept" : "free";
}

/** A grid of `size` boxes of which the first `fill` hold a token. Above 64 a single bar says the same. */
export function makeBoxes(size) {
  const boxes = el("div", { class: "boxes" });
  if (size > 64) {
    boxes.classList.add("solid");
    boxes.append(el("i", { class: "bx" }), el("i", { class: "bx no" }));
  } else {
    if (size > 8) boxes.classList.add(size > 16 ? "fine" : "small");
    boxes.style.setProperty("--cols", columns(size));
    for (let j = 0; j < size; j++) boxes.append(el("i", { class: "bx no" }));
  }
  boxes.shown = 0;
  return boxes;
}
export function setBoxes(boxes, size, fill, background) {
  if (boxes.painted !== background) {
    boxes.style.setProperty("--fill", background || "var(--hue)");
    boxes.painted = background;
  }
  if (boxes.shown === fill) return;
  if (size > 64) {
    boxes.style.setProperty("--part", fill / size);
  } else {
    const [from, to] = [Math.min(boxes.shown, fill), Math.max(boxes.shown, fill)];
    for (let j = from; j < to; j++) boxes.children[j].className = j < fill ? "bx" : "bx no";
  }
  boxes.shown = fill;
}

export class Shelf {
  constructor(b, size) {
    this.b = b;
    this.size = size;
    this.top = el("div", { class: "top" });
    this.boxes = makeBoxes(size);
    this.number = el("b", {}, String(b));
    this.plate = el("span", { class: "lab" });
    this.lip = el("div", { class: "lip" }, this.number);
    this.el = el("div", { class: "sh", "data-b": b }, this.top, this.boxes, this.lip);
    this.el.style.setProperty("--bh", `${boxHeight(size)}px`);
    this.seen = "";
  }

  /** @param {{owners: number[], fill: number, hash: number, thrown: number, now: boolean, pinned: boolean}} is */
  set(is, requests, keptWord, label = (hash) => `#${hash}`) {
    const seen = `${is.owners}|${is.fill}|${is.hash}|${is.thrown}|${is.now}|${is.pinned}|${keptWord}`;
    if (seen === this.seen) return false;
    this.seen = seen;
    const state = look(this.b, is.owners, is.hash);
    const name = `sh ${state}${is.now ? " now" : ""}${is.pinned ? " pin" : ""}`;
    if (this.el.className !== name) this.el.className = name;
    if (is.owners.length && this.hued !== is.owners[0]) {
      this.el.style.cssText += hue(requests[is.owners[0]].hue);
      this.hued = is.owners[0];
    }
    this.setTop(is, requests, label, state === "null" ? "null" : state === "kept" ? keptWord : "");
    setBoxes(this.boxes, this.size, is.fill, bands(is.owners, requests));
    if (is.hash >= 0) {
      put(this.plate, label(is.hash));
      if (!this.plate.isConnected) this.lip.append(this.plate);
    } else this.plate.remove();
    return true;
  }

  setTop(is, requests, label, word) {
    const key = `${is.owners}|${is.thrown}|${word}`;
    if (key === this.topSeen) return;
    this.topSeen = key;
    const shown = is.owners.slice(0, 4);
    this.top.className = `top n${Math.min(is.owners.length, 5)}`;
    this.top.replaceChildren(
      ...shown.map((r) => el("b", { class: "tag", style: hue(requests[r].hue), "data-owner": r }, requests[r].letter)),
      ...(is.owners.length > 4 ? [`+${is.owners.length - 4}`] : word ? [word] : []),
      ...(is.thrown >= 0 ? [el("s", {}, label(is.thrown))] : []),
    );
  }
}
