import { resolve } from 'node:path';
import { type Episode, type Stream, timesOf } from '#core/episode';
import type { EditableEpisode } from './edits/export-edit.ts';

/** An episode on its way into a training set, as its reader gave it. */
export interface TrainingEpisode extends EditableEpisode {
  readonly id: string;
  /** Its place in the source. */
  readonly source_index: number;
  /** The file of its rows, absolute. */
  readonly data: string;
  readonly videos: readonly TrainingVideo[];
}

/** Where a camera's frames lie. */
export interface TrainingVideo {
  readonly key: string;
  /** Absolute. */
  readonly path: string;
  /** Of the file; row i is shown at `from_s` + i / rate. */
  readonly from_s: number;
  /** Exclusive: half a frame after the last. */
  readonly until_s: number;
}

/**
 * What of an episode a training set of one rate takes over. `root` is the folder that its paths start from.
 */
export function trainingEpisode(episode: Episode, root: string, rate_hz: number): TrainingEpisode {
  const numeric = episode.streams.filter(({ series }) => series !== undefined);
  const rows = Math.max(0, ...numeric.map(({ sample_count }) => sample_count));
  return {
    id: episode.id,
    source_index: episode.index,
    rows,
    rate_hz,
    ...motionOf(numeric),
    data: resolve(root, episode.locator.path),
    videos: episode.streams.flatMap((stream) => videoOf(stream, { root, rows, rate_hz })),
  };
}

/** The state says how the robot moves; where there is none, the action. */
function motionOf(numeric: readonly Stream[]): Pick<EditableEpisode, 'times' | 'motion'> {
  const states = numeric.filter(({ role }) => role === 'state');
  const telling = states.length > 0 ? states : numeric.filter(({ role }) => role === 'action');
  return {
    times: numeric.length === 0 ? null : timesOf(numeric[0]),
    motion: telling.map(({ id, series }) => ({ key: id, values: series!.values, dims: series!.dims })),
  };
}

function videoOf(
  { id, frames }: Stream,
  { root, rows, rate_hz }: { root: string; rows: number; rate_hz: number },
): TrainingVideo[] {
  const locator = frames?.locator;
  if (locator?.type !== 'video') return [];
  const { path, from_s } = locator;
  return [{ key: id, path: resolve(root, path), from_s, until_s: from_s + (rows - 0.5) / rate_hz }];
}
