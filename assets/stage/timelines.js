/* Which timeline a run needs, by the kind that was sent. */
import { AttentionTimeline } from "./attention.js";
import { PlainTimeline } from "./plain_timeline.js";
import { ReservationTimeline } from "./reservation.js";
import { SpyreTimeline, TradeOff } from "./spyre.js";
import { StoryTimeline } from "./story.js";
import { Timeline } from "./timeline.js";
import { mainKind } from "./words.js";

const KINDS = { attention: AttentionTimeline, tradeoff: TradeOff, spyre: SpyreTimeline, vllm: SpyreTimeline, reservation: ReservationTimeline, story: StoryTimeline };

export function timelineOf(wire) {
  const Kind = wire.kind ? (KINDS[wire.kind] ?? PlainTimeline) : Timeline;
  return new Kind(wire);
}

/** Where the Page keys stop: everything but quiet writing and a plain new block. */
export const isMarked = (step) => step.kinds.length > 0 && mainKind(step) !== "new";
