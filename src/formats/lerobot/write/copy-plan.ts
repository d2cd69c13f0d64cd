import { openVideoFacts } from '#io/video';
import { mustEncode } from './encode/encode-episodes.ts';
import type { SetFeatures } from './features.ts';
import type { KeptEpisode } from './kept-episode.ts';
import type { CameraEncoding } from './layout.ts';

/** What a copy would be, before anything is written. */
export interface CopyPlan {
  /** Of the new set. */
  readonly rate_hz: number;
  readonly rows: number;
  readonly episodes: readonly PlannedEpisode[];
  readonly cameras: readonly PlannedCamera[];
  /** Features that get another name. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Features of the source that the new set has not. */
  readonly without: readonly string[];
  readonly splits: Readonly<Record<string, string>>;
}

interface PlannedEpisode {
  /** Place of its source. */
  readonly source: number;
  readonly id: string;
  /** Its place in the new set. */
  readonly index: number;
  /** Rows of the source's episode that it holds; `until` is exclusive. */
  readonly from: number;
  readonly until: number;
  readonly rows: number;
  readonly duration_s: number;
}

interface PlannedCamera {
  readonly feature: string;
  /** Episodes whose frames are copied, and those whose frames are encoded. */
  readonly copied: number;
  readonly encoded: number;
  /** What is encoded as; null: nothing is. */
  readonly codec: string | null;
}

export function plannedEpisodes(kept: readonly KeptEpisode[], rate_hz: number): PlannedEpisode[] {
  return kept.map(({ source, id, index, first: from, until, rows }) => ({
    ...{ source, id, index, from, until, rows },
    duration_s: rows / rate_hz,
  }));
}

/** Opens each video file once where it depends on the file what becomes of it. */
export async function plannedCameras(
  { cameras }: SetFeatures,
  kept: readonly KeptEpisode[],
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
    for (const { videos } of kept) {
      const video = videos.find((one) => one.key === source);
      if (video !== undefined && (await encodes(video.path))) encoded += 1;
    }
    const codec = encoded > 0 && encoding !== null ? encoding.codec : null;
    planned.push({ feature: key, copied: kept.length - encoded, encoded, codec });
  }
  return planned;
}
