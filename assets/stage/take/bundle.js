/* The stage's own sources, as the loader holds them: a file that stands alone carries them with it. */
let held = null;

export const carry = (sources) => (held = sources);
export const sources = () => held;
