import type { RunPlan } from '#contract';

/** Seconds of one thread, as measured on a laptop: an episode, a megabyte of its numbers, a clip of a camera. */
const cost_s = { episode: 0.0012, megabyte: 0.02, clip: 0.06 };

/** Seconds of one thread that measuring and judging these datasets is expected to take. */
export function plannedSeconds(datasets: RunPlan['datasets']): number {
  return datasets.reduce(
    (sum, { episodes, bytes, cameras }) =>
      sum + episodes * (cost_s.episode + cameras.length * cost_s.clip) + (bytes / 1e6) * cost_s.megabyte,
    0,
  );
}

/** Of judging again what is measured: no more than what an episode takes without its numbers. */
export const rescoreSeconds = (episodes: number): number => episodes * cost_s.episode;
