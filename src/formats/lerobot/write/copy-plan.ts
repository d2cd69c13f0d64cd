import { openVideoFacts } from '#io/video';
import { mustEncode } from './encoding.ts';
import type { SetFeatures } from './features.ts';
import type { CameraEncoding, CopiedEpisode } from './layouts/layout.ts';

/** Preview of a copy, before anything is written. */
export interface CopyPlan {
  /** Rate of the new set. */
  readonly rate_hz: number;
  readonly rows: number;
  readonly episodes: readonly PlannedEpisode[];
  readonly cameras: readonly PlannedCamera[];
  /** Renamed features. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Features of the source that the new set lacks. */
  readonly without: readonly string[];
  readonly splits: Readonly<Record<string, string>>;
}

/** An episode of the new set. */
interface PlannedEpisode {
  /** Position of its source. */
  readonly source: number;
  readonly id: string;
  /** Index in the new set. */
  readonly index: number;
  /** First row in the source's episode; `until` is exclusive. */
  readonly from: number;
  readonly until: number;
  readonly rows: number;
  readonly duration_s: number;
}

/** Number of copied and encoded episodes of a camera. */
interface PlannedCamera {
  readonly feature: string;
  /** Number of episodes with copied frames. */
  readonly copied: number;
  readonly encoded: number;
  /** Target codec; null if nothing is encoded. */
  readonly codec: string | null;
}

/** Returns the preview of each episode, in order, with its duration of rows / `rate_hz` seconds. */
export function planEpisodes(episodes: readonly CopiedEpisode[], rate_hz: number): PlannedEpisode[] {
  return episodes.map(({ source, id, index, first: from, until, rows }) => ({
    ...{ source, id, index, from, until, rows },
    duration_s: rows / rate_hz,
  }));
}

/**
 * Counts per camera how many episodes would be copied and how many encoded; opens each video file once if that depends
 * on its coding.
 */
export async function planCameras(
  { cameras }: SetFeatures,
  copiedEpisodes: readonly CopiedEpisode[],
  encoding: CameraEncoding | null,
): Promise<PlannedCamera[]> {
  const known = new Map<string, boolean>();
  const encodes = async (path: string) => {
    if (encoding === null || encoding.resampled) return encoding !== null;
    const before = known.get(path);
    if (before !== undefined) return before;
    const own = mustEncode(await openVideoFacts(path), encoding);
    known.set(path, own);
    return own;
  };
  const planned: PlannedCamera[] = [];
  for (const { key, source } of cameras) {
    let encoded = 0;
    for (const { videos } of copiedEpisodes) {
      const video = videos.find((one) => one.key === source);
      if (video !== undefined && (await encodes(video.path))) encoded += 1;
    }
    const codec = encoded > 0 && encoding !== null ? encoding.codec : null;
    planned.push({ feature: key, copied: copiedEpisodes.length - encoded, encoded, codec });
  }
  return planned;
}
