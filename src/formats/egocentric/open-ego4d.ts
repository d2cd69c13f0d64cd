import type { JsonObject, JsonValue } from '#core';
import type { Event, Finding } from '#core/episode';
import type { FileEntry, SourceTree } from '#io/sources';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { type JsonScanResult, readJsonMembers } from '../shared/text/json-list.ts';
import { readJsonRecords } from '../shared/text/json-records.ts';
import { type NarratedVideo, openNarratedSet, pairingFindings, videosByName } from './narrated-set.ts';
import { findManifest, findNarrationFiles } from './recognise-ego4d.ts';

/**
 * Opens a folder with Ego4D narrations, in which each video file is an episode; narrations without a video, and broken
 * files, become findings.
 */
export async function openEgo4d(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const files = videosByName(tree);
  const paths = await findNarrationFiles(tree);
  const hasVideo = (uid: string): boolean => files.has(uid);
  const { named_videos: named, byVideo, findings } = await readNarrations(tree, paths, hasVideo);
  const manifest = findManifest(tree);
  const facts =
    manifest === null ? new Map<string, VideoFacts>() : await readManifest(tree, manifest, hasVideo);
  const names = [...files.keys()].sort();
  const missing = [...named].filter((uid) => !files.has(uid)).sort();
  return openNarratedSet({
    tree,
    recognition,
    format: 'ego4d',
    version: /^v\d[^/]*/.exec(paths[0] ?? '')?.[0] ?? null,
    declared_videos: named.size,
    videos: names.map((uid) =>
      buildVideo(uid, files.get(uid)!, byVideo.get(uid), { facts: facts.get(uid), manifest }),
    ),
    findings: [
      ...findings,
      ...pairingFindings(
        paths[0],
        named.size,
        missing,
        names.filter((uid) => !named.has(uid)),
      ),
    ],
  });
}

/** Minimum frame number from which the rate is computed: there, 30 and 29.97 Hz differ by 5 frames. */
const minFramesForRate = 5000;

function buildVideo(
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
      last === null || last.frame < minFramesForRate || last.time_s <= 0 ? null : last.frame / last.time_s,
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
      message: `of ${events.length} narrations of ${path}, ${unsure} are marked #unsure and ${others} describe other people than the camera wearer (#O)`,
      advice: 'exclude them if you need only certain actions of the camera wearer',
      evidence: { narrations: events.length, unsure, others },
    });
  if (broken > 0)
    findings.push({
      code: 'narration_rows_broken',
      severity: 'error',
      path,
      message: `${broken} narrations of ${path} have no timestamp or no text`,
      advice: 'download the narrations again',
      evidence: { broken },
    });
  return findings;
}

/** Maximum difference between the starts of video, picture and sound before it is reported. */
const maxStartGap_s = 0.1;

function streamFindings(path: string, facts: VideoFacts | undefined): Finding[] {
  if (facts === undefined) return [];
  const findings: Finding[] = [];
  const { video_start_s, audio_start_s, redacted } = facts;
  const gap_s = Math.max(Math.abs(video_start_s), Math.abs((audio_start_s ?? video_start_s) - video_start_s));
  if (gap_s > maxStartGap_s)
    findings.push({
      code: 'streams_start_apart',
      severity: 'warning',
      path,
      message: `in ${path}, the video stream starts at ${video_start_s} s and the audio stream at ${audio_start_s ?? 'no'} s`,
      advice: 'subtract these offsets when matching narrations with frames or audio',
      evidence: { video_start_s, audio_start_s },
    });
  if (redacted !== 0)
    findings.push({
      code: 'video_redacted',
      severity: 'info',
      path,
      message: `${redacted === null ? 'intervals' : `${redacted} intervals`} of ${path} were blanked for privacy`,
      advice: 'exclude these intervals; their blank frames are not a camera fault',
      evidence: { intervals: redacted },
    });
  return findings;
}

/** Entry of one video in ego4d.json. */
interface VideoFacts {
  readonly duration_s: number | null;
  readonly fps: number | null;
  /** Start of the picture, in the time of the video; `audio_start_s` is that of the sound, `null` if absent. */
  readonly video_start_s: number;
  readonly audio_start_s: number | null;
  /** Number of spans blanked for privacy; `null` if there are some at unknown places. */
  readonly redacted: number | null;
}

/** Reads the entries of the videos for which `hasVideo` returns true, by uid. */
async function readManifest(
  tree: SourceTree,
  path: string,
  hasVideo: (uid: string) => boolean,
): Promise<Map<string, VideoFacts>> {
  const facts = new Map<string, VideoFacts>();
  await readJsonRecords(tree, path, (list, record) => {
    if (list !== 'videos' || !isObject(record)) return;
    const { video_uid } = record;
    if (typeof video_uid === 'string' && hasVideo(video_uid)) facts.set(video_uid, parseVideoFacts(record));
  });
  return facts;
}

function parseVideoFacts(record: JsonObject): VideoFacts {
  const metadata = isObject(record.video_metadata) ? record.video_metadata : {};
  const { redacted_intervals, has_redacted_regions } = record;
  const intervals = Array.isArray(redacted_intervals) ? redacted_intervals.length : 0;
  return {
    duration_s: positiveOrNull(record.duration_sec),
    fps: positiveOrNull(metadata.fps),
    video_start_s: finiteOrNull(metadata.video_start_sec) ?? 0,
    audio_start_s: finiteOrNull(metadata.audio_start_sec),
    redacted: intervals > 0 ? intervals : has_redacted_regions === true ? null : 0,
  };
}

/** Returns a positive number, or `null`: a length or rate of 0 was never filled in. */
function positiveOrNull(value: JsonValue | undefined): number | null {
  const number = finiteOrNull(value);
  return number !== null && number > 0 ? number : null;
}

function finiteOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Narrations of one video. */
interface Narrations {
  readonly events: Event[];
  /** Largest frame number and its time, from which the rate of frame numbers is computed; `null` if there is none. */
  last_frame: { readonly frame: number; readonly time_s: number } | null;
  /** Number of narrations without a time or a text. */
  broken: number;
  readonly sources: Set<string>;
}

/** Narrations read from one or several files. */
interface NarrationSet {
  readonly named_videos: ReadonlySet<string>;
  readonly byVideo: ReadonlyMap<string, Narrations>;
  readonly findings: readonly Finding[];
}

const passes = ['narration_pass_1', 'narration_pass_2'] as const;

/**
 * Reads narration files as a stream; only narrations of videos for which `hasVideo` returns true are parsed and
 * returned.
 */
async function readNarrations(
  tree: SourceTree,
  paths: readonly string[],
  hasVideo: (uid: string) => boolean,
): Promise<NarrationSet> {
  const named = new Set<string>();
  const byVideo = new Map<string, Narrations>();
  const findings: Finding[] = [];
  for (const path of paths) {
    const isWanted = (uid: string): boolean => {
      named.add(uid);
      return hasVideo(uid);
    };
    const scanned = await readJsonMembers(tree, path, { within: 'videos', isWanted }, (uid, record) => {
      const narrations = byVideo.get(uid) ?? {
        events: [],
        last_frame: null,
        broken: 0,
        sources: new Set<string>(),
      };
      byVideo.set(uid, narrations);
      narrations.sources.add(path);
      for (const pass of passes) addPass(narrations, record[pass], `${path}#${pass}`);
    });
    findings.push(...fileFindings(path, scanned));
  }
  return { named_videos: named, byVideo, findings };
}

function addPass(narrations: Narrations, pass: JsonValue | undefined, source: string): void {
  const list = isObject(pass) ? pass.narrations : undefined;
  if (!Array.isArray(list)) return;
  for (const narration of list) {
    const { timestamp_sec, timestamp_frame, narration_text } = isObject(narration) ? narration : {};
    if (
      typeof timestamp_sec !== 'number' ||
      !Number.isFinite(timestamp_sec) ||
      typeof narration_text !== 'string'
    ) {
      narrations.broken++;
      continue;
    }
    narrations.events.push({ time_s: timestamp_sec, label: narration_text.trim(), source });
    if (typeof timestamp_frame === 'number' && timestamp_frame > (narrations.last_frame?.frame ?? 0))
      narrations.last_frame = { frame: timestamp_frame, time_s: timestamp_sec };
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fileFindings(path: string, { broken, records, shape }: JsonScanResult): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, message: string) =>
    findings.push({ code, severity: 'error', path, message, advice: 'download the file again' });
  if (shape === 'cut')
    add('file_truncated', `${path} is truncated; the ${records} videos before the cut were read`);
  if (broken > 0) add('records_broken', `${broken} of ${records} videos in ${path} are not valid JSON`);
  return findings;
}
