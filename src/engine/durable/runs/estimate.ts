import type { RunPlan } from '#core/api';
import type { RunRow } from '#store';

/** Seconds of one thread, as measured on a laptop: an episode, a megabyte of its numbers, a clip of a camera. */
const cost_s = { episode: 0.0012, megabyte: 0.02, clip: 0.06 };

/** Seconds of one thread that measuring and judging these datasets is expected to take. */
export function plannedRunSeconds(datasets: RunPlan['datasets']): number {
  return datasets.reduce(
    (sum, { episodes, bytes, cameras }) =>
      sum + episodes * (cost_s.episode + cameras.length * cost_s.clip) + (bytes / 1e6) * cost_s.megabyte,
    0,
  );
}

/** Of judging again what is measured: no more than what an episode takes without its numbers. */
export const rescoreSeconds = (episodes: number): number => episodes * cost_s.episode;

/** What is left of a run's estimate; measuring and judging an episode count alike, which is near enough to plan with. */
export function secondsLeft(run: RunRow): number {
  const { type, estimate_s, episodes_expected, episodes_measured, episodes_judged, episodes_unreadable } =
    run;
  const [done, total] =
    type === 'rescore'
      ? [episodes_judged, episodes_measured]
      : [episodes_measured + episodes_judged + 2 * episodes_unreadable, 2 * episodes_expected];
  return total === 0 ? estimate_s : estimate_s * Math.max(0, 1 - done / total);
}
