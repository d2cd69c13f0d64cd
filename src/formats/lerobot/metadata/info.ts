import { AssayError, type JsonObject, type JsonValue, parseTolerantJson, type TolerantJson } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { lerobotBreach } from '../rules/contract.ts';
import type { Notes } from './notes.ts';

export interface Feature {
  readonly key: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** One a dimension; null when the recording gives none that fit. */
  readonly names: readonly string[] | null;
  /** `names` as written. */
  readonly raw_names: JsonValue;
  /** The object called `info`, or `video_info` in older sets. */
  readonly details: JsonObject;
  readonly unit: string | null;
}

/** meta/info.json, with nothing assumed that it does not say. */
export interface LeRobotInfo {
  readonly version: string | null;
  readonly fps: number | null;
  readonly robot: string | null;
  readonly features: ReadonlyMap<string, Feature>;
  readonly total_episodes: number | null;
  readonly total_frames: number | null;
  readonly total_tasks: number | null;
  readonly total_videos: number | null;
  readonly total_chunks: number | null;
  readonly chunks_size: number;
  readonly data_path: string | null;
  readonly video_path: string | null;
  readonly splits: JsonObject;
}

export const infoPath = 'meta/info.json';

/** Columns that every set has and that are not signals. */
export const bookkeeping: ReadonlySet<string> = new Set([
  'timestamp',
  'frame_index',
  'episode_index',
  'index',
  'task_index',
]);

/** Keys of the declared cameras whose pictures are in video files. */
export function camerasWithVideo(features: ReadonlyMap<string, Feature>): string[] {
  return [...features.values()].flatMap(({ key, dtype }) => (dtype === 'video' ? [key] : []));
}

export async function readInfo(tree: SourceTree, notes: Notes): Promise<LeRobotInfo> {
  const value = await readJson(tree, infoPath, notes);
  if (!isObject(value)) {
    throw new AssayError('unreadable_input', `${infoPath} holds no JSON object`, {
      path: infoPath,
      advice: 'restore the file: nothing of the set can be read without it',
    });
  }
  return {
    version: textOf(value.codebase_version),
    fps: positive(value.fps),
    robot: robotOf(value.robot_type),
    features: featuresOf(value.features, notes),
    total_episodes: count(value.total_episodes),
    total_frames: count(value.total_frames),
    total_tasks: count(value.total_tasks),
    total_videos: count(value.total_videos),
    total_chunks: count(value.total_chunks),
    chunks_size: positive(value.chunks_size) ?? 1000,
    data_path: textOf(value.data_path),
    video_path: textOf(value.video_path),
    splits: isObject(value.splits) ? value.splits : {},
  };
}

/** A JSON file of the set; what standard JSON does not allow becomes a finding. */
export async function readJson(
  tree: SourceTree,
  path: string,
  notes: Notes,
  reader: 'library' | 'others' = 'library',
): Promise<JsonValue> {
  const { value, ...found } = parseTolerantJson(await tree.read(path), path);
  reportOddities(path, found, notes, reader);
  return value;
}

/** `reader`: whether the library reads the file at all. */
export function reportOddities(
  path: string,
  { oddities, refused }: Omit<TolerantJson, 'value'>,
  notes: Notes,
  reader: 'library' | 'others' = 'library',
): void {
  const fatal = reader === 'library' ? refused : [];
  if (fatal.length > 0)
    notes.put(jsonRefused(path, `${path} is not JSON as Python reads it: it holds ${fatal.join(', ')}`));
  const others = oddities.filter((oddity) => !fatal.includes(oddity));
  if (others.length === 0) return;
  notes.add(
    'nonstandard_json',
    'warning',
    path,
    `${path} is not standard JSON: it holds ${others.join(', ')}`,
    'write it without these; strict readers refuse the file',
  );
}

/** Severity and advice are the same in both versions. */
export const jsonRefused = (path: string, message: string): Finding =>
  lerobotBreach('v3', 'json_refused', path, message);

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function featuresOf(value: JsonValue | undefined, notes: Notes): Map<string, Feature> {
  const features = new Map<string, Feature>();
  if (!isObject(value)) return features;
  for (const [key, entry] of Object.entries(value)) {
    if (!isObject(entry) || typeof entry.dtype !== 'string') {
      notes.add(
        'feature_malformed',
        'error',
        infoPath,
        `feature ${key} has no dtype and is left out`,
        'declare dtype and shape of every feature',
      );
      continue;
    }
    features.set(key, featureOf(key, entry.dtype, entry));
  }
  return features;
}

function featureOf(key: string, dtype: string, entry: JsonObject): Feature {
  const shape = Array.isArray(entry.shape)
    ? entry.shape.filter((size): size is number => typeof size === 'number')
    : [];
  const dims = shape.reduce((product, size) => product * size, 1);
  const details = [entry.info, entry.video_info].find(isObject) ?? {};
  const unit = textOf(entry.unit) ?? textOf(entry.units);
  const names = dtype === 'video' || dtype === 'image' ? null : dimensionNames(entry.names, dims);
  return { key, dtype, shape, names, raw_names: entry.names ?? null, details, unit };
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function robotOf(value: JsonValue | undefined): string | null {
  const robot = textOf(value);
  return robot === null || /^(unknown|none|null)$/i.test(robot) ? null : robot;
}

function count(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function positive(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null;
}

/**
 * Names of a feature's dimensions, whatever the recording wrote: a list, a list in a list, `{motors: [...]}`,
 * `{axes: [...]}`, `{x: 0, y: 1}`, or nothing. Null when they do not give one name a dimension.
 */
export function dimensionNames(names: JsonValue | undefined, dims: number): readonly string[] | null {
  const found = namesIn(names);
  return found !== null && found.length === dims ? found : null;
}

/** Every name that was written, in order; null where there are none. */
export function namesIn(names: JsonValue | undefined): string[] | null {
  if (names === null || names === undefined) return null;
  if (typeof names === 'string') return [names];
  if (typeof names === 'number' || typeof names === 'boolean') return null;
  if (isList(names)) {
    const parts: string[] = [];
    for (const entry of names) {
      const inner = typeof entry === 'number' ? [String(entry)] : namesIn(entry);
      if (inner === null) return null;
      parts.push(...inner);
    }
    return parts;
  }
  const entries = Object.entries(names);
  if (entries.every(([, position]) => typeof position === 'number')) {
    return entries.sort(([, a], [, b]) => Number(a) - Number(b)).map(([name]) => name);
  }
  return namesIn(entries.map(([, inner]) => inner));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
