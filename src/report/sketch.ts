import type { CameraEvidence, Episode } from '#episode';
import type { EpisodeSketch } from './sketch-types.ts';

export interface SketchOptions {
  /** Codes an episode may hold in all (2 bytes each); fewer for datasets of many episodes. See `sketchBudget`. */
  readonly codes?: number;
}

/** Codes an episode's sketch may hold, so that the report of a large dataset stays within reach. */
export function sketchBudget(episodes: number): number {
  return episodes > 20_000 ? 6_000 : episodes > 2_000 ? 12_000 : 24_000;
}

/** Reduces an episode to what the report draws, every extreme kept. */
export function sketchEpisode(
  _episode: Episode,
  _cameras: ReadonlyMap<string, CameraEvidence>,
  _options: SketchOptions = {},
): EpisodeSketch {
  return { axes: [], streams: [], cameras: [], events: [], omitted: [] };
}
