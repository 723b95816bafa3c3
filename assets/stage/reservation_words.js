/* The words of the reservation page's panels, in both registers. Captions come with the steps. */

const n = (x) => x.toLocaleString("en-US");

export const RESERVATION_WORDS = {
  room: {
    L: ["Aisles", { max: "each visitor is promised the longest visit allowed, up front", pow2: "each visitor is promised a run, rounded up to a power of two", oracle: "each visitor is promised exactly what they will need: nobody can know" }],
    R: ["Shelves", (size) => `each visitor gets a shelf of ${size} when the last one is full`],
    door: "At the door", nobody: "nobody", waiting: (k) => `${k} waiting`, gone: "Gone home", of: (k, all) => `${k} of ${all}`,
    never: (k) => `${k} turned away`,
    empty: "of the places given out are empty", ofGiven: (a, b) => `${n(a)} of ${n(b)}`, later: (k) => `${n(k)} fill up later`, neverUsed: (k) => `${n(k)} never do`, external: (k) => `${n(k)} are free, but of no use to the first in line`, kept: (k) => `${n(k)} hold boxes kept for others`,
    written: (k, all) => [n(k), ` of ${n(all)}`],
    parts: { token: "holds boxes", later: "promised, used later", never: "promised, never used", tail: "empty places on last shelves", external: "free, of no use to the first in line", kept: "free, boxes kept", free: "free" },
    ticks: "number under a letter at the door: ticks waited", curves: ["inside:", "shelves —", "aisles - -"], home: (side, k) => `${side === "L" ? "aisles" : "shelves"}, all home: ${k}`, aisle: (L) => `Aisle of ${L}`, more: (k) => `${k} more`,
  },
  engine: {
    L: ["Contiguous reservation", { max: "one run of max_model_len slots per request", pow2: "one run per request: prompt + next power of two of the output", oracle: "one run of the true length per request: not known in advance" }],
    R: ["Paged blocks", (size) => `block_size ${size}, allocated on demand`],
    door: "Waiting", nobody: "none", waiting: (k) => `${k} requests`, gone: "Finished", of: (k, all) => `${k} of ${all}`,
    never: (k) => `${k} rejected`,
    empty: "of the allocated slots hold no KV", ofGiven: (a, b) => `${n(a)} of ${n(b)}`, later: (k) => `${n(k)} fill later`, neverUsed: (k) => `${n(k)} never: internal fragmentation`, external: (k) => `${n(k)} free, no run long enough: external fragmentation`, kept: (k) => `${n(k)} cached`,
    written: (k, all) => [n(k), `/${n(all)}`],
    parts: { token: "holds KV", later: "reserved, used later", never: "internal fragmentation", tail: "unfilled slots of last blocks", external: "external fragmentation", kept: "free, cached", free: "free" },
    ticks: "number under a letter: engine steps waited", curves: ["running:", "paged —", "reserved - -"], home: (side, k) => `${side === "L" ? "reserved" : "paged"}, all finished: ${k}`, aisle: (L) => `Run of request ${L}`, more: (k) => `${k} more`,
  },
};
