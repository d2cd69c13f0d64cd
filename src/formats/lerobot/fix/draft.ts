import { closeSync, openSync, readSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AssayError,
  isLfsPointer,
  type JsonObject,
  type JsonValue,
  lfsPointerHead_bytes,
  lfsPointerWords,
  listText,
  messageOf,
  wrapReadError,
} from '#core';
import { FileWindow, mayRead } from '#io/sources';
import type { Change, FixOptions, Unfixed } from '../../shared/fix/fix.ts';
import { isObject, JsonDocument } from '../../shared/fix/json-files.ts';
import { readMp4Times } from '../../videos/mp4.ts';
import { type DataFile, draftDataFile } from './data-file.ts';
import { salvageData } from './salvage-data.ts';
import { type DraftEpisode, readEpisodesV2, readEpisodesV3, readTasks, type TaskTable } from './tables.ts';

/** In-memory copy of a LeRobot set that fixes read and change; files are written from it afterwards. */
export interface LeRobotDraft {
  readonly root: string;
  readonly layout: 'v2' | 'v3';
  readonly options: FixOptions;
  readonly info: JsonDocument;
  /** Descriptions of non-standard JSON by path; the files are rewritten without it. */
  readonly oddities: Map<string, readonly string[]>;
  /** Relative paths of all files of the set, without names that begin with a dot. */
  readonly paths: readonly string[];
  /** Data files in the order in which the library reads them. */
  files: DataFile[];
  /** Reasons of unreadable data files, by path. */
  readonly damaged: ReadonlyMap<string, string>;
  /** Number of recovered row groups of data files without a footer, by path. */
  readonly salvaged: ReadonlyMap<string, number>;
  /** Folder for recovered files, outside the set. */
  readonly scratch: string;
  episodes: DraftEpisode[];
  /** Files of the episodes table that were read; empty if there is none. */
  readonly episodeFiles: readonly string[];
  /** Files of the episodes table that cannot be read. */
  readonly episodeFilesDamaged: readonly string[];
  /** Column types of the episodes table (v3). */
  readonly episodeColumns: ReadonlyMap<string, string>;
  /** Columns (v3) or members (v2) of the episodes table to rewrite. */
  readonly editedEpisodeColumns: Set<string>;
  /** Episodes whose rows of the episodes table are rewritten. */
  readonly editedEpisodes: Set<number>;
  /** True if rows of the episodes table were added, removed or sorted. */
  episodesReordered: boolean;
  tasks: TaskTable | null;
  tasksChanged: boolean;
  /** Features that a fix has declared. */
  readonly newFeatures: Set<string>;
  /** New statistics by episode and feature. */
  readonly statistics: Map<number, Record<string, StatisticsEntry>>;
  /** Content of meta/stats.json; null if the file is missing. */
  setStatistics: JsonDocument | null;
  /** Original lines of meta/episodes_stats.jsonl by episode (v2.1). */
  statisticsLines: ReadonlyMap<number, string>;
  /** Paths of files to remove from the set. */
  readonly removed: Set<string>;
  /** Frame times of the videos, read from their containers without decoding. */
  readonly videos: VideoTimings;
  /** Functions that rewrite a video to a target path, by path. */
  readonly rewrittenVideos: Map<string, (target: string) => Promise<void>>;
  readonly changes: Change[];
  readonly unfixed: Unfixed[];
}

/** Path of info.json in a set. */
export const infoPath = 'meta/info.json';
/** Path of the set's statistics. */
export const statisticsPath = 'meta/stats.json';

/**
 * Reads a set into a draft for fixing, without changing it; data files without a footer are recovered into `scratch`,
 * others that cannot be read are listed in `damaged`. Throws `unreadable_input` if meta/info.json cannot be read,
 * `unsupported_version` for versions other than 2 and 3, `not_permitted` if a file may not be read.
 */
export async function readDraft(root: string, options: FixOptions, scratch: string): Promise<LeRobotDraft> {
  const paths = await listFiles(root, '');
  requireReadable(root, paths);
  const info = await JsonDocument.read(join(root, infoPath), infoPath);
  const layout = detectLayout(paths, info.value);
  const { files, damaged, salvaged } = await readData(
    root,
    paths,
    layout,
    scratch,
    parseFeatures(info.value),
  );
  const oddities = new Map<string, readonly string[]>();
  const setStatistics = await readStatistics(root, paths);
  for (const document of [info, setStatistics])
    if (document !== null && document.oddities.length > 0) oddities.set(document.path, document.oddities);
  const table =
    layout === 'v2'
      ? await readEpisodesV2(root, oddities)
      : await readEpisodesV3(root, listParquetFiles(paths, 'meta/episodes/'), listVideoCameras(info.value));
  return {
    root,
    layout,
    options,
    info,
    oddities,
    paths,
    files,
    damaged,
    salvaged,
    scratch,
    episodes: table?.episodes ?? [],
    episodeFiles: table?.files ?? [],
    episodeFilesDamaged: table?.damaged ?? [],
    episodeColumns: new Map(table?.columns.map(({ name, type }) => [name, type])),
    editedEpisodeColumns: new Set(),
    editedEpisodes: new Set(),
    episodesReordered: false,
    tasks: await readTasks(root, layout, oddities),
    tasksChanged: false,
    newFeatures: new Set(),
    statistics: new Map(),
    statisticsLines: new Map(),
    setStatistics,
    removed: new Set(),
    videos: new VideoTimings(root, paths),
    rewrittenVideos: new Map(),
    changes: [],
    unfixed: [],
  };
}

/** Reads meta/stats.json; null if it is missing, an almost empty document if it is malformed. */
async function readStatistics(root: string, paths: readonly string[]): Promise<JsonDocument | null> {
  if (!paths.includes(statisticsPath)) return null;
  return JsonDocument.read(join(root, statisticsPath), statisticsPath).catch(() =>
    JsonDocument.fromText('{\n    "": 0\n}', statisticsPath),
  );
}

/** Lists all files below a folder, sorted, without names that begin with a dot. */
async function listFiles(root: string, below: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((thrown) => {
    throw wrapReadError(thrown, below === '' ? root : below, 'get read permission for it (chmod -R a+rX)');
  });
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(root, path)));
    else found.push(path);
  }
  return found.sort();
}

/**
 * Determines the layout from the files, and from codebase_version if they do not show it. Throws `unsupported_version`
 * for versions other than 2 and 3.
 */
function detectLayout(paths: readonly string[], info: JsonObject): 'v2' | 'v3' {
  const version = String(info.codebase_version ?? '');
  const major = Number(/^v?(\d+)/.exec(version)?.[1] ?? Number.NaN);
  if (major < 2 || major > 3)
    throw new AssayError('unsupported_version', `LeRobot ${version} is not supported by assay fix`, {
      path: infoPath,
      advice: 'supported versions: v2.0, v2.1 and v3.0; convert older datasets with LeRobot first',
    });
  if (paths.includes('meta/episodes.jsonl')) return 'v2';
  if (listParquetFiles(paths, 'meta/episodes/').length > 0 || paths.includes('meta/tasks.parquet'))
    return 'v3';
  return major === 2 ? 'v2' : 'v3';
}

/** Lists the Parquet files exactly two folders deep below `below`, where the library looks. */
function listParquetFiles(paths: readonly string[], below: string): string[] {
  const depth = below.split('/').length + 1;
  return paths.filter(
    (path) => path.startsWith(below) && path.endsWith('.parquet') && path.split('/').length === depth,
  );
}

/** Reads all data files, and recovers those without a footer as far as possible. */
async function readData(
  root: string,
  paths: readonly string[],
  layout: 'v2' | 'v3',
  scratch: string,
  features: ReadonlyMap<string, JsonObject>,
) {
  const files: DataFile[] = [];
  const damaged = new Map<string, string>();
  const salvaged = new Map<string, number>();
  for (const path of listParquetFiles(paths, 'data/')) {
    if (layout === 'v2' && parseEpisodeNumber(path) === null) continue;
    try {
      files.push(await draftDataFile(join(root, path), path));
    } catch (thrown) {
      damaged.set(path, messageOf(thrown).split('\n')[0]);
    }
  }
  const intact = files.map(({ absolute }) => absolute);
  for (const path of [...damaged.keys()]) {
    const got = await salvageData(join(root, path), path, scratch, features, intact);
    if (got === null) continue;
    files.push(got.file);
    salvaged.set(path, got.groups);
    damaged.delete(path);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, damaged, salvaged };
}

/** Returns the episode number in a v2 file name; null if it has none. */
export function parseEpisodeNumber(path: string): number | null {
  const match = /episode_(\d+)\.\w+$/.exec(path);
  return match === null ? null : Number(match[1]);
}

/**
 * Returns the declared features by name; entries that are not objects are dropped, and without features the map is
 * empty.
 */
export function parseFeatures(info: JsonObject): Map<string, JsonObject> {
  const { features } = info;
  if (!isObject(features)) return new Map();
  return new Map(Object.entries(features).flatMap(([key, value]) => (isObject(value) ? [[key, value]] : [])));
}

/** Returns the keys of the features declared with dtype `video`, whether or not they have files. */
export function listVideoCameras(info: JsonObject): string[] {
  return [...parseFeatures(info)].flatMap(([key, { dtype }]) => (dtype === 'video' ? [key] : []));
}

/** Names of table files. */
const tableNames = /\.(parquet|jsonl?)$/i;

/**
 * Refuses sets with unreadable files or with tables that are Git LFS pointers: they would look missing or damaged and
 * be fixed wrongly. Throws `not_permitted` or `unreadable_input`.
 */
function requireReadable(root: string, paths: readonly string[]): void {
  const ours = paths.filter((path) => /^(data|meta|videos|images)\//.test(path));
  const closed = ours.filter((path) => !mayRead(join(root, path)));
  if (closed.length > 0)
    throw new AssayError('not_permitted', `no permission to read ${listText(closed, 4)}`, {
      path: closed[0],
      advice: 'get read permission (chmod -R a+rX), then run assay fix again',
    });
  const pointers = ours.filter((path) => tableNames.test(path) && isPointer(join(root, path)));
  if (pointers.length === 0) return;
  const what =
    pointers.length === 1 ? '1 table is a Git LFS pointer' : `${pointers.length} tables are Git LFS pointers`;
  throw new AssayError('unreadable_input', `${what}: ${listText(pointers, 4)}`, {
    path: pointers[0],
    advice: `${lfsPointerWords.advice}, then run assay fix again`,
  });
}

/** Returns true for a Git LFS pointer; false if the file cannot be opened, e.g. a dangling link. */
function isPointer(path: string): boolean {
  try {
    return isLfsPointerFile(path);
  } catch {
    return false;
  }
}

/** Presentation times of a video's frames, from its container. */
export interface VideoTiming {
  readonly frames: number;
  /** Presentation times in seconds, ascending. */
  readonly time_s: Float64Array;
}

/** Reads frame times from video headers and caches them by path. */
class VideoTimings {
  readonly #root: string;
  readonly #paths: ReadonlySet<string>;
  readonly #cache = new Map<string, Promise<VideoTiming | null>>();

  constructor(root: string, paths: readonly string[]) {
    this.#root = root;
    this.#paths = new Set(paths);
  }

  /** Returns the frame times of a video; null if the file is missing, truncated or not MP4. */
  get(path: string): Promise<VideoTiming | null> {
    const known = this.#cache.get(path) ?? this.#read(path).catch(() => null);
    this.#cache.set(path, known);
    return known;
  }

  /**
   * Replaces the cached frame times of a video by those that it will have when rewritten: from 0 in steps of 1 /
   * `rate_hz`.
   */
  setPlanned(path: string, frames: number, rate_hz: number): void {
    const time_s = Float64Array.from({ length: frames }, (_, frame) => frame / rate_hz);
    this.#cache.set(path, Promise.resolve({ frames, time_s }));
  }

  async #read(path: string): Promise<VideoTiming | null> {
    if (!this.#paths.has(path)) return null;
    const file = await open(join(this.#root, path), 'r');
    try {
      const { size } = await file.stat();
      const { time_s, missing_bytes } = await readMp4Times(new FileWindow(file, size));
      return missing_bytes > 0 ? null : { frames: time_s.length, time_s };
    } finally {
      await file.close();
    }
  }
}

/** Statistics of one feature: lists of numbers, nested as (3, 1, 1) for cameras. */
export type StatisticsEntry = Record<string, JsonValue>;

/**
 * Flattens a number or a nested list of numbers, or returns null for undefined and null; booleans become 0 or 1, other
 * values, and null in a list, NaN.
 */
export function flatNumbers(value: JsonValue | undefined): number[] | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return [Number(value)];
  if (!Array.isArray(value)) return [typeof value === 'number' ? value : Number.NaN];
  return value.flatMap((part) => flatNumbers(part) ?? [Number.NaN]);
}

/** Returns true if the file at `path` is a Git LFS pointer; throws the system error if it cannot be opened. */
export function isLfsPointerFile(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(lfsPointerHead_bytes);
    return readSync(file, head, 0, head.length, 0) === head.length && isLfsPointer(head);
  } finally {
    closeSync(file);
  }
}
