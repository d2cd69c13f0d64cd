import { availableParallelism } from 'node:os';

/** Sizes above which unbounded threads would need more memory than bounded ones ever do. */
const smallWorkLimits = { episodes: 12_000, pictured_episodes: 2000, bytes: 400e6 };

/**
 * Returns true if work exceeds 12,000 episodes (2,000 with pictures) or 400 MB, so that saving memory matters more than the
 * last third of speed.
 */
export const isLarge = (episodes: number, bytes: number, hasPictures = false): boolean =>
  episodes > (hasPictures ? smallWorkLimits.pictured_episodes : smallWorkLimits.episodes) ||
  bytes > smallWorkLimits.bytes;

/**
 * Returns the number of decoder processes per thread: one for large work (`isLarge`), else the cores divided by the threads,
 * at least one.
 */
export const decodersPerThread = (episodes: number, bytes: number, threads: number): number =>
  isLarge(episodes, bytes) ? 1 : Math.max(1, Math.floor(availableParallelism() / threads));
