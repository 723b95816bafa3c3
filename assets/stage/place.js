/* The place in the URL: what the page asked to be kept there, the step, the pinned block, the words and whether the
   stage stands alone. Written when playback rests, by replaceState, so that the page does not run again. */

const REST = 250; // ms without a step before the URL is written
const MEMORY = "pagedviz.view"; // words and view survive a change of page; the URL wins

export class Place {
  constructor(stage) {
    this.stage = stage;
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), REST);
  }

  write() {
    const { stage } = this;
    if (stage.offline) return; // a file keeps its name
    if (stage.clock.playing) return this.later();
    const url = new URL(location.href);
    const { params = {}, known = [] } = stage.data.url ?? {};
    for (const name of [...known, "step", "pin", "words", "view"]) url.searchParams.delete(name);
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    const place = stage.rooms[0]?.tl.placeOf?.(stage.clock.at) ?? { step: stage.clock.at };
    for (const [name, value] of Object.entries(place)) url.searchParams.set(name, value);
    for (const [name, value] of Object.entries(stage.view)) {
      url.searchParams.delete(name);
      if (value) url.searchParams.set(name, value);
    }
    if (stage.pin !== null) url.searchParams.set("pin", stage.pin);
    if (stage.reg !== "room") url.searchParams.set("words", stage.reg);
    if (stage.alone) url.searchParams.set("view", "stage");
    if (url.href !== location.href) history.replaceState(history.state, "", url);
    try {
      sessionStorage.setItem(MEMORY, JSON.stringify({ alone: stage.alone }));
    } catch {
      // storage switched off: the URL still has it
    }
  }

  /** Whether the viewer left the last page with the stage alone. */
  static aloneBefore() {
    try {
      return JSON.parse(sessionStorage.getItem(MEMORY) ?? "{}").alone === true;
    } catch {
      return false;
    }
  }

  stop() {
    clearTimeout(this.timer);
  }
}
