/* Room kept free for what a run will need, so that nothing below it moves while one steps through: measured once per
   run and width from the lengths that were sent. */

const CELL = { width: 43, height: 40 }; // of a list, its gap included
const ROW = { least: 38, frame: 8, who: 66 };
export const HAND = 1.4; // what is in hand, in cells
const CHIP = { size: 31, wide: 42, height: 34 };

/** Height of lists of so many cells, px. */
export function listsHeight(lengths, width) {
  const perLine = Math.max(1, Math.floor((width - ROW.who) / CELL.width));
  const row = (n) => Math.max(ROW.least, Math.ceil(n / perLine) * CELL.height) + ROW.frame;
  return lengths.reduce((sum, n) => sum + row(n), 0);
}

/** Height of all lists at the fullest step, px. */
export function mostListsHeight(tl, width, rowsMost) {
  const lengths = new Map();
  let most = 0;
  for (const { t } of tl.steps) {
    if (!t) continue;
    for (const [r, change] of Object.entries(t)) {
      if (change === null) lengths.delete(r);
      else lengths.set(r, change[0] + change[1].length);
    }
    most = Math.max(most, listsHeight([...lengths.values()].slice(0, rowsMost), width));
  }
  return most;
}

/** Height of the longest queue, px. `shownMost`: chips drawn at most. */
export function queueHeight(tl, width, shownMost) {
  const most = Math.min(shownMost, Math.max(...tl.steps.map((step) => step.m[2] + step.m[3])));
  const size = tl.numBlocks > 999 ? CHIP.wide : CHIP.size;
  return Math.max(1, Math.ceil((most * size - 4) / Math.max(size, width))) * CHIP.height - 2;
}
