/* The stage: panels by name over one clock. It holds what the viewer does (step, pin, pointing, words, view) and has
   every panel drawn anew when the step changes; the panels read, they never change anything but their own elements. */
import { Clock } from "./clock.js";
import { watchConnection } from "./connection.js";
import { el } from "./dom.js";
import { failedPanel } from "./fallback.js";
import { keysDialog, letGoOfLists, listen, listKeys } from "./keys.js";
import { Links } from "./links.js";
import { Motion } from "./motion.js";
import { PANELS } from "./panels.js";
import { Place } from "./place.js";
import { pointer } from "./pointer.js";
import { PRESENT_KEYS, watchPresenting } from "./present.js";
import { Quiz } from "./quiz.js";
import { isLarge } from "./sizes.js";
import { TakeAway } from "./take/menu.js";
import { isMarked, timelineOf } from "./timelines.js";
import { unpack } from "./timeline.js";
import { WORDS } from "./words.js";

const REST = 300; // ms

export class Stage {
  constructor(tell) {
    this.tell = tell; // (name, value): what Python must know
    this.clock = new Clock((mode) => this.draw(mode));
    this.rooms = [];
    this.packed = [];
    this.panels = []; // {name, room, panel}
    this.pin = null;
    this.hot = null;
    this.pointed = null; // the room pointed at
    this.reg = "room";
    this.view = { head: 0, zoom: 0 }; // what a page lets the viewer look at, kept in the URL
    this.dialog = keysDialog();
    this.links = new Links(this);
    this.motion = new Motion(this);
    this.place = new Place(this);
    this.quiz = new Quiz(this);
    this.clock.hold = (from, to) => this.quiz.hold(from, to);
    this.take = new TakeAway(this);
    this.body = el("div", { class: "body" });
    this.notice = el("div", { class: "notice", role: "status" });
    this.root = el("section", { class: "stage", tabindex: 0, "aria-label": "Stage. Space plays, left and right step, question mark lists the keys" }, this.notice, this.body, this.links.svg, this.motion.layer);
    this.el = el("div", { class: "frame" }, this.root, this.dialog, this.take.el);
    this.clock.isMarked = (i) => this.rooms.some((room) => room.tl.short || isMarked(room.tl.steps[Math.min(i, room.tl.last)]));
    pointer(this);
    this.unlisten = listen(this);
    this.unpresent = watchPresenting(this);
    this.unwatch = watchConnection(this.notice, () => this.words.lost);
    this.sizes = new ResizeObserver(() => this.resized());
    this.sizes.observe(this.root);
  }

  get words() {
    return WORDS[this.reg];
  }

  /** New data from Python: other runs, another layout, or a wish where to stand. */
  async update(data) {
    const first = !this.data;
    const changed = !first && data.runs.some((text, k) => text !== this.packed[k]);
    if (first || changed || data.runs.length !== this.packed.length) {
      const turn = (this.turn = (this.turn ?? 0) + 1);
      const wires = await Promise.all(data.runs.map(unpack));
      if (turn !== this.turn) return; // newer data came while this was unpacked
      this.clock.stop();
      // panels hold on to their room: it gets the new run, it is not replaced
      this.rooms = wires.map((wire, index) => Object.assign(this.rooms[index] ?? { index }, { tl: timelineOf(wire), i: 0, touched: new Set() }));
      this.packed = data.runs;
      this.clock.last = Math.max(...this.rooms.map((room) => room.tl.last));
    }
    const relay = first || JSON.stringify(data.layout) !== JSON.stringify(this.data.layout) || this.panels.some((entry) => entry.failed);
    const wish = data.open ?? {};
    const moved = wish.token !== this.data?.open?.token;
    this.data = data;
    this.offline = Boolean(data.offline); // in a file that stands alone: what needs a server is left out
    if (first) {
      this.reg = wish.register in WORDS ? wish.register : "room";
      if (new URL(location.href).searchParams.get("view") === "stage" || Place.aloneBefore()) this.setAlone(true);
    }
    if (moved && data.view) this.view = { ...this.view, ...data.view };
    for (const room of this.rooms) {
      room.tl.setHead?.(this.view.head);
      const news = changed && !moved && room.tl.wire.note; // what the viewer's own change did
      room.news = news ? { at: Math.min(this.clock.at, room.tl.last), words: news } : null;
    }
    this.quiz.update(data.quiz, changed);
    if (relay) this.compose();
    if (moved) {
      letGoOfLists();
      this.pin = Number.isInteger(wish.pin) && wish.pin < this.rooms[0].tl.numBlocks ? wish.pin : null;
      this.hot = null;
      this.build();
      this.clock.jump(wish.step ?? 0);
      if (Number.isInteger(wish.until) && wish.until > this.clock.at) this.clock.play(true, wish.until);
    } else {
      if (this.pin !== null && this.pin >= this.rooms[0].tl.numBlocks) this.pin = null;
      this.build();
      this.clock.go(this.clock.at);
    }
  }

  compose() {
    const made = [];
    this.body.replaceChildren(
      ...this.data.layout.map((row) => {
        const parts = row.map((spec) => {
          const [name, index] = spec.split(":");
          const room = this.rooms[Number(index ?? 0)];
          const panel = PANELS[name](this, room);
          made.push({ name, index: room.index, panel });
          return panel.el;
        });
        return row.length > 1 ? el("div", { class: `panels ${row.map((spec) => spec.split(":")[0]).join("-")}` }, ...parts) : parts[0];
      }),
    );
    this.take.placeIn(this.body);
    this.panels = made;
  }

  find(name, room) {
    return this.panels.find((entry) => entry.name === name && entry.index === room.index && !entry.failed)?.panel ?? null;
  }

  /** The panel that has the lists of blocks: visitors, or the prompts themselves. */
  lists = (room) => this.find("visitors", room) ?? this.find("prompts", room) ?? this.find("slip", room);

  /** The panel that has the shelves. */
  shelves = (room) => this.find("room", room) ?? this.find("reading", room);

  /** Each panel on its own: one that fails says so in its place and the others go on. */
  each(act) {
    for (const entry of this.panels) {
      try {
        act(entry.panel);
      } catch (error) {
        entry.failed = true;
        const instead = failedPanel(this, this.rooms[entry.index], entry.name, error);
        entry.panel.el.replaceWith(instead.el);
        entry.panel = instead;
      }
    }
  }

  build() {
    const large = this.rooms.every((room) => isLarge(room.tl.numBlocks));
    this.root.classList.toggle("many", !large);
    this.each((panel) => panel.build());
  }

  draw(mode) {
    if (!this.rooms.length || !this.panels.length) return;
    if (mode === "rest") {
      this.each((panel) => panel.rest?.());
      this.find("transport", this.rooms[0])?.draw(mode);
      return this.place.later();
    }
    this.motion.cancel();
    this.quiz.before();
    const moving = this.motion.allowed(mode);
    const was = moving ? this.motion.before(this.rooms) : null;
    for (const room of this.rooms) this.advance(room);
    this.each((panel) => panel.draw(mode));
    this.links.draw();
    if (moving) this.rooms.forEach((room, k) => this.motion.run(room, was[k]));
    this.place.later();
  }

  advance(room) {
    room.i = Math.min(this.clock.at, room.tl.last);
    room.state = room.tl.seek(room.i);
    room.step = room.tl.steps[room.i];
    const { x } = room.step;
    room.touched = new Set([...x.new, ...x.hit, ...x.fill, ...x.front, ...x.back]);
  }

  /** What the viewer has just done, in place of the step's caption until they move on; else the caption. */
  said(room) {
    const asked = this.quiz.says();
    if (asked !== null) return asked;
    const news = room.news;
    return news && news.at === room.i ? news.words[this.reg === "engine" ? 1 : 0] : this.caption(room, room.step);
  }

  caption = (room, step) => this.named(step.c[this.reg === "engine" ? 1 : 0]);

  /** A page may send other names for the hash classes than #0, #1, ...: the first digits of the hashes. */
  label = (hash) => this.data.labels?.[hash] ?? `#${hash}`;
  named(text) {
    return this.data.labels ? text.replace(/#(\d+)/g, (whole, hash) => this.data.labels[hash] ?? whole) : text;
  }

  nextRequest = (room) => room.tl.steps[Math.min(this.clock.at, room.tl.last)].r;

  /** The block the story is about: the pinned one, else what this step is about, else the last one. */
  subject(room) {
    if (this.pin !== null) return this.pin;
    const { x } = room.step;
    room.subject = x.new[0] ?? x.hit[0] ?? x.fill[0] ?? x.front[0] ?? x.back[0] ?? room.subject ?? 1;
    return Math.min(room.subject, room.tl.numBlocks - 1);
  }

  setPin(block) {
    this.pin = block === 0 ? null : block;
    this.clock.go(this.clock.at);
  }

  setRegister(reg) {
    if (reg === this.reg) return;
    this.reg = reg;
    this.build();
    this.clock.go(this.clock.at);
    clearTimeout(this.telling); // the page follows when the hand rests: each word of it is a run of its script
    this.telling = setTimeout(() => this.tell("register", this.reg), REST);
  }

  setAlone(on) {
    this.alone = on;
    this.el.classList.toggle("alone", on);
    document.documentElement.classList.toggle("pagedviz-alone", on);
    if (on) this.root.focus({ preventScroll: true });
    this.resized();
    this.place.later();
  }

  escape() {
    if (this.quiz.asking) this.quiz.skip();
    else if (this.pin !== null || this.hot !== null) {
      this.hot = null;
      this.setPin(null);
    } else if (this.alone) this.setAlone(false);
  }

  point(room, block) {
    if (block === this.hot && room === this.pointed) return;
    this.hot = block === 0 ? null : block;
    this.pointed = room;
    this.links.draw();
  }

  help() {
    const more = this.panels.flatMap((entry) => entry.panel.keyList ?? []);
    listKeys(this.dialog, this.canPresent ? [...more, ...PRESENT_KEYS] : more, this.rooms[0]?.tl.keyList);
    this.dialog.showModal();
  }

  resized() {
    if (!this.rooms.length || this.root.clientWidth === this.width) return;
    this.width = this.root.clientWidth;
    this.repaint();
  }

  /** Sizes or the theme changed: canvases are painted anew, lines drawn anew. */
  repaint() {
    this.motion.cancel();
    this.each((panel) => panel.resize?.());
    this.links.draw();
  }

  stop() {
    this.clock.stop();
    clearTimeout(this.telling);
    this.place.stop();
    this.unlisten();
    this.unpresent();
    this.quiz.stop();
    this.unwatch();
    this.sizes.disconnect();
    document.documentElement.classList.remove("pagedviz-alone");
  }
}
