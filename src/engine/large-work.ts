import { availableParallelism } from 'node:os';

/** Sizes above which unbounded threads would need more memory than bounded ones ever do. */
const smallWorkLimits = { episodes: 12_000, pictured_episodes: 2000, bytes: 400e6 };

/**
 * Returns true if work is so large that saving memory matters more than the last third of speed. Episodes with
 * pictures need more memory, so fewer of them count as large.
 */
export const isLarge = (episodes: number, bytes: number, hasPictures = false): boolean =>
  episodes > (hasPictures ? smallWorkLimits.pictured_episodes : smallWorkLimits.episodes) ||
  bytes > smallWorkLimits.bytes;

/** Returns the decoder processes of each thread of a run that goes to the blob store: one if it is large. */
export const decodersPerThread = (episodes: number, bytes: number, threads: number): number =>
  isLarge(episodes, bytes) ? 1 : Math.max(1, Math.floor(availableParallelism() / threads));
