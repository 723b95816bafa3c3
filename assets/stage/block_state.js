/* What there is to see, and to say, of one block at the step shown. */

/** What is to be seen of block b at the step shown. */
export function stateOf(stage, room, b) {
  const { state, step } = room;
  const thrown = step.x.ev.find((pair) => pair[0] === b);
  return {
    owners: state.owners[b],
    fill: state.fill[b],
    hash: state.hash[b],
    thrown: thrown ? thrown[1] : -1,
    now: room.touched.has(b),
    pinned: stage.pin === b,
  };
}

export function spoken(stage, room, b) {
  const { state, tl } = room;
  const letters = state.owners[b].map((r) => tl.requests[r].letter);
  return stage.words.shelfIs(b, letters, state.fill[b], tl.blockSize, state.hash[b]);
}
