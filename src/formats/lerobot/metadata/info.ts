import { AssayError, type JsonObject, type JsonValue, parseTolerantJson, type TolerantJson } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { createLeRobotViolation } from '../rules/contract.ts';
import { modalityPath } from '../rules/readers.ts';
import type { FindingCollector } from './finding-collector.ts';

/** A feature declared in meta/info.json. */
export interface Feature {
  readonly key: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** One name per dimension; null if there are none or their number differs. */
  readonly names: readonly string[] | null;
  /** `names` as stored. */
  readonly raw_names: JsonValue;
  /** Content of `info`, or of `video_info` in older sets. */
  readonly details: JsonObject;
  readonly unit: string | null;
}

/** Content of meta/info.json; missing or malformed fields are null, `chunks_size` defaults to 1000. */
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

/** Path of info.json in a set. */
export const infoPath = 'meta/info.json';

/** Numbering columns that every set has and that are not signals. */
export const bookkeepingColumns: ReadonlySet<string> = new Set([
  'timestamp',
  'frame_index',
  'episode_index',
  'index',
  'task_index',
]);

/** Returns the keys of the features declared with dtype `video`, whether or not they have files. */
export function listVideoCameras(features: ReadonlyMap<string, Feature>): string[] {
  return [...features.values()].flatMap(({ key, dtype }) => (dtype === 'video' ? [key] : []));
}

/**
 * Reads meta/info.json, with missing or malformed fields as null; adds findings on malformed features and non-standard
 * JSON, and throws `unreadable_input` if it is not a JSON object.
 */
export async function readInfo(tree: SourceTree, notes: FindingCollector): Promise<LeRobotInfo> {
  const value = await readJson(tree, infoPath, notes);
  if (!isObject(value)) {
    throw new AssayError('unreadable_input', `${infoPath} is not a JSON object`, {
      path: infoPath,
      advice: 'restore the file; the dataset cannot be read without it',
    });
  }
  return {
    version: textOrNull(value.codebase_version),
    fps: positiveOrNull(value.fps),
    robot: parseRobot(value.robot_type),
    features: parseFeatures(value.features, notes),
    total_episodes: numberOrNull(value.total_episodes),
    total_frames: numberOrNull(value.total_frames),
    total_tasks: numberOrNull(value.total_tasks),
    total_videos: numberOrNull(value.total_videos),
    total_chunks: numberOrNull(value.total_chunks),
    chunks_size: positiveOrNull(value.chunks_size) ?? 1000,
    data_path: textOrNull(value.data_path),
    video_path: textOrNull(value.video_path),
    splits: isObject(value.splits) ? value.splits : {},
  };
}

/**
 * Reads and parses a JSON file of the set; adds findings if it is not standard JSON, and throws `unreadable_input` if
 * it cannot be parsed at all. `reader`: `library` if LeRobot reads the file, so that what Python refuses is an error.
 */
export async function readJson(
  tree: SourceTree,
  path: string,
  notes: FindingCollector,
  reader: 'library' | 'others' = 'library',
): Promise<JsonValue> {
  const { value, ...found } = parseTolerantJson(await tree.read(path), path);
  reportOddities(path, found, notes, reader);
  return value;
}

/**
 * Adds findings on non-standard JSON: an error for what Python refuses in files that the library reads, a warning for
 * the rest; none if there is nothing to report.
 */
export function reportOddities(
  path: string,
  { oddities, refused }: Omit<TolerantJson, 'value'>,
  notes: FindingCollector,
  reader: 'library' | 'others' = 'library',
): void {
  const fatal = reader === 'library' ? refused : [];
  if (fatal.length > 0)
    notes.addFinding(
      createJsonRefusedFinding(path, `${path} cannot be parsed by Python: ${fatal.join(', ')}`),
    );
  const others = oddities.filter((oddity) => !fatal.includes(oddity));
  if (others.length === 0) return;
  notes.add(
    'nonstandard_json',
    'warning',
    path,
    `${path} is not standard JSON: ${others.join(', ')}`,
    'rewrite the file without these; strict JSON parsers reject it',
  );
}

/** Creates the finding for JSON that the library refuses; severity and advice are equal in both versions. */
export const createJsonRefusedFinding = (path: string, message: string): Finding =>
  createLeRobotViolation('v3', 'json_refused', path, message);

/** Returns true for JSON objects, not for arrays and null. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseFeatures(value: JsonValue | undefined, notes: FindingCollector): Map<string, Feature> {
  const features = new Map<string, Feature>();
  if (!isObject(value)) return features;
  for (const [key, entry] of Object.entries(value)) {
    if (!isObject(entry) || typeof entry.dtype !== 'string') {
      notes.add(
        'feature_malformed',
        'error',
        infoPath,
        `feature ${key} has no dtype and is ignored`,
        'declare the dtype and shape of every feature',
      );
      continue;
    }
    features.set(key, parseFeature(key, entry.dtype, entry));
  }
  return features;
}

function parseFeature(key: string, dtype: string, entry: JsonObject): Feature {
  const shape = Array.isArray(entry.shape)
    ? entry.shape.filter((size): size is number => typeof size === 'number')
    : [];
  const dims = shape.reduce((product, size) => product * size, 1);
  const details = [entry.info, entry.video_info].find(isObject) ?? {};
  const unit = textOrNull(entry.unit) ?? textOrNull(entry.units);
  const names = dtype === 'video' || dtype === 'image' ? null : dimensionNames(entry.names, dims);
  return { key, dtype, shape, names, raw_names: entry.names ?? null, details, unit };
}

/** Returns trimmed text; null for other values and blank text. */
function textOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Returns the robot type; null for placeholders such as `unknown`. */
function parseRobot(value: JsonValue | undefined): string | null {
  const robot = textOrNull(value);
  return robot === null || /^(unknown|none|null)$/i.test(robot) ? null : robot;
}

function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function positiveOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null;
}

/**
 * Returns one name per dimension from any stored form, or null if their number differs. Forms: a list, nested lists,
 * `{motors: [...]}`, `{axes: [...]}` or `{x: 0, y: 1}`.
 */
export function dimensionNames(names: JsonValue | undefined, dims: number): readonly string[] | null {
  const found = flattenNames(names);
  return found !== null && found.length === dims ? found : null;
}

/** Returns all names in order from any stored form; null if there are none, or an entry is not a name. */
export function flattenNames(names: JsonValue | undefined): string[] | null {
  if (names === null || names === undefined) return null;
  if (typeof names === 'string') return [names];
  if (typeof names === 'number' || typeof names === 'boolean') return null;
  if (isList(names)) {
    const parts: string[] = [];
    for (const entry of names) {
      const inner = typeof entry === 'number' ? [String(entry)] : flattenNames(entry);
      if (inner === null) return null;
      parts.push(...inner);
    }
    return parts;
  }
  const entries = Object.entries(names);
  if (entries.every(([, position]) => typeof position === 'number')) {
    return entries.sort(([, a], [, b]) => Number(a) - Number(b)).map(([name]) => name);
  }
  return flattenNames(entries.map(([, inner]) => inner));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Names that only number the dimensions. */
const numberedName = /^(motor|joint|dim|axis|action|state|element|value)?s?[_ .-]?\d+$/i;

/**
 * Returns the features with names from GR00T's meta/modality.json where names are missing or only numbered; unchanged
 * if the file is missing or cannot be parsed. The file divides state and action into named slices.
 */
export async function addModalityNames(
  tree: SourceTree,
  features: ReadonlyMap<string, Feature>,
  notes: FindingCollector,
): Promise<ReadonlyMap<string, Feature>> {
  if (!tree.has(modalityPath)) return features;
  const modality = await readJson(tree, modalityPath, notes, 'others').catch(() => null);
  if (modality === null || !isObject(modality)) return features;
  const named = new Map(features);
  for (const [part, key] of [
    ['state', 'observation.state'],
    ['action', 'action'],
  ]) {
    const feature = named.get(key);
    const slices = modality[part];
    if (feature === undefined || !isObject(slices)) continue;
    if (feature.names?.every((name) => numberedName.test(name)) === false) continue;
    const names = sliceNames(slices, feature);
    if (names !== null) named.set(key, { ...feature, names });
  }
  return named;
}

/** Returns one name per dimension from the slices; null if they do not cover all dimensions. */
function sliceNames(slices: JsonObject, feature: Feature): string[] | null {
  const dims = feature.shape.reduce((product, size) => product * size, 1);
  const names = new Array<string | undefined>(dims).fill(undefined);
  for (const [name, slice] of Object.entries(slices)) {
    if (!isObject(slice) || typeof slice.start !== 'number' || typeof slice.end !== 'number') continue;
    if (slice.start < 0 || slice.end > dims) return null;
    for (let dim = slice.start; dim < slice.end; dim++) {
      names[dim] = slice.end - slice.start === 1 ? name : `${name}_${dim - slice.start}`;
    }
  }
  return names.every((name) => name !== undefined) ? names : null;
}
