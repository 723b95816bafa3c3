/* From how many blocks on the room is drawn smaller. */

const LARGE_MOST = 96;
const MEDIUM_MOST = 1024;
export const isLarge = (numBlocks) => numBlocks <= LARGE_MOST;
export const isMedium = (numBlocks) => numBlocks > LARGE_MOST && numBlocks <= MEDIUM_MOST;
