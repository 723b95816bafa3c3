/* One run, as it was sent: a state to start from and what each step changed (pagedviz/timeline/wire.py has the
   form). This file only puts the sent values in place; it works out none of its own. Seeking goes to the nearest
   copy kept on the way and forward from there, so a step back is as exact as a step forward. */

const NOBODY = Object.freeze([]);
const NOTHING = Object.freeze([]);
const COPY_AFTER = 4000; // changed values after which another copy of the state is kept

const EFFECTS = ["new", "hit", "ev", "front", "back", "stay", "fill", "lab", "unlab"];

/** A step with every list present, so that panels need not ask. */
function complete(step, i) {
  const x = step.x ?? {};
  const effects = Object.fromEntries(EFFECTS.map((name) => [name, x[name] ?? NOTHING]));
  return { ...step, i, r: step.r ?? -1, refused: step.no === 1, x: effects, kinds: step.kinds ?? NOTHING };
}

export class Timeline {
  constructor(wire) {
    this.wire = wire;
    this.numBlocks = wire.num_blocks;
    this.blockSize = wire.block_size;
    this.requests = wire.requests;
    this.steps = wire.steps.map(complete);
    this.last = this.steps.length - 1;
    this.single = this.requests.map((_, r) => Object.freeze([r]));
    this.copies = new Map(); // step -> copy of the state after it
    this.state = this.empty();
    this.at = -1;
    this.cost = 0;
    this.fillBefore = new Map(); // block -> fill before the step last applied
    this.memo = new Map(); // block -> its story
    this.seek(0);
  }

  empty() {
    return {
      owners: new Array(this.numBlocks).fill(NOBODY), // block -> request numbers, in order of admission
      fill: new Int32Array(this.numBlocks), // block -> tokens on it
      hash: new Int32Array(this.numBlocks).fill(-1), // block -> hash class, -1 if it has none
      queue: [], // free blocks, head first
      tables: new Map(), // request -> block ids
      counts: new Map(), // request -> [tokens, computed tokens, status]
    };
  }

  /** The state after step i (0 is the start). The object stays valid until the next seek. */
  seek(i) {
    if (i === this.at) return this.state;
    let from = this.at;
    if (i < from || i > from + 64) {
      const near = Math.max(-1, ...[...this.copies.keys()].filter((k) => k <= i));
      if (i < from || near > from) {
        this.state = near < 0 ? this.empty() : copyOf(this.copies.get(near));
        from = near;
      }
    }
    for (let k = from + 1; k <= i; k++) this.apply(k);
    this.at = i;
    return this.state;
  }

  apply(k) {
    const { b = NOTHING, w, f, h, q, t, k: counts } = this.steps[k];
    const state = this.state;
    this.fillBefore.clear();
    b.forEach((id, j) => {
      this.fillBefore.set(id, state.fill[id]);
      const owner = w[j];
      state.owners[id] = Array.isArray(owner) ? owner : owner < 0 ? NOBODY : this.single[owner];
      state.fill[id] = f[j];
      state.hash[id] = h[j];
    });
    if (q) state.queue = queueAfter(state.queue, q);
    for (const [r, change] of Object.entries(t ?? {})) {
      if (change === null) state.tables.delete(+r);
      else state.tables.set(+r, (state.tables.get(+r) ?? []).slice(0, change[0]).concat(change[1]));
    }
    for (const [r, values] of Object.entries(counts ?? {})) {
      if (values[2] === 3) state.counts.delete(+r);
      else state.counts.set(+r, values);
    }
    this.cost += b.length + 30;
    if (this.cost > COPY_AFTER && !this.copies.has(k)) {
      this.copies.set(k, copyOf(state));
      this.cost = 0;
    }
  }

  /** Requests inside (they hold blocks) and at the door, both in order of arrival, after the step last sought. */
  inside() {
    return [...this.state.tables.keys()].sort((a, b) => a - b);
  }
  waiting() {
    return [...this.state.counts.keys()].filter((r) => !this.state.tables.has(r)).sort((a, b) => a - b);
  }

  /** What one block went through: who held it from when to when, and each step that did something to it. */
  story(block) {
    if (this.memo.has(block)) return this.memo.get(block);
    const spans = [];
    const events = [];
    let owners = NOBODY;
    let hash = -1;
    for (const step of this.steps) {
      const j = step.b ? step.b.indexOf(block) : -1;
      if (j >= 0) {
        const owner = step.w[j];
        owners = Array.isArray(owner) ? owner : owner < 0 ? NOBODY : this.single[owner];
        hash = step.h[j];
      }
      const kept = owners.length === 0 && hash >= 0;
      const key = kept ? "kept" : owners.join();
      const span = spans.at(-1);
      if (span && span.key === key) span.to = step.i + 1;
      else spans.push({ key, owners, kept, from: step.i, to: step.i + 1 });
      if (step.op) collect(step, block, owners, events);
    }
    const story = { spans: spans.filter((span) => span.key), events };
    this.memo.set(block, story);
    return story;
  }
}

function queueAfter(queue, [popped, removed, prepended, appended]) {
  let rest = popped ? queue.slice(popped) : queue;
  if (removed.length) {
    const gone = new Set(removed);
    rest = rest.filter((id) => !gone.has(id));
  }
  return prepended.length || appended.length ? [...prepended, ...rest, ...appended] : rest.slice();
}

function copyOf(state) {
  return {
    owners: state.owners.slice(),
    fill: state.fill.slice(),
    hash: state.hash.slice(),
    queue: state.queue.slice(),
    tables: new Map(state.tables), // the lists inside are replaced, never changed
    counts: new Map(state.counts),
  };
}

/** The events of one step that concern one block, in the order in which they happened. */
function collect(step, block, owners, events) {
  const { x, i, r } = step;
  const push = (kind, more) => events.push({ i, kind, r, ref: owners.length, ...more });
  const thrown = x.ev.find((pair) => pair[0] === block);
  if (x.new.includes(block)) push("handed", { hash: thrown ? thrown[1] : -1 });
  if (x.hit.includes(block)) push(owners.length > 1 ? "shared" : "found");
  const label = x.lab.find((pair) => pair[0] === block);
  if (label) push("labelled", { hash: label[1] });
  const lost = x.unlab.find((pair) => pair[0] === block);
  if (lost) push("unlabelled", { hash: lost[1] });
  if (x.front.includes(block)) push("freed", { op: step.op, kept: false });
  if (x.back.includes(block)) push("freed", { op: step.op, kept: true });
  if (x.stay.includes(block)) push("stays", { op: step.op });
}

/** Text from Python back into the run it came from: base64 of gzipped JSON. */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
