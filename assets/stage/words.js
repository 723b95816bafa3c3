/* The words on the furniture of the stage, in both registers: the storage room's and the engine's. What happened in
   a step is not said here: that sentence comes with the step (pagedviz/timeline/captions.py). */

import { ATTENTION_WORDS } from "./attention_words.js";
import { RESERVATION_WORDS } from "./reservation_words.js";
import { SPYRE_WORDS } from "./spyre_words.js";

const s = (n, one, many) => `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;

export const WORDS = {
  room: {
    register: "Storage room",
    visitors: ["Visitors and their lists", () => "under the boxes: the shelf they stand on"],
    room: ["Storage room", (bs) => `one shelf holds ${s(bs, "box", "boxes")}; shelf 0 is never given out`],
    queue: ["Free shelves", "next one at the left"],
    nobodyInside: "Nobody is inside.",
    door: "At the door",
    nobodyWaits: "nobody",
    tokens: (n) => s(n, "box", "boxes"),
    hand: "in hand",
    refused: "refused",
    sentBack: "sent back",
    no: (need, free, never) => (never ? `refused for ever, needs ${never}` : `refused, needs ${need}, ${free} free`),
    slip: (need) => `needs ${need}`,
    queueEmpty: "empty: every shelf is taken",
    free: "free",
    more: (n) => `${n} more`,
    moreVisitors: (n) => `and ${s(n, "more visitor", "more visitors")} inside`,
    moreWaiting: (n) => `and ${n} more`,
    meter: {
      used: ["shelves in use", "of"],
      gaps: "empty places on them",
      ofUsed: (share) => `(${share} of what is in use)`,
      kept: "free, boxes kept",
      empty: "free, empty",
    },
    lanes: { share: "shared", evict: "thrown out", refuse: "refused", preempt: "sent back", door: "kept waiting", correct: "shrinks", pause: "sits out", leave: "leaves" },
    kinds: {
      new: "new shelf", share: "shared", evict: "thrown out", refuse: "refused",
      preempt: "sent back", leave: "leaves", clear: "cleared",
    },
    kept: "kept",
    shelf: (b) => `Shelf ${b}`,
    shelfIs(b, owners, fill, size, label) {
      if (b === 0) return "Shelf 0, never given out";
      if (owners.length) {
        const who = `visitor${owners.length > 1 ? "s" : ""} ${owners.join(" and ")}`;
        return `Shelf ${b}, ${fill} of ${size} boxes, ${who}${label >= 0 ? `, label ${label}` : ""}`;
      }
      return label >= 0 ? `Shelf ${b}, free, boxes kept, label ${label}` : `Shelf ${b}, free and empty`;
    },
    story: {
      title: (b) => `The story of shelf ${b}`,
      follows: "follows the action: click a shelf to pin it",
      pinned: "pinned: Esc lets go",
      never: "never handed out in this run",
      owners: "on the lists of",
      nobody: "nobody",
      ref: () => "",
      fill: "boxes",
      hash: "label",
      noHash: (held) => (held ? "none: not full yet" : "none: nothing kept here"),
      chain: (h, parent) => `#${h}, ${parent < 0 ? "first of its chain" : `follows #${parent}`}`,
      queue: "in the queue",
      place: (k, n) => `place ${k} of ${n}`,
      notQueued: "no",
    },
    event: {
      handed: (e, L) => `handed to ${L}${e.hash >= 0 ? `, #${e.hash} thrown out` : ""}`,
      shared: (e, L) => `${L} shares it`,
      found: (e, L) => `${L} finds it again`,
      labelled: (e) => `full, gets label #${e.hash}`,
      unlabelled: (e) => `label #${e.hash} taken off`,
      freed: (e, L) => `${L} ${e.op === "preempt" ? "is sent back" : "leaves"}${e.kept ? ", boxes kept" : ", to the front of the queue"}`,
      stays: (e, L) => `${L} ${e.op === "preempt" ? "is sent back" : "leaves"}, others still use it`,
    },
    numbers: {
      title: "At this step", head: ["", "shelves", "boxes", "of the room"],
      used: "used", gaps: "wasted: empty places", shared: "shared", kept: "kept for reuse", free: "free and empty", all: "the whole room",
    },
    log: { title: "Event log", lead: "every step that changed who has what", all: "everybody", who: "Visitor", save: "Download as CSV", none: "Nothing of note happens in this run." },
    step: "step",
    source: { title: "The engine's own code for this step", lead: "what really ran, from the program that drew this picture" },
    legend: "How to read a shelf",
    prompts: {
      prompt: (L) => `What visitor ${L} brings`,
      add: "Add a visitor",
      drag: "drag to change who comes when",
      up: "comes earlier", down: "comes later", remove: "remove",
      levers: "more",
      salt: "secret word", adapter: "way of reading", answer: "then writes", leaves: "leaves",
      stays: "stays",
      leavesAfter: (n) => (n === 0 ? "as soon as all is in place" : n === 1 ? "after one more came" : `after ${n} more came`),
      tokens: (n) => s(n, "box", "boxes"),
      found: (n) => `of ${s(n, "box", "boxes")} found`,
      fresh: "new", notFull: "not full",
      more: (n) => s(n, "more shelf", "more shelves"),
    },
    chunks: {
      title: "The same boxes in another house",
      nobody: "nobody has come in yet",
      lead: (L, n) => `what visitor ${L} brings, ${n} in all: found shelf by shelf, and found only by whole cartloads`,
      vllm: (size) => `Shelves of ${size}`,
      vllmNote: (row) => `the usual size; every shelf found is saved`,
      spyre: (chunk) => `Cartloads of ${chunk}`,
      spyreNote: (row) => `shelves of ${row.block}; ${row.skipped} of ${s(row.chunks, "cartload", "cartloads")} saved`,
      skipped: "saved", computed: "worked out",
      reused: (n) => `boxes saved, ${n} worked out`,
      spoken: (row) => `${row.reused} of ${row.tokens} boxes saved`,
    },
    attention: ATTENTION_WORDS.room,
    reservation: RESERVATION_WORDS.room,
    spyre: SPYRE_WORDS.room,
    lost: "The connection to the server is lost. This run still plays; anything that changes it needs the server.",
  },
  engine: {
    register: "Engine",
    visitors: ["Requests and block tables", () => "logical blocks above, block ids below"],
    room: ["Block pool", (bs) => `block_size ${bs}; block 0 is the null block`],
    queue: ["Free queue", "head at the left"],
    nobodyInside: "No running request.",
    door: "Waiting",
    nobodyWaits: "none",
    tokens: (n) => s(n, "token", "tokens"),
    hand: "not computed",
    refused: "None",
    sentBack: "preempted",
    no: (need, free, never) => (never ? `None for ever, needs ${never}` : `None, needs ${need}, ${free} free`),
    slip: (need) => `needs ${need}`,
    queueEmpty: "empty: every ref_cnt > 0",
    free: "free",
    more: (n) => `${n} more`,
    moreVisitors: (n) => `and ${s(n, "more running request", "more running requests")}`,
    moreWaiting: (n) => `and ${n} more`,
    meter: {
      used: ["blocks in use", "of"],
      gaps: "unfilled slots in them",
      ofUsed: (share) => `(${share} of the slots in use)`,
      kept: "free, cached",
      empty: "free, no hash",
    },
    lanes: { share: "hit", evict: "eviction", refuse: "refusal", preempt: "preemption", door: "not admitted", correct: "α < 1", pause: "paused", leave: "finished" },
    kinds: {
      new: "new block", share: "hit", evict: "eviction", refuse: "refusal",
      preempt: "preempt", leave: "free", clear: "reset",
    },
    kept: "cached",
    shelf: (b) => `Block ${b}`,
    shelfIs(b, owners, fill, size, label) {
      if (b === 0) return "Block 0, the null block";
      if (owners.length) {
        const who = `ref_cnt ${owners.length}, request${owners.length > 1 ? "s" : ""} ${owners.join(" and ")}`;
        return `Block ${b}, ${fill} of ${size} tokens, ${who}${label >= 0 ? `, hash ${label}` : ""}`;
      }
      return label >= 0 ? `Block ${b}, free, cached, hash ${label}` : `Block ${b}, free, no hash`;
    },
    story: {
      title: (b) => `History of block ${b}`,
      follows: "follows the operation: click a block to pin it",
      pinned: "pinned: Esc lets go",
      never: "never allocated in this run",
      owners: "owners, ref_cnt",
      nobody: "none, 0",
      ref: (n) => ` ${n}`,
      fill: "fill",
      hash: "hash, parent",
      noHash: (held) => (held ? "none: not full" : "none"),
      chain: (h, parent) => `#${h}, ${parent < 0 ? "parent NONE_HASH" : `parent #${parent}`}`,
      queue: "free queue",
      place: (k, n) => `position ${k} of ${n}`,
      notQueued: "no",
    },
    event: {
      handed: (e, L) => `popleft for ${L}${e.hash >= 0 ? `, BlockRemoved #${e.hash}` : ""}`,
      shared: (e, L) => `hit by ${L}, ref_cnt ${e.ref}`,
      found: (e, L) => `hit by ${L}, out of the free queue, ref_cnt ${e.ref}`,
      labelled: (e) => `full, BlockStored #${e.hash}`,
      unlabelled: (e) => `hash #${e.hash} dropped`,
      freed: (e, L) => `${e.op} ${L}, ref_cnt 0, ${e.kept ? "tail of the queue" : "head of the queue"}`,
      stays: (e, L) => `${e.op} ${L}, ref_cnt ${e.ref}`,
    },
    numbers: {
      title: "At this step", head: ["", "blocks", "tokens", "of the pool"],
      used: "used", gaps: "unfilled tails", shared: "shared (ref_cnt > 1)", kept: "free, cached", free: "free, no hash", all: "usable pool",
    },
    log: { title: "Event log", lead: "every step that changed the block tables or the cache", all: "all requests", who: "Request", save: "Download as CSV", none: "Nothing of note happens in this run." },
    step: "step",
    source: { title: "The engine's own code for this step", lead: "what really ran, from the program that drew this picture" },
    legend: "How to read a block",
    prompts: {
      prompt: (L) => `Prompt of request ${L}`,
      add: "Add a request",
      drag: "drag to change the order of arrival",
      up: "earlier", down: "later", remove: "remove",
      levers: "more",
      salt: "cache_salt", adapter: "LoRA adapter", answer: "output", leaves: "finishes",
      stays: "keeps running",
      leavesAfter: (n) => (n === 0 ? "once prefilled" : n === 1 ? "after one more arrival" : `after ${n} more arrivals`),
      tokens: (n) => s(n, "token", "tokens"),
      found: (n) => `of ${s(n, "token", "tokens")} hit`,
      fresh: "new", notFull: "not full",
      more: (n) => s(n, "more block", "more blocks"),
    },
    chunks: {
      title: "The same prompt by block and by chunk",
      nobody: "nothing admitted yet",
      lead: (L, n) => `request ${L}, ${n} tokens: vLLM reuses blocks, IBM Spyre whole chunks`,
      vllm: (size) => `vLLM, blocks of ${size}`,
      vllmNote: () => "the default; every block hit is reused",
      spyre: (chunk) => `Spyre, chunks of ${chunk}`,
      spyreNote: (row) => `blocks of ${row.block}; padding ${row.left}; ${row.skipped} of ${s(row.chunks, "chunk", "chunks")} skipped`,
      skipped: "skipped", computed: "computed",
      reused: (n) => `tokens reused, ${n} computed`,
      spoken: (row) => `${row.reused} of ${row.tokens} tokens reused`,
    },
    attention: ATTENTION_WORDS.engine,
    reservation: RESERVATION_WORDS.engine,
    spyre: SPYRE_WORDS.engine,
    lost: "The connection to the server is lost. This run still plays; anything that changes it needs the server.",
  },
};

/** The one kind a step is listed under: a new block is only named when nothing rarer happened. */
export const mainKind = (step) => step.kinds.find((kind) => kind !== "new") ?? step.kinds[0];

export const LEGEND = [
  { look: "used", fill: 3, room: ["Partly filled", "Dashed places are empty: the only waste. No label, so nobody else can find it."],
    engine: ["Partly filled", "Unfilled slots are the only waste. No hash yet: it cannot be hit."] },
  { look: "used", fill: 4, label: 3, room: ["Full and labelled", "The solid plate says what stands here. From now on it can be shared."],
    engine: ["Full and hashed", "The plate is the hash in the index. From now on it can be hit."] },
  { look: "shared", fill: 4, label: 3, room: ["Shared", "One tag per owner, boxes in bands, a double frame. The boxes stand here once."],
    engine: ["Shared", "ref_cnt 2 or more: one band per owner, a double frame. Stored once."] },
  { look: "kept", fill: 4, label: 3, room: ["Free, boxes kept", "Nobody owns it; it waits in the queue. Still labelled, so a visitor can find it again."],
    engine: ["Free, cached", "ref_cnt 0, in the free queue with its hash: can be hit until it is evicted."] },
  { look: "used", fill: 1, thrown: 3, room: ["Just thrown out", "The old label is struck out for one step; the old boxes fall off."],
    engine: ["Just evicted", "The old hash is struck out for one step: BlockRemoved."] },
  { look: "free", fill: 0, room: ["Free and empty", "In the queue. Nothing to find."], engine: ["Free, no hash", "In the free queue. Nothing to hit."] },
];
