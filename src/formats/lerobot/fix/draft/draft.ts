import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AssayError, asUnreadable, enumerate, type JsonObject, lfsPointerWords, messageOf } from '#core';
import { FileWindow, mayRead } from '#io/sources';
import type { Change, FixOptions, Unfixed } from '../../../shared/fix/fix.ts';
import { isObject, JsonDocument } from '../../../shared/fix/json-document.ts';
import { mp4Times } from '../../../videos/mp4-times.ts';
import { lfsPointerAt } from '../lfs-pointer-at.ts';
import { type DataFile, readDataFile } from './data-file.ts';
import type { DraftEpisode } from './episode.ts';
import { readEpisodesV2, readEpisodesV3 } from './read-episodes.ts';
import { readTasks, type TaskTable } from './read-tasks.ts';
import { salvageData } from './salvage-data.ts';
import type { StatisticsEntry } from './statistics-entry.ts';

/** A LeRobot set as it is read and, while fixes run, as it will be. */
export interface LeRobotDraft {
  readonly root: string;
  readonly layout: 'v2' | 'v3';
  readonly options: FixOptions;
  readonly info: JsonDocument;
  /** Parts of JSON files that standard JSON does not allow, in words, by path; the files are rewritten without them. */
  readonly oddities: Map<string, readonly string[]>;
  /** Every file of the set, relative; names that begin with a dot are left out. */
  readonly paths: readonly string[];
  /** In the order in which the library reads them. */
  files: DataFile[];
  /** Data files that cannot be read, with the reason. */
  readonly damaged: ReadonlyMap<string, string>;
  /** Data files without a footer of which row groups were got back, and how many. */
  readonly salvaged: ReadonlyMap<string, number>;
  /** A folder for what is got back, outside the set. */
  readonly scratch: string;
  episodes: DraftEpisode[];
  /** Files of the table of episodes that were read; empty where there is none. */
  readonly episodeFiles: readonly string[];
  readonly episodeFilesDamaged: readonly string[];
  /** v3: types of the table's columns. */
  readonly episodeColumns: ReadonlyMap<string, string>;
  /** Columns (v3) or members (v2) of the table of episodes that are written again. */
  readonly episodeEdits: Set<string>;
  /** Episodes whose rows of the table are. */
  readonly episodesEdited: Set<number>;
  /** Rows of the table of episodes were added, taken out or put in order. */
  episodesMoved: boolean;
  tasks: TaskTable | null;
  tasksChanged: boolean;
  /** Features that were declared anew. */
  readonly declared: Set<string>;
  /** New statistics, by episode and feature. */
  readonly statistics: Map<number, Record<string, StatisticsEntry>>;
  /** meta/stats.json; null where it is not there. */
  setStatistics: JsonDocument | null;
  /** v2.1: lines of meta/episodes_stats.jsonl by episode, as they are written. */
  statisticsLines: ReadonlyMap<number, string>;
  /** Data and videos that leave the set. */
  readonly removed: Set<string>;
  /** What the containers of videos say; nothing is decoded. */
  readonly videos: VideoFacts;
  /** Videos that are written again, by path. */
  readonly films: Map<string, (target: string) => Promise<void>>;
  readonly changes: Change[];
  readonly unfixed: Unfixed[];
}

export const infoPath = 'meta/info.json';
export const statisticsPath = 'meta/stats.json';

/** Reads a set for fixing. Throws `unreadable_input` where meta/info.json cannot be read. */
export async function readDraft(root: string, options: FixOptions, scratch: string): Promise<LeRobotDraft> {
  const paths = await listFiles(root, '');
  demandReadable(root, paths);
  const info = await JsonDocument.read(join(root, infoPath), infoPath);
  const layout = layoutOf(paths, info.value);
  const { files, damaged, salvaged } = await readData(root, paths, layout, scratch, featuresOf(info.value));
  const oddities = new Map<string, readonly string[]>();
  const setStatistics = await readStatistics(root, paths);
  for (const document of [info, setStatistics])
    if (document !== null && document.oddities.length > 0) oddities.set(document.path, document.oddities);
  const table =
    layout === 'v2'
      ? await readEpisodesV2(root, oddities)
      : await readEpisodesV3(root, filesAt(paths, 'meta/episodes/'), camerasOf(info.value));
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
    episodeEdits: new Set(),
    episodesEdited: new Set(),
    episodesMoved: false,
    tasks: await readTasks(root, layout, oddities),
    tasksChanged: false,
    declared: new Set(),
    statistics: new Map(),
    statisticsLines: new Map(),
    setStatistics,
    removed: new Set(),
    videos: new VideoFacts(root, paths),
    films: new Map(),
    changes: [],
    unfixed: [],
  };
}

async function readStatistics(root: string, paths: readonly string[]): Promise<JsonDocument | null> {
  if (!paths.includes(statisticsPath)) return null;
  return JsonDocument.read(join(root, statisticsPath), statisticsPath).catch(() =>
    JsonDocument.of('{\n    "": 0\n}', statisticsPath),
  );
}

async function listFiles(root: string, below: string): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((thrown) => {
    throw asUnreadable(thrown, below === '' ? root : below, 'ask for permission to read it (chmod -R a+rX)');
  });
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) found.push(...(await listFiles(root, path)));
    else found.push(path);
  }
  return found.sort();
}

function layoutOf(paths: readonly string[], info: JsonObject): 'v2' | 'v3' {
  const version = String(info.codebase_version ?? '');
  const major = Number(/^v?(\d+)/.exec(version)?.[1] ?? Number.NaN);
  if (major < 2 || major > 3)
    throw new AssayError('unsupported_version', `LeRobot ${version} is not fixed`, {
      path: infoPath,
      advice: 'fix sets of v2.0, v2.1 or v3.0; convert older ones with the library first',
    });
  if (paths.includes('meta/episodes.jsonl')) return 'v2';
  if (filesAt(paths, 'meta/episodes/').length > 0 || paths.includes('meta/tasks.parquet')) return 'v3';
  return major === 2 ? 'v2' : 'v3';
}

/** Parquet files two folders deep, where the library looks. */
function filesAt(paths: readonly string[], below: string): string[] {
  const depth = below.split('/').length + 1;
  return paths.filter(
    (path) => path.startsWith(below) && path.endsWith('.parquet') && path.split('/').length === depth,
  );
}

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
  for (const path of filesAt(paths, 'data/')) {
    if (layout === 'v2' && episodeOfPath(path) === null) continue;
    try {
      files.push(await readDataFile(join(root, path), path));
    } catch (thrown) {
      damaged.set(path, messageOf(thrown).split('\n')[0]);
    }
  }
  const sound = files.map(({ absolute }) => absolute);
  for (const path of [...damaged.keys()]) {
    const got = await salvageData(join(root, path), path, scratch, features, sound);
    if (got === null) continue;
    files.push(got.file);
    salvaged.set(path, got.groups);
    damaged.delete(path);
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, damaged, salvaged };
}

/** v2: the episode that a file is named for. */
export function episodeOfPath(path: string): number | null {
  const match = /episode_(\d+)\.\w+$/.exec(path);
  return match === null ? null : Number(match[1]);
}

/** Declared features, by name. */
export function featuresOf(info: JsonObject): Map<string, JsonObject> {
  const { features } = info;
  if (!isObject(features)) return new Map();
  return new Map(Object.entries(features).flatMap(([key, value]) => (isObject(value) ? [[key, value]] : [])));
}

/** Declared cameras whose pictures lie in videos. */
export function camerasOf(info: JsonObject): string[] {
  return [...featuresOf(info)].flatMap(([key, { dtype }]) => (dtype === 'video' ? [key] : []));
}

const tables = /\.(parquet|jsonl?)$/i;

/**
 * Refuses a set of which something may not be read, or whose tables are pointers of Git LFS: it would look missing or
 * damaged, and mending would go by that. Throws `not_permitted`, `unreadable_input`.
 */
function demandReadable(root: string, paths: readonly string[]): void {
  const ours = paths.filter((path) => /^(data|meta|videos|images)\//.test(path));
  const closed = ours.filter((path) => !mayRead(join(root, path)));
  if (closed.length > 0)
    throw new AssayError('not_permitted', `${enumerate(closed, 4)} may not be read by this user`, {
      path: closed[0],
      advice: 'ask for permission to read (chmod -R a+rX), then fix the set',
    });
  const pointers = ours.filter((path) => tables.test(path) && isPointer(join(root, path)));
  if (pointers.length === 0) return;
  const what =
    pointers.length === 1 ? '1 table is a Git LFS pointer' : `${pointers.length} tables are Git LFS pointers`;
  throw new AssayError('unreadable_input', `${what}: ${enumerate(pointers, 4)}`, {
    path: pointers[0],
    advice: `${lfsPointerWords.advice}, then fix the set`,
  });
}

/** A link to nothing is none. */
function isPointer(path: string): boolean {
  try {
    return lfsPointerAt(path);
  } catch {
    return false;
  }
}

/** When the frames of a video are shown, by its container. */
export interface VideoFact {
  readonly frames: number;
  /** Seconds, ascending. */
  readonly time_s: Float64Array;
}

/** Reads each video's header once. */
class VideoFacts {
  readonly #root: string;
  readonly #paths: ReadonlySet<string>;
  readonly #known = new Map<string, Promise<VideoFact | null>>();

  constructor(root: string, paths: readonly string[]) {
    this.#root = root;
    this.#paths = new Set(paths);
  }

  /** Null where the file is not there, is cut off or is no MP4. */
  of(path: string): Promise<VideoFact | null> {
    const known = this.#known.get(path) ?? this.#read(path).catch(() => null);
    this.#known.set(path, known);
    return known;
  }

  /** What a video that is written again will say. */
  will(path: string, frames: number, rate_hz: number): void {
    const time_s = Float64Array.from({ length: frames }, (_, frame) => frame / rate_hz);
    this.#known.set(path, Promise.resolve({ frames, time_s }));
  }

  async #read(path: string): Promise<VideoFact | null> {
    if (!this.#paths.has(path)) return null;
    const file = await open(join(this.#root, path), 'r');
    try {
      const { size } = await file.stat();
      const { time_s, missing_bytes } = await mp4Times(new FileWindow(file, size));
      return missing_bytes > 0 ? null : { frames: time_s.length, time_s };
    } finally {
      await file.close();
    }
  }
}
