import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AssayError,
  canonicalJson,
  type JsonObject,
  type JsonValue,
  listText,
  messageOf,
  parseTolerantJson,
} from '#core';
import type { EditedFeature, EditStep } from '../../shared/write/edits/export-edit.ts';
import { planFeatures } from '../../shared/write/edits/registry.ts';
import type { CopiedEpisode } from './layouts/layout.ts';

/** Features of a copied set, with their edits. */
export interface SetFeatures {
  readonly rate_hz: number;
  /** All features of the new set. */
  readonly all: readonly EditedFeature[];
  /** Features with video files. */
  readonly cameras: readonly EditedFeature[];
  /** Features that the sources declare. */
  readonly declared: ReadonlySet<string>;
  /** `features` of the new info.json. */
  readonly declaration: JsonObject;
}

/**
 * Resolves the features of a copy of one or several sets; throws `usage` if an edit names a missing feature or the sets
 * differ, `unreadable_input` if an episode lacks a camera. `episodes`: null if not known yet. Cameras that an edit
 * drops may be lacking.
 */
export function resolveSetFeatures(
  sets: readonly SetInfo[],
  episodes: readonly CopiedEpisode[] | null,
  edits: readonly EditStep[],
): SetFeatures {
  const declared = mergeDeclarations(sets);
  const all = planFeatures(edits, toUneditedFeatures(declared));
  requireSameSchema(sets, all);
  const cameras = all.filter(({ declaration }) => isCamera(declaration));
  for (const { source } of cameras) {
    const lacking = (episodes ?? []).filter((episode) => !hasCamera(episode, source));
    if (lacking.length > 0 && lacking.length === episodes?.length) throw createAbsentCameraError([source]);
    if (lacking.length > 0) throw createMissingVideoError(lacking[0].id, source);
  }
  const declaration = Object.fromEntries(all.map(({ key, declaration }) => [key, declaration]));
  return {
    rate_hz: sets[0].rate_hz,
    all,
    cameras,
    declared: new Set(declared.map(([key]) => key)),
    declaration,
  };
}

/** Throws `usage` with all schema differences between the sets. */
function requireSameSchema(sets: readonly SetInfo[], features: readonly EditedFeature[]): void {
  const differences = findSchemaDifferences(
    sets,
    features.map(({ source }) => source),
  );
  if (differences.length === 0) return;
  throw new AssayError(
    'usage',
    `the datasets cannot be merged because their schemas differ:\n${differences.map((one) => `  ${one}`).join('\n')}`,
    {
      advice:
        'give features the same name with --map SET:FEATURE=NAME, drop one with --drop, or first export each dataset with the same --rate, --convert and --size',
    },
  );
}

/** Merges the declarations of all sets: the first declaration counts; video info only where all agree. */
function mergeDeclarations(sets: readonly SetInfo[]): (readonly [string, JsonObject])[] {
  const keys = new Set(sets.flatMap(({ features }) => Object.keys(features)));
  return [...keys].map((key) => {
    const all = sets.map(({ features }) => features[key]).filter((feature) => feature !== undefined);
    return [key, all.slice(1).reduce(withSharedInfo, all[0])];
  });
}

function withSharedInfo(feature: JsonObject, other: JsonObject): JsonObject {
  const [info, theirs] = [feature.info, other.info];
  if (!isObject(info)) return feature;
  const shared = Object.entries(info).filter(
    ([key, value]) => isObject(theirs) && canonicalJson(theirs[key] ?? null) === canonicalJson(value),
  );
  return { ...feature, info: Object.fromEntries(shared) };
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCamera = ({ dtype }: JsonObject) => dtype === 'video';
/** Declaration of a numbering column. */
const countColumn = { dtype: 'int64', shape: [1], names: null };

/** Returns all features without edits, with numbering columns that the source lacks. */
function toUneditedFeatures(declared: readonly (readonly [string, JsonObject])[]): EditedFeature[] {
  const counts = ['frame_index', 'episode_index', 'index', 'task_index'].map(
    (key) => [key, countColumn] as const,
  );
  return [...new Map<string, JsonObject>([...counts, ...declared])].map(([key, declaration]) => ({
    key,
    source: key,
    declaration,
    shift: 0,
    factors: [],
  }));
}

/** Returns true if the episode has a video of the camera. */
const hasCamera = ({ videos }: CopiedEpisode, camera: string) => videos.some(({ key }) => key === camera);

function createMissingVideoError(episode: string, camera: string): AssayError {
  return new AssayError(
    'unreadable_input',
    `${episode} has no video for ${camera}, but other selected episodes do`,
    {
      advice: `exclude it with --without ${episode}`,
    },
  );
}

/** Creates the error for declared cameras of which no exported episode has a file. */
export function createAbsentCameraError(cameras: readonly string[]): AssayError {
  const one = cameras.length === 1;
  return new AssayError(
    'unreadable_input',
    `the dataset declares ${listText(cameras)}, and no episode to export has a video file of ${one ? 'it' : 'them'}`,
    {
      advice: `restore the files (git lfs pull fetches Git LFS pointers), or export without the ${one ? 'camera' : 'cameras'}: --drop ${cameras.join(' ')}`,
    },
  );
}

/** Describes the differences that prevent a merge: rate, robot, and dtype, shape and names of the features. */
function findSchemaDifferences(sets: readonly SetInfo[], features: readonly string[]): string[] {
  const [first] = sets;
  return sets.slice(1).flatMap((other) => {
    const compare = (what: string, a: JsonValue | undefined, b: JsonValue | undefined) =>
      isEqual(a, b)
        ? []
        : [`${what} is ${formatValue(a)} in ${first.name} and ${formatValue(b)} in ${other.name}`];
    return [
      ...compare('fps', first.rate_hz, other.rate_hz),
      ...compare('robot_type', first.info.robot_type, other.info.robot_type),
      ...features.flatMap((key) => findFeatureDifferences(key, first, other, compare)),
    ];
  });
}

/** Describes a difference of two values; empty if they are equal. */
type CompareValues = (what: string, a: JsonValue | undefined, b: JsonValue | undefined) => string[];

function findFeatureDifferences(
  key: string,
  first: SetInfo,
  other: SetInfo,
  compare: CompareValues,
): string[] {
  const [a, b] = [first.features[key], other.features[key]];
  if (a === undefined && b === undefined) return [];
  if (a === undefined) return [`${key} exists in ${other.name} but not in ${first.name}`];
  if (b === undefined) return [`${key} exists in ${first.name} but not in ${other.name}`];
  return [
    ...compare(`dtype of ${key}`, a.dtype, b.dtype),
    ...compare(`shape of ${key}`, a.shape, b.shape),
    // For pictures the names mean height, width and channels, which recorders spell differently.
    ...(isPicture(a) ? [] : compare(`names of ${key}`, a.names, b.names)),
  ];
}

const isPicture = ({ dtype }: JsonObject) => dtype === 'video' || dtype === 'image';
const isEqual = (a: JsonValue | undefined, b: JsonValue | undefined) =>
  canonicalJson(a ?? null) === canonicalJson(b ?? null);
const formatValue = (value: JsonValue | undefined) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);

/** A source set of a copy. */
export interface CopySource {
  /** Name shown to users. */
  readonly name: string;
  /** Absolute path of its folder. */
  readonly root: string;
  /** New feature names by current name; other features keep theirs. */
  readonly names: Readonly<Record<string, string>>;
}

/** Metadata of a source, with its features under their new names. */
export interface SetInfo {
  readonly name: string;
  readonly root: string;
  /** Content of meta/info.json. */
  readonly info: JsonObject;
  readonly rate_hz: number;
  /** Declarations by feature. */
  readonly features: Readonly<Record<string, JsonObject>>;
}

/**
 * Reads meta/info.json of a source with its features renamed; throws `unreadable_input` if it is unreadable or
 * incomplete, `usage` if a rename is invalid.
 */
export function readSetInfo({ name, root, names }: CopySource): SetInfo {
  const path = join(root, 'meta/info.json');
  const read = parseInfo(path);
  const { fps, features } = read;
  if (typeof fps !== 'number' || !(fps > 0) || typeof features !== 'object' || features === null)
    throw new AssayError('unreadable_input', `fps or features is missing in ${path}`, { path, advice });
  const own = renameFeatures(features as Record<string, JsonObject>, names, name);
  return { name, root, info: { ...read, features: own }, rate_hz: fps, features: own };
}

const advice = 'run assay assess to list all problems of the dataset';

/** Parses info.json. Throws `unreadable_input` if LeRobot would refuse it. */
function parseInfo(path: string): JsonObject {
  const bytes = readBytes(path);
  const { value, refused } = parseTolerantJson(bytes, path);
  if (refused.length > 0)
    throw new AssayError('unreadable_input', `${path} is not standard JSON: ${refused.join(', ')}`, {
      path,
      advice: 'repair the dataset with assay fix first',
    });
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AssayError('unreadable_input', `${path} is not a JSON object`, { path, advice });
  return value as JsonObject;
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw new AssayError('unreadable_input', `${path}: ${messageOf(thrown)}`, { path, advice });
  }
}

/** Renames features. Throws `usage` for a missing feature and for duplicate names. */
function renameFeatures(
  features: Readonly<Record<string, JsonObject>>,
  names: Readonly<Record<string, string>>,
  set: string,
): Record<string, JsonObject> {
  for (const key of Object.keys(names))
    if (!Object.hasOwn(features, key))
      throw new AssayError('usage', `--map: ${set} has no feature ${key}`, {
        advice: `available features: ${Object.keys(features).join(', ')}`,
      });
  const renamed: Record<string, JsonObject> = {};
  for (const [key, feature] of Object.entries(features)) {
    const to = names[key] ?? key;
    if (Object.hasOwn(renamed, to))
      throw new AssayError('usage', `--map: two features of ${set} would have the name ${to}`, {
        advice: `rename the other one too: --map ${set}:${to}=OTHER`,
      });
    renamed[to] = feature;
  }
  return renamed;
}
