/* Which timeline a run needs, by the kind that was sent. */
import { AttentionTimeline } from "./attention.js";
import { PlainTimeline } from "./plain_timeline.js";
import { ReservationTimeline } from "./reservation.js";
import { SpyreTimeline, TradeOff } from "./spyre.js";
import { StoryTimeline } from "./story.js";
import { Timeline } from "./timeline.js";

const KINDS = { attention: AttentionTimeline, tradeoff: TradeOff, spyre: SpyreTimeline, vllm: SpyreTimeline, reservation: ReservationTimeline, story: StoryTimeline };

export function timelineOf(wire) {
  const Kind = wire.kind ? (KINDS[wire.kind] ?? PlainTimeline) : Timeline;
  return new Kind(wire);
}
