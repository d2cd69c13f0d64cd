import { resolve } from 'node:path';
import { type Episode, type Stream, timesOf } from '#core/episode';
import type { VideoSpan } from '#io/video';
import type { EditableEpisode } from './edits/export-edit.ts';

/** An episode to be written to a training set. */
export interface TrainingEpisode extends EditableEpisode {
  readonly id: string;
  /** Index of the episode in the source. */
  readonly source_index: number;
  /** Absolute path of the file with its rows. */
  readonly data: string;
  readonly videos: readonly TrainingVideo[];
}

/** Location of a camera's frames in a video file. */
export interface TrainingVideo {
  readonly key: string;
  /** Absolute. */
  readonly path: string;
  /** Time in the file; row i is at `from_s` + i / rate. */
  readonly from_s: number;
  /** Exclusive end: half a frame after the last. */
  readonly until_s: number;
}

/**
 * Returns rows, times, motion, and the absolute paths of data file and videos of an episode, for a training set of one
 * rate. `root`: folder that its paths are relative to.
 */
export function toTrainingEpisode(episode: Episode, root: string, rate_hz: number): TrainingEpisode {
  const numeric = episode.streams.filter(({ series }) => series !== undefined);
  const rows = Math.max(0, ...numeric.map(({ sample_count }) => sample_count));
  return {
    id: episode.id,
    source_index: episode.index,
    rows,
    rate_hz,
    ...selectMotion(numeric),
    data: resolve(root, episode.locator.path),
    videos: episode.streams.flatMap((stream) => locateVideo(stream, { root, rows, rate_hz })),
  };
}

/** Returns the times and the motion of an episode: its state streams, or its actions if it has no state. */
function selectMotion(numeric: readonly Stream[]): Pick<EditableEpisode, 'times' | 'motion'> {
  const states = numeric.filter(({ role }) => role === 'state');
  const motionStreams = states.length > 0 ? states : numeric.filter(({ role }) => role === 'action');
  return {
    times: numeric.length === 0 ? null : timesOf(numeric[0]),
    motion: motionStreams.map(({ id, series }) => ({ key: id, values: series!.values, dims: series!.dims })),
  };
}

function locateVideo(
  { id, frames }: Stream,
  { root, rows, rate_hz }: { root: string; rows: number; rate_hz: number },
): TrainingVideo[] {
  const locator = frames?.locator;
  if (locator?.type !== 'video') return [];
  const { path, from_s } = locator;
  return [{ key: id, path: resolve(root, path), from_s, until_s: from_s + (rows - 0.5) / rate_hz }];
}

/** Successive episodes of one video file, so that the file is read once for all of them. */
interface FileSpans<Episode> {
  readonly path: string;
  readonly episodes: Episode[];
  readonly spans: VideoSpan[];
}

/**
 * Groups consecutive episodes whose spans of one camera follow each other in the same video file; episodes without this
 * camera are left out. A file may come twice.
 */
export function groupSpansByFile<Episode extends { readonly videos: readonly TrainingVideo[] }>(
  camera: string,
  episodes: readonly Episode[],
): FileSpans<Episode>[] {
  const files: FileSpans<Episode>[] = [];
  for (const episode of episodes) {
    const video = episode.videos.find(({ key }) => key === camera);
    if (video === undefined) continue;
    const before = files.at(-1);
    const last = before?.spans.at(-1);
    if (
      before === undefined ||
      last === undefined ||
      before.path !== video.path ||
      last.from_s >= video.from_s
    )
      files.push({ path: video.path, episodes: [episode], spans: [spanOf(video)] });
    else {
      before.episodes.push(episode);
      before.spans.push(spanOf(video));
    }
  }
  return files;
}

const spanOf = ({ from_s, until_s }: TrainingVideo): VideoSpan => ({ from_s, until_s });
