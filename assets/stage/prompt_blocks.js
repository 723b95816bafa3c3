/* Which blocks of a long prompt are drawn, and the tokens of one block as chips. */
import { el } from "./dom.js";

const BLOCKS_MOST = 14;
const AROUND = 2; // blocks kept on both sides of the place where the search ended
const CHIPS_MOST = 24; // tokens drawn of one block; the rest is counted

/** Block numbers in order; a negative number stands for so many blocks left out. */
export function shownBlocks(prompt) {
  const count = prompt.hashes.length;
  const keep = new Set();
  for (let j = 0; j < count; j++)
    if (count <= BLOCKS_MOST || j < 3 || j >= count - 2 || Math.abs(j - prompt.hits) <= AROUND) keep.add(j);
  const shown = [];
  let left = 0;
  for (let j = 0; j < count; j++) {
    if (keep.has(j)) {
      if (left) shown.push(-left);
      left = 0;
      shown.push(j);
    } else left++;
  }
  return shown;
}

export function tokenChips(prompt, j, come) {
  const from = j * prompt.bs;
  const pieces = prompt.pieces.slice(from, from + prompt.bs);
  const differs = come && prompt.diff && prompt.diff[0] === j ? prompt.diff[1] : -1;
  // with more tokens than fit, those around the one that differs stay in sight
  const first = pieces.length <= CHIPS_MOST || differs < CHIPS_MOST - 2 ? 0 : Math.min(differs - CHIPS_MOST / 2, pieces.length - CHIPS_MOST);
  const chips = pieces
    .slice(first, first + CHIPS_MOST)
    .map((piece, k) => el("span", { class: first + k === differs ? "df" : null, dir: "auto" }, piece));
  if (first) chips.unshift(el("em", {}, `${first} …`));
  const after = pieces.length - first - CHIPS_MOST;
  if (after > 0) chips.push(el("em", {}, `… ${after}`));
  const empty = Math.min(prompt.bs - pieces.length, 6);
  for (let k = 0; k < empty; k++) chips.push(el("span", { class: "em" }));
  return chips;
}
