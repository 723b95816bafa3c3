/* The panels a page can ask for by name. A new panel is one file and one line here. */
import aisles from "./panels/aisles.js";
import answer from "./panels/answer.js";
import batch from "./panels/batch.js";
import beside from "./panels/beside.js";
import caption from "./panels/caption.js";
import carried from "./panels/carried.js";
import chunks from "./panels/chunks.js";
import door from "./panels/door.js";
import figures from "./panels/figures.js";
import formula from "./panels/formula.js";
import heads from "./panels/heads.js";
import headtable from "./panels/headtable.js";
import legend from "./panels/legend.js";
import limits from "./panels/limits.js";
import log from "./panels/log.js";
import meter from "./panels/meter.js";
import numbers from "./panels/numbers.js";
import paged from "./panels/paged.js";
import parts from "./panels/parts.js";
import prompts from "./panels/prompts.js";
import queue from "./panels/queue.js";
import quiz from "./panels/quiz.js";
import reading from "./panels/reading.js";
import room from "./panels/room.js";
import row from "./panels/row.js";
import slip from "./panels/slip.js";
import source from "./panels/source.js";
import story from "./panels/story.js";
import chapters from "./panels/story_chapters.js";
import picture from "./panels/story_picture.js";
import tale from "./panels/story_tale.js";
import transport from "./panels/transport.js";
import turns from "./panels/turns.js";
import visitors from "./panels/visitors.js";

export const PANELS = {
  aisles, answer, batch, beside, caption, carried, chapters, chunks, door, figures, formula, heads, headtable, legend, limits, log, meter, numbers, paged, parts, picture, prompts, queue, quiz, reading,
  room, row, slip, source, story, tale, transport, turns, visitors,
};
