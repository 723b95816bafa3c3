/* The words of the Spyre page's panels, in both registers. Captions and reasons come with the steps. */

const n = (x) => x.toLocaleString("en-US");
const s = (x, one, many) => `${n(x)} ${x === 1 ? one : many}`;

/** The words for a run; those of encoder-only batches replace some of them. */
export function spyreWords(stage, tl) {
  const words = stage.words.spyre;
  return tl.wire.encoder ? { ...words, ...words.encoder } : words;
}

export const SPYRE_WORDS = {
  room: {
    context: "Boxes each visitor may have", batch: "Visitors at once",
    table: ["visitors", "× boxes each", "= together", "whose row"], yours: "yours", ibm: "IBM's", both: "IBM's, and yours",
    ceilings: { requests: "visitors", context: "boxes each", product: "together" }, binds: "this one binds", of: (m) => `of ${n(m)}`, used: (p) => `${p} % used`,
    area: ["The writing table: one row for each visitor", "drag its corner"], corner: "Corner of the table", axis: "boxes each",
    row: (blocks, context) => [`One row, shelf by shelf: ${n(context)} ÷ 64 = ${s(blocks, "shelf", "shelves")}`, "of 64 boxes; outlines: up to the ceiling of 512"],
    batchTitle: (step) => (step.k === "prefill" ? ["What is read in", "one cartload at a time; nobody writes meanwhile"] : ["The writing table", "every row is as wide as the widest"]),
    decodes: (k) => (k === 1 ? "1 writes" : `${k} write`), pauses: (k) => `${s(k, "sits", "sit")} out`, stands: (k) => `${s(k, "waits", "wait")} for their turn`,
    atMost: (limit, tkv) => `${n(limit)} ÷ ${n(tkv)} = ${(limit / tkv).toFixed(1)} rows at most`,
    tkv: "widest row", paid: (k, tkv) => `paid for: ${k} × ${n(tkv)}`, more: "one more would make", carry: "boxes that carry something", pad: "empty places, paid for",
    tooMany: "too many", fits: "would fit", allIn: "all are in", limit: (x) => `of ${n(x)}`, boxes: "boxes",
    chunk: (k, of) => `cartload ${k} of ${of}`, computed: "worked out now", reused: "found, not worked out", left: "empty places in front", right: "empty places behind", skipped: (k) => `${s(k, "cartload", "cartloads")} spared`,
    blocks: "Shelves", held: "in use", promised: "promised", free: "free",
    beside: { head: ["The same visitors on stock vLLM", "shelves of 16, no limit on the table; both on one clock of steps"], inside: (k) => `${k} inside`, waits: (k) => `${k} at the door`, back: (k) => `${k} sent back`, used: (a, b) => `${n(a)} of ${n(b)} shelves in use` }, door: ["At the door", "in order of arrival"], nobody: "nobody waits", more2: (k) => `and ${k} more`,
    turns: ["Who does what in which step", "click to go there"], turnsVllm: ["The same visitors on stock vLLM", "shelves of 16, no limit on the table; both on one clock of steps"],
    legend: { p: "reads in one cartload", d: "writes", "-": "sits out, keeps the shelves", ".": "waits at the door", "~": "inside, idle", P: "reads in", x: "sent back" },
    encoder: { batchTitle: () => ["The table for this batch", "cut beforehand: so many rows, so wide"], decodes: (k) => `${k} at this table`, nothing: "Nobody has come to a table yet.", tkv: "width of the table", paid: (k, w) => "paid for: all of the table", carry: "boxes that carry something", turns: ["Who goes to which table", "click to go there"], legend: { d: "at this table", ".": "waits" } }, padding: "empty places, paid for", nothing: "Nobody is at the table.", used2: "shelves in use",
  },
  engine: {
    context: "Context: tokens each request may have", batch: "Batch: requests at once",
    table: ["requests", "× context", "= product", "whose row"], yours: "yours", ibm: "IBM's", both: "IBM's, and yours",
    ceilings: { requests: "requests", context: "context", product: "product" }, binds: "this one binds", of: (m) => `of ${n(m)}`, used: (p) => `${p} % used`,
    area: ["Batch × context: one row per request", "drag its corner"], corner: "Corner: context", axis: "context, tokens",
    row: (blocks, context) => [`One row, block by block: ${n(context)} ÷ 64 = ${s(blocks, "block", "blocks")}`, "of 64 tokens; outlines: up to the ceiling of 512"],
    batchTitle: (step) => (step.k === "prefill" ? ["Prefill", "batch of 1, one chunk; no decode in this step"] : ["Decode batch", "block table padded to a rectangle"]),
    decodes: (k) => `decode: ${k}`, pauses: (k) => `paused: ${k}`, stands: (k) => `not in this step: ${k}`,
    atMost: (limit, tkv) => `${n(limit)} ÷ ${n(tkv)} = ${(limit / tkv).toFixed(1)} rows at most`,
    tkv: "tkv, longest padded", paid: (k, tkv) => `batch × tkv: ${k} × ${n(tkv)}`, more: "one more would make", carry: "tokens that carry something", pad: "padding",
    tooMany: "over the limit", fits: "would fit", allIn: "all decode", limit: (x) => `of ${n(x)}`, boxes: "tokens",
    chunk: (k, of) => `chunk ${k} of ${of}`, computed: "tokens computed", reused: "tokens reused", left: "left padding", right: "right padding", skipped: (k) => `${s(k, "chunk", "chunks")} skipped`,
    blocks: "Blocks", held: "held", promised: "reserved", free: "free",
    beside: { head: ["The same requests on stock vLLM", "block_size 16, no batch × tkv limit; both on one clock of engine steps"], inside: (k) => `running: ${k}`, waits: (k) => `waiting: ${k}`, back: (k) => `preempted: ${k}`, used: (a, b) => `${n(a)} of ${n(b)} blocks in use` }, door: ["Waiting", "FIFO"], nobody: "queue is empty", more2: (k) => `and ${k} more`,
    turns: ["Schedule", "click a step"], turnsVllm: ["The same requests on stock vLLM", "block_size 16, no batch × tkv limit; both on one clock of engine steps"],
    legend: { p: "prefill, one chunk", d: "decode", "-": "paused, keeps its blocks", ".": "waiting", "~": "running, not in this step", P: "prefill", x: "preempted" },
    encoder: { batchTitle: () => ["Batch", "padded to a warm-up shape"], decodes: (k) => `texts: ${k}`, nothing: "No batch yet.", tkv: "prompt length of the shape", paid: () => "computed: the whole shape", carry: "tokens of texts", turns: ["Batches", "click a batch"], legend: { d: "in this batch", ".": "waiting" } }, padding: "padding: paid for, carries nothing", nothing: "No request decodes.", used2: "blocks in use",
  },
};
