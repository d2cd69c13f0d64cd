import type { JsonObject, JsonValue } from '#core';
import type { Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { readJsonRecords } from '../../shared/text/json-records.ts';
import type { NarratedVideo } from '../narrated-set.ts';
import { narratedDataset } from '../narrated-set.ts';
import { partnerFindings, videosByName } from '../video-files.ts';
import { type Narrations, readNarrations } from './read-narrations.ts';
import { manifestOf, narrationFiles } from './recognise.ts';

export async function openEgo4d(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const files = videosByName(tree);
  const paths = await narrationFiles(tree);
  const wanted = (uid: string): boolean => files.has(uid);
  const { named, byVideo, findings } = await readNarrations(tree, paths, wanted);
  const manifest = manifestOf(tree);
  const facts =
    manifest === null ? new Map<string, VideoFacts>() : await readManifest(tree, manifest, wanted);
  const names = [...files.keys()].sort();
  const absent = [...named].filter((uid) => !files.has(uid)).sort();
  return narratedDataset({
    tree,
    recognition,
    format: 'ego4d',
    version: /^v\d[^/]*/.exec(paths[0] ?? '')?.[0] ?? null,
    declared: named.size,
    videos: names.map((uid) =>
      videoOf(uid, files.get(uid)!, byVideo.get(uid), { facts: facts.get(uid), manifest }),
    ),
    findings: [
      ...findings,
      ...partnerFindings(
        paths[0],
        named.size,
        absent,
        names.filter((uid) => !named.has(uid)),
      ),
    ],
  });
}

/** From this frame on a rate shows: 30 against 29.97 differs by 5 frames. */
const fewestFrames = 5000;

function videoOf(
  name: string,
  file: FileEntry,
  narrations: Narrations | undefined,
  { facts, manifest }: { readonly facts: VideoFacts | undefined; readonly manifest: string | null },
): NarratedVideo {
  const events = (narrations?.events ?? []).sort((a, b) => a.time_s - b.time_s);
  const last = narrations?.last_frame ?? null;
  return {
    name,
    file,
    events,
    streams: [],
    numbered_hz:
      last === null || last.frame < fewestFrames || last.time_s <= 0 ? null : last.frame / last.time_s,
    declared_s: facts?.duration_s ?? null,
    declared_hz: facts?.fps ?? null,
    annotations: [
      ...(narrations?.sources ?? []),
      ...(facts === undefined || manifest === null ? [] : [manifest]),
    ],
    findings: [...textFindings(file.path, narrations), ...streamFindings(file.path, facts)],
  };
}

function textFindings(path: string, narrations: Narrations | undefined): Finding[] {
  if (narrations === undefined) return [];
  const findings: Finding[] = [];
  const { events, broken } = narrations;
  const unsure = events.filter(({ label }) => /#unsure\b/i.test(label)).length;
  const others = events.filter(({ label }) => /^#O\b/.test(label)).length;
  if (unsure + others > 0)
    findings.push({
      code: 'narrations_marked',
      severity: 'info',
      path,
      message: `of ${events.length} narrations of ${path} ${unsure} are marked #unsure and ${others} tell of others than the camera wearer (#O)`,
      advice: 'leave them out where only sure deeds of the wearer are wanted',
      evidence: { narrations: events.length, unsure, others },
    });
  if (broken > 0)
    findings.push({
      code: 'narration_rows_broken',
      severity: 'error',
      path,
      message: `${broken} narrations of ${path} have no time or no text`,
      advice: 'download the narrations again',
      evidence: { broken },
    });
  return findings;
}

/** Seconds by which picture and sound may begin apart. */
const startSlack_s = 0.1;

function streamFindings(path: string, facts: VideoFacts | undefined): Finding[] {
  if (facts === undefined) return [];
  const findings: Finding[] = [];
  const { video_start_s, audio_start_s, redacted } = facts;
  const apart_s = Math.max(
    Math.abs(video_start_s),
    Math.abs((audio_start_s ?? video_start_s) - video_start_s),
  );
  if (apart_s > startSlack_s)
    findings.push({
      code: 'streams_start_apart',
      severity: 'warning',
      path,
      message: `picture of ${path} begins at ${video_start_s} s and sound at ${audio_start_s ?? 'no'} s of the video`,
      advice: 'shift by these starts when pairing narrations with frames or sound',
      evidence: { video_start_s, audio_start_s },
    });
  if (redacted !== 0)
    findings.push({
      code: 'video_redacted',
      severity: 'info',
      path,
      message: `${redacted === null ? 'spans' : `${redacted} spans`} of ${path} were blanked for privacy`,
      advice: 'leave these spans out; blank frames there are no fault of the camera',
      evidence: { intervals: redacted },
    });
  return findings;
}

/** What ego4d.json says of one video. */
interface VideoFacts {
  readonly duration_s: number | null;
  readonly fps: number | null;
  /** When picture and sound begin, in the time of the video. */
  readonly video_start_s: number;
  readonly audio_start_s: number | null;
  /** Spans that were blanked for privacy; null: it says that there are some, and not where. */
  readonly redacted: number | null;
}

/** Facts of the wanted videos, by uid. */
async function readManifest(
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
