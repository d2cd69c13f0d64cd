/** Beyond these, what unbounded threads hold is more than all that bounded ones ever take. */
const most = { episodes: 12_000, bytes: 400e6 };

/** Whether memory counts for more than the last third of speed. */
export const isLarge = (episodes: number, bytes: number): boolean =>
  episodes > most.episodes || bytes > most.bytes;
