/* The panels a page can ask for by name. A new panel is one file and one line here. */
import caption from "./panels/caption.js";
import chunks from "./panels/chunks.js";
import legend from "./panels/legend.js";
import log from "./panels/log.js";
import meter from "./panels/meter.js";
import numbers from "./panels/numbers.js";
import prompts from "./panels/prompts.js";
import queue from "./panels/queue.js";
import room from "./panels/room.js";
import source from "./panels/source.js";
import story from "./panels/story.js";
import transport from "./panels/transport.js";
import visitors from "./panels/visitors.js";

export const PANELS = { caption, chunks, legend, log, meter, numbers, prompts, queue, room, source, story, transport, visitors };
