import type { JsonObject, JsonValue } from '#core';
import type { Event, Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { readJsonMembers, type ScannedJson } from '../../shared/text/json-list.ts';

/** Narrations of one video. */
export interface Narrations {
  readonly events: Event[];
  /** Largest frame number with its time, for the rate at which frames are numbered. */
  last_frame: { readonly frame: number; readonly time_s: number } | null;
  /** Narrations without a time or a text. */
  broken: number;
  readonly sources: Set<string>;
}

/** Videos that files of narrations name, and the narrations of those that are there. */
export interface NarrationSet {
  readonly named: ReadonlySet<string>;
  readonly byVideo: ReadonlyMap<string, Narrations>;
  readonly findings: readonly Finding[];
}

const passes = ['narration_pass_1', 'narration_pass_2'] as const;

/** Walks the files; only the narrations of `wanted` videos are parsed and kept. */
export async function readNarrations(
  tree: SourceTree,
  paths: readonly string[],
  wanted: (uid: string) => boolean,
): Promise<NarrationSet> {
  const named = new Set<string>();
  const byVideo = new Map<string, Narrations>();
  const findings: Finding[] = [];
  for (const path of paths) {
    const isWanted = (uid: string): boolean => {
      named.add(uid);
      return wanted(uid);
    };
    const scanned = await readJsonMembers(tree, path, { within: 'videos', isWanted }, (uid, record) => {
      const own = byVideo.get(uid) ?? { events: [], last_frame: null, broken: 0, sources: new Set<string>() };
      byVideo.set(uid, own);
      own.sources.add(path);
      for (const pass of passes) takePass(own, record[pass], `${path}#${pass}`);
    });
    findings.push(...formFindings(path, scanned));
  }
  return { named, byVideo, findings };
}

function takePass(own: Narrations, pass: JsonValue | undefined, source: string): void {
  const list = isObject(pass) ? pass.narrations : undefined;
  if (!Array.isArray(list)) return;
  for (const narration of list) {
    const { timestamp_sec, timestamp_frame, narration_text } = isObject(narration) ? narration : {};
    if (
      typeof timestamp_sec !== 'number' ||
      !Number.isFinite(timestamp_sec) ||
      typeof narration_text !== 'string'
    ) {
      own.broken++;
      continue;
    }
    own.events.push({ time_s: timestamp_sec, label: narration_text.trim(), source });
    if (typeof timestamp_frame === 'number' && timestamp_frame > (own.last_frame?.frame ?? 0))
      own.last_frame = { frame: timestamp_frame, time_s: timestamp_sec };
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function formFindings(path: string, { broken, records, shape }: ScannedJson): Finding[] {
  const findings: Finding[] = [];
  const add = (code: string, message: string) =>
    findings.push({ code, severity: 'error', path, message, advice: 'download the file again' });
  if (shape === 'cut')
    add('file_truncated', `${path} ends in the middle; ${records} videos before that were read`);
  if (broken > 0) add('records_broken', `${broken} of ${records} videos in ${path} are not JSON`);
  return findings;
}
