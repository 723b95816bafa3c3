/* The story as a timeline: a step is a beat. It knows which scene a step belongs to, and gives the URL scene and beat
   in place of the step. */
import { PlainTimeline } from "./plain_timeline.js";

export const KEYS = [
  ["Space, Right, PageDown", "next beat"],
  ["Left, PageUp", "one beat back"],
  ["1 … 7", "go to a scene"],
  ["Home, End", "first beat, last beat"],
  ["E", "switch the words: storage room or engine"],
  ["F", "the story alone, and back"],
  ["?", "this list"],
];

/** The parts of a sentence: plain text, or words with the key of what they light up. */
export function parts(text) {
  return text.split(/(⟦[^⟧]+⟧)/).filter(Boolean).map((part) => {
    if (!part.startsWith("⟦")) return { text: part };
    const [key, words] = part.slice(1, -1).split("|");
    return { key, text: words };
  });
}

export class StoryTimeline extends PlainTimeline {
  constructor(wire) {
    super(wire);
    this.scenes = wire.scenes;
    this.short = true; // the Page keys stop at every beat
    this.keyList = KEYS;
  }

  /** `says` has the marks of words that light up, `c` is the bare sentence that every stage can show. */
  complete(step, i) {
    const bare = (text) => parts(text).map((part) => part.text).join("");
    return super.complete(step, i, { says: step.c, c: step.c.map(bare) });
  }

  sceneOf(i) {
    return this.scenes[this.steps[i].s];
  }

  /** What stands in the URL: both counted from 1. */
  placeOf(i) {
    const { s } = this.steps[i];
    return { scene: s + 1, beat: i - this.scenes[s].first + 1 };
  }
}
