import { AssayError, counted, enumerate } from '#core';
import { createFileHasher, type SourceTree, withHeld } from '#io/sources';
import { type ParquetColumn, parquetRowCount } from '../../shared/parquet/footer.ts';
import { holdFooter } from '../../shared/parquet/hold-footer.ts';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { camerasWithVideo, type Feature, infoPath, type LeRobotInfo, readInfo } from '../metadata/info.ts';
import { layoutOf } from '../metadata/layout.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { lfsPointers } from '../metadata/lfs.ts';
import { withModalityNames } from '../metadata/modality.ts';
import { Notes } from '../metadata/notes.ts';
import { readTasks } from '../metadata/tasks.ts';
import { lerobotBreach } from '../rules/contract.ts';
import { datasetOf } from './dataset.ts';
import { type EpisodeTable, rowLookup } from './episodes/episode-table.ts';
import { readEpisodesV2 } from './episodes/episodes-v2.ts';
import { episodeTableOf, type ReadTable, readEpisodesV3 } from './episodes/episodes-v3.ts';
import { dataFilesV3 } from './episodes/units-v3.ts';
import { damagedFile } from './episodes/unreadable.ts';
import { compareColumns, findHomes, referenceColumns, reportFooter } from './findings/data-findings.ts';
import { compareDeclared, reportMissingVideos, reportUnreferenced } from './findings/metadata-findings.ts';
import { reportWindows } from './findings/window-findings.ts';
import { lazyWindows } from './findings/windows.ts';
import { type EpisodeStatsPlace, episodeStatsReader, statsColumns } from './stats/episode-stats.ts';
import { episodeStatsPath, readStats } from './stats/stats.ts';

/** Opens a set: reads its tables, compares them with what lies there, and cuts the data into units. */
export async function openLeRobot(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  if (!tree.has(infoPath)) {
    throw new AssayError('unsupported_version', 'LeRobot v1 (meta_data/, safetensors) is not read', {
      path: 'meta_data/info.json',
      advice: 'convert it to v2.0 or newer with the library first',
    });
  }
  const notes = new Notes();
  const info = await readInfo(tree, notes);
  const layout = layoutOf(tree, info, notes);
  const pointers = await lfsPointers(tree, layout, notes);
  const dataFiles = dataFilesOf(tree, layout);
  if (dataFiles.length === 0) throw nothingToRead(info);
  const usable = dataFiles.filter((file) => !pointers.has(file) && (tree.entry(file)?.bytes ?? 0) > 0);
  const tables = tree.files.map((file) => file.path).filter((path) => /^meta\/.*\.parquet$/i.test(path));
  const held = await tree.hold(tables);
  try {
    return await openTables(tree, { recognition, notes, info, layout, pointers, usable });
  } finally {
    await held.release();
  }
}

interface Opening {
  readonly recognition: Recognition;
  readonly notes: Notes;
  readonly info: LeRobotInfo;
  readonly layout: 'v2' | 'v3';
  readonly pointers: ReadonlySet<string>;
  /** Data files that are neither empty nor pointers. */
  readonly usable: readonly string[];
}

async function openTables(tree: SourceTree, opening: Opening): Promise<Dataset> {
  const { recognition, notes, info, layout, pointers, usable } = opening;
  const { reference, damaged } = await referenceColumns(tree, usable);
  const features = await featuresOf(tree, info, layout, reference?.columns ?? null, notes);
  const tasks = await readTasks(tree, layout, notes);
  const { episodes, homes, table } = await readEpisodes(tree, info, layout, features, usable, notes);
  const place = episodeStatsPlace(tree, features, table);
  const set: LeRobotSet = {
    tree,
    layout,
    info,
    features,
    tasks,
    episodes,
    ...(await readStats(tree, info, features, layout, notes)),
    episodeStats: place === null ? null : episodeStatsReader(tree, place, [...features.keys()]),
    cameras: carriedCameras(tree, layout, features, episodes, notes),
    windows: lazyWindows(episodes, layout, info.fps),
    hasher: createFileHasher(tree),
    reference: reference?.columns ?? null,
    columns: new Map(),
    pointers,
  };
  for (const [file, why] of damaged) notes.put(damagedFile(set, file, why));
  if (reference !== null) {
    compareColumns(features, layout, reference, notes);
    await reportFooter(set, reference.file, notes);
  }
  compareDeclared(set, notes);
  await compareTotalFrames(set, usable, notes);
  reportMissingVideos(set, notes);
  reportUnreferenced(set, notes);
  reportWindows(set, notes);
  const findings = notes.list();
  const homeOf = (episode: number) => homes?.get(episode);
  if (table === null) return datasetOf(set, homeOf, recognition, findings);
  const { stats, statsPath, cameras, reference: columns } = set;
  const parts = { layout, info, features, tasks, stats, statsPath, cameras, reference: columns, pointers };
  const carried = { parts, table, homes, findings, episodeStatsPlace: place };
  return datasetOf(set, homeOf, recognition, findings, carried);
}

function episodeStatsPlace(
  tree: SourceTree,
  features: ReadonlyMap<string, Feature>,
  table: ReadTable | null,
): EpisodeStatsPlace | null {
  if (table === null) return tree.has(episodeStatsPath) ? { kind: 'lines', path: episodeStatsPath } : null;
  const columns = statsColumns(table.files, table.columns, features);
  return columns === null ? null : { kind: 'columns', ...columns };
}

function dataFilesOf(tree: SourceTree, layout: 'v2' | 'v3'): string[] {
  if (layout === 'v3') return dataFilesV3(tree);
  return tree.files.map((file) => file.path).filter((path) => /^data\/.*episode_\d+\.parquet$/i.test(path));
}

function nothingToRead(info: LeRobotInfo): AssayError {
  const lacks = [
    info.version === null ? 'no codebase_version' : '',
    info.features.size === 0 ? 'no features' : '',
  ].filter((part) => part !== '');
  const also = lacks.length === 0 ? '' : `; ${infoPath} has ${lacks.join(' and ')}`;
  return new AssayError(
    'unreadable_input',
    `the set has no data file: no Parquet file lies below data/${also}`,
    {
      path: 'data',
      advice: 'copy or download the data folder beside meta/',
    },
  );
}

async function featuresOf(
  tree: SourceTree,
  info: LeRobotInfo,
  layout: 'v2' | 'v3',
  columns: readonly ParquetColumn[] | null,
  notes: Notes,
): Promise<ReadonlyMap<string, Feature>> {
  if (info.features.size > 0) return withModalityNames(tree, info.features, notes);
  notes.put(
    lerobotBreach(
      layout,
      'features_missing',
      infoPath,
      `${infoPath} declares no features; they are taken from the data file's columns`,
    ),
  );
  const derived = (columns ?? []).map(({ name, type }): [string, Feature] => {
    const dtype = /BLOB/.test(type) ? 'image' : /^VARCHAR|^STRUCT/.test(type) ? 'string' : 'float32';
    return [name, { key: name, dtype, shape: [], names: null, raw_names: null, details: {}, unit: null }];
  });
  return new Map(derived);
}

async function readEpisodes(
  tree: SourceTree,
  info: LeRobotInfo,
  layout: 'v2' | 'v3',
  features: ReadonlyMap<string, Feature>,
  usable: readonly string[],
  notes: Notes,
): Promise<{ episodes: EpisodeTable; homes: ReadonlyMap<number, string> | null; table: ReadTable | null }> {
  const cameras = camerasWithVideo(features);
  if (layout === 'v2') {
    const episodes = await readEpisodesV2(tree, info, cameras, notes);
    return { episodes, homes: null, table: null };
  }
  const table = await readEpisodesV3(tree, cameras, notes);
  const listed = table === null ? null : episodeTableOf(table, info, cameras);
  const homes = await findHomes(tree, usable, listed ?? emptyTable([]));
  const found = [...(homes?.keys() ?? [])].sort((a, b) => a - b);
  return { episodes: listed ?? emptyTable(found), homes, table };
}

function emptyTable(indexes: readonly number[]): EpisodeTable {
  const index = Int32Array.from(indexes);
  return {
    files: [],
    count: index.length,
    index,
    length: new Int32Array(index.length).fill(-1),
    rowOf: rowLookup(index),
    rowRange: () => null,
    rowsBefore: () => 0,
    tasks: () => null,
    dataPath: () => null,
    video: () => null,
  };
}

/** A camera without a single file while others have theirs is a line of metadata, not a stream of the episodes. */
function carriedCameras(
  tree: SourceTree,
  layout: 'v2' | 'v3',
  features: ReadonlyMap<string, Feature>,
  episodes: EpisodeTable,
  notes: Notes,
): Feature[] {
  const declared = [...features.values()].filter((feature) => feature.dtype === 'video');
  // Without a table of episodes nobody knows where a video belongs, which is said once, of the table.
  if (layout === 'v3' && episodes.files.length === 0) return [];
  const withFiles = declared.filter((feature) => {
    for (let row = 0; row < episodes.count; row++) {
      const span = episodes.video(row, feature.key);
      if (span !== null && tree.has(span.path)) return true;
    }
    return false;
  });
  const without = declared.filter((feature) => !withFiles.includes(feature)).map((feature) => feature.key);
  // Where no camera has files the episodes keep them all, and comparing them says so.
  if (without.length > 0 && withFiles.length > 0) {
    notes.put(
      lerobotBreach(
        layout,
        'camera_without_files',
        'videos',
        `${enumerate(without)} ${without.length === 1 ? 'is a declared camera' : 'are declared cameras'} without a single video file`,
        { cameras: without },
      ),
    );
  }
  return withFiles.length > 0 ? withFiles : declared;
}

/** Footers are looked into where tables and info.json differ, and only of so many files. */
const mostFiles = 1000;

/** total_frames against the rows of the data files, or against the lengths where those cannot be counted. */
async function compareTotalFrames(
  { info, layout, episodes, tree }: LeRobotSet,
  files: readonly string[],
  notes: Notes,
): Promise<void> {
  const declared = info.total_frames;
  const listed = episodes.length.every((length) => length >= 0)
    ? episodes.length.reduce((sum, length) => sum + length, 0)
    : null;
  if (declared === null || listed === null || declared === listed) return;
  const found = files.length > mostFiles ? listed : ((await rowsIn(tree, files)) ?? listed);
  if (declared === found) return;
  const message = `${infoPath} says total_frames ${declared}; ${counted(found, 'rows are')} there`;
  notes.put(lerobotBreach(layout, 'total_frames_wrong', infoPath, message, { declared, found }));
}

async function rowsIn(tree: SourceTree, files: readonly string[]): Promise<number | null> {
  let rows = 0;
  try {
    for (const file of files)
      rows += await withHeld(holdFooter(tree, file), (held) => parquetRowCount(held.absolute(file), file));
    return rows;
  } catch {
    return null;
  }
}
