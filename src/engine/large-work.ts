/** Sizes above which unbounded threads would need more memory than bounded ones ever do. */
const smallWorkLimits = { episodes: 12_000, pictured_episodes: 2000, bytes: 400e6 };

/**
 * Returns true if work is so large that saving memory matters more than the last third of speed. Episodes with
 * pictures need more memory, so fewer of them count as large.
 */
export const isLarge = (episodes: number, bytes: number, hasPictures = false): boolean =>
  episodes > (hasPictures ? smallWorkLimits.pictured_episodes : smallWorkLimits.episodes) ||
  bytes > smallWorkLimits.bytes;
