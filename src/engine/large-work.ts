/** Beyond these, what unbounded threads hold is more than all that bounded ones ever take. */
const most = { episodes: 12_000, pictured_episodes: 2000, bytes: 400e6 };

/**
 * Whether memory counts for more than the last third of speed. Episodes with pictures hold more, and their speed is that of
 * decoding.
 */
export const isLarge = (episodes: number, bytes: number, hasPictures = false): boolean =>
  episodes > (hasPictures ? most.pictured_episodes : most.episodes) || bytes > most.bytes;
