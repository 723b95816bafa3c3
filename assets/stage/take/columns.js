/* What the steps of each kind of run have in numbers, as columns of a table: read off what was sent, nothing worked out
   but counts. Leaves out: which block lies where; that is in the run's own file. */
import { plain } from "../dom.js";
import { parts } from "../story.js";

const letters = (tl, list) => (list ?? []).map((entry) => tl.requests[Array.isArray(entry) ? entry[0] : entry]?.letter).join(" ");
const bare = (text) => (text ? parts(text).map((part) => part.text).join("") : "");

const BLOCKS = [
  ["scheduler_step", (step) => step.tick],
  ["operation", (step) => step.op],
  ["request", (step, tl) => tl.requests[step.r]?.id],
  ["letter", (step, tl) => tl.requests[step.r]?.letter],
  ["event", (step) => step.kinds.join(" ")],
  "captions",
  ...["blocks_in_use", "unfilled_places", "blocks_kept", "blocks_empty", "blocks_shared"].map((name, k) => [name, (step) => step.m?.[k]]),
];

const SPYRE = [
  ["engine_step", (step) => step.t],
  ["kind", (step) => step.k],
  ["event", (step) => step.kinds.join(" ")],
  "captions",
  ["decoding", (step) => step.rows?.length],
  ["running", (step, tl) => letters(tl, step.run)],
  ["paused", (step, tl) => letters(tl, step.pa)],
  ["waiting", (step, tl) => letters(tl, step.wait)],
  ["tkv", (step) => step.tkv],
  ["batch_x_tkv", (step) => step.vol],
  ["limit", (step, tl) => tl.wire.limit],
  ["blocks_held", (step) => step.m?.[0]],
  ["blocks_promised", (step) => step.m?.[1]],
  ["blocks_free", (step) => step.m?.[2]],
];

const LIMIT = [
  "captions",
  ["context", (step) => step.context],
  ["requests", (step) => step.batch],
  ["product", (step) => step.product],
  ["limit", (step, tl) => tl.wire.limit],
  ["binds", (step) => step.binds.join(" ")],
];

const READING = [
  ["query_head", (step, tl) => tl.head],
  ["phase", (step) => step.phase],
  ["logical_block", (step) => (step.line < 0 ? "" : step.line)],
  ["block", (step, tl) => tl.wire.lines[step.line]?.b],
  ["event", (step) => step.kinds.join(" ")],
  "captions",
  ["running_max", (step, tl) => finite(tl.look(step.i).m)],
  ["correction", (step, tl) => tl.look(step.i).alpha],
  ["sum", (step, tl) => tl.look(step.i).sum],
];
const finite = (value) => (Number.isFinite(value) ? value : null);

const STORY = [
  ["scene", (step, tl) => tl.placeOf(step.i).scene],
  ["beat", (step, tl) => tl.placeOf(step.i).beat],
  "captions",
  ["calculation_storage_room", (step) => bare(step.calc?.[0])],
  ["calculation_engine", (step) => bare(step.calc?.[1])],
  ["source", (step) => bare(step.source?.[1])],
];

/** Two sides: the slots of each by kind, as the page counts them. */
const sides = (tl) => [
  ["engine_step", (step) => step.tick],
  ["event", (step) => step.kinds.join(" ")],
  "captions",
  ...["L", "R"].flatMap((side) => {
    const name = side === "L" ? "reserved" : "paged";
    return [
      [`${name}_inside`, (step) => tl.wire.inside[side][step.i]],
      [`${name}_waiting`, (step) => letters(tl, step[side].waits)],
      ...tl.wire.kinds[side].map(({ kind }, k) => [`${name}_slots_${kind}`, (step) => step[side].m[k]]),
      [`${name}_slots_given`, (step) => step[side].e[1]],
      [`${name}_slots_given_but_empty`, (step) => step[side].e[0]],
    ];
  }),
];

const KINDS = { attention: () => READING, tradeoff: () => LIMIT, spyre: () => SPYRE, vllm: () => SPYRE, reservation: sides, story: () => STORY };

/** Columns as [name, value of a step] for one timeline, both captions among them. */
export function columnsOf(tl, caption) {
  const own = tl.wire.kind ? (KINDS[tl.wire.kind]?.(tl) ?? ["captions"]) : BLOCKS;
  const said = ["storage_room", "engine"].map((name, k) => [name, (step) => plain(caption(step.c[k]))]);
  return [["step", (step) => step.i], ...own.flatMap((column) => (column === "captions" ? said : [column]))].map(([name, value]) => [name, (step) => value(step, tl)]);
}
