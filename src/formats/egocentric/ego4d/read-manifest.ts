import type { JsonObject, JsonValue } from '#core';
import type { SourceTree } from '#io/sources';
import { readJsonRecords } from '../../shared/text/json-records.ts';

/** What ego4d.json says of one video. */
export interface VideoFacts {
  readonly duration_s: number | null;
  readonly fps: number | null;
  /** When picture and sound begin, in the time of the video. */
  readonly video_start_s: number;
  readonly audio_start_s: number | null;
  /** Spans that were blanked for privacy; null: it says that there are some, and not where. */
  readonly redacted: number | null;
}

/** Facts of the wanted videos, by uid. */
export async function readManifest(
  tree: SourceTree,
  path: string,
  wanted: (uid: string) => boolean,
): Promise<Map<string, VideoFacts>> {
  const facts = new Map<string, VideoFacts>();
  await readJsonRecords(tree, path, (list, record) => {
    if (list !== 'videos' || !isObject(record)) return;
    const { video_uid } = record;
    if (typeof video_uid === 'string' && wanted(video_uid)) facts.set(video_uid, factsOf(record));
  });
  return facts;
}

function factsOf(record: JsonObject): VideoFacts {
  const metadata = isObject(record.video_metadata) ? record.video_metadata : {};
  const { redacted_intervals, has_redacted_regions } = record;
  const intervals = Array.isArray(redacted_intervals) ? redacted_intervals.length : 0;
  return {
    duration_s: positive(record.duration_sec),
    fps: positive(metadata.fps),
    video_start_s: numberOf(metadata.video_start_sec) ?? 0,
    audio_start_s: numberOf(metadata.audio_start_sec),
    redacted: intervals > 0 ? intervals : has_redacted_regions === true ? null : 0,
  };
}

/** Nothing lasts 0 s, or has 0 frames a second: such a number was never filled in. */
function positive(value: JsonValue | undefined): number | null {
  const number = numberOf(value);
  return number !== null && number > 0 ? number : null;
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
