import { AssayError, countPhrase, listText } from '#core';
import { createFileHasher, type SourceTree, withLocalFiles } from '#io/sources';
import { acquireFooter, type ParquetColumn, parquetRowCount } from '../../shared/parquet/footer.ts';
import type { Dataset, Recognition } from '../../shared/reader.ts';
import { FindingCollector } from '../metadata/finding-collector.ts';
import {
  addModalityNames,
  type Feature,
  infoPath,
  type LeRobotInfo,
  listVideoCameras,
  readInfo,
} from '../metadata/info.ts';
import { resolveLayout } from '../metadata/layout.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import { readTasks } from '../metadata/tasks.ts';
import { createLeRobotViolation } from '../rules/contract.ts';
import { createDataset } from './dataset.ts';
import { createRowLookup, type EpisodeTable } from './episodes/episode-table.ts';
import { readEpisodesV2 } from './episodes/episodes-v2.ts';
import { createEpisodeTable, type EpisodeTableData, readEpisodesV3 } from './episodes/episodes-v3.ts';
import { listDataFilesV3 } from './episodes/units-v3.ts';
import { createDamagedFileFinding, findLfsPointers } from './episodes/unreadable.ts';
import {
  compareColumns,
  findActualFiles,
  findReferenceColumns,
  reportFooter,
} from './findings/data-findings.ts';
import {
  compareDeclared,
  reportMissingVideos,
  reportUnreferenced,
  reportWindows,
} from './findings/metadata-findings.ts';
import { reportModality } from './findings/modality-findings.ts';
import { createWindowCache } from './findings/windows.ts';
import {
  createEpisodeStatsReader,
  type EpisodeStatsLocation,
  findStatsColumns,
} from './stats/episode-stats.ts';
import { episodeStatsPath, readStats } from './stats/stats.ts';

/**
 * Opens a set as a dataset, with findings where tables and files contradict each other; throws `unsupported_version`
 * for v1 and `unreadable_input` without data files.
 */
export async function openLeRobot(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  if (!tree.has(infoPath)) {
    throw new AssayError('unsupported_version', 'LeRobot v1 (meta_data/, safetensors) is not supported', {
      path: 'meta_data/info.json',
      advice: 'convert it to v2.0 or newer with LeRobot first',
    });
  }
  const notes = new FindingCollector();
  const info = await readInfo(tree, notes);
  const layout = resolveLayout(tree, info, notes);
  const pointers = await findLfsPointers(tree, layout, notes);
  const dataFiles = listDataFiles(tree, layout);
  if (dataFiles.length === 0) throw noDataError(info);
  const usable = dataFiles.filter((file) => !pointers.has(file) && (tree.entry(file)?.bytes ?? 0) > 0);
  const tables = tree.files.map((file) => file.path).filter((path) => /^meta\/.*\.parquet$/i.test(path));
  const held = await tree.acquire(tables);
  try {
    return await openTables(tree, { recognition, notes, info, layout, pointers, usable });
  } finally {
    await held.release();
  }
}

/** Results of the first steps of opening. */
interface OpenContext {
  readonly recognition: Recognition;
  readonly notes: FindingCollector;
  readonly info: LeRobotInfo;
  readonly layout: 'v2' | 'v3';
  readonly pointers: ReadonlySet<string>;
  /** Data files that are neither empty nor pointers. */
  readonly usable: readonly string[];
}

/** Reads the tables and creates the dataset with its findings. */
async function openTables(tree: SourceTree, opening: OpenContext): Promise<Dataset> {
  const { recognition, notes, info, layout, pointers, usable } = opening;
  const { reference, damaged } = await findReferenceColumns(tree, usable);
  const features = await resolveFeatures(tree, info, layout, reference?.columns ?? null, notes);
  const tasks = await readTasks(tree, layout, notes);
  const { episodes, actualFiles, table } = await readEpisodes(tree, info, layout, features, usable, notes);
  const cameras = selectCameras(tree, layout, features, episodes, notes);
  // A camera without any file is reported as such, and not for its statistics as well.
  const recorded = new Map([...features].filter(([, one]) => one.dtype !== 'video' || cameras.includes(one)));
  const place = locateEpisodeStats(tree, features, table);
  const set: LeRobotSet = {
    tree,
    layout,
    info,
    features,
    tasks,
    episodes,
    ...(await readStats(tree, info, recorded, layout, notes)),
    episodeStats: place === null ? null : createEpisodeStatsReader(tree, place, [...features.keys()]),
    cameras,
    windows: createWindowCache(episodes, layout, info.fps),
    hasher: createFileHasher(tree),
    reference: reference?.columns ?? null,
    columns: new Map(),
    pointers,
  };
  for (const [file, why] of damaged) notes.addFinding(createDamagedFileFinding(set, file, why));
  if (reference !== null) {
    compareColumns(features, layout, reference, notes);
    await reportFooter(set, reference.file, notes);
  }
  compareDeclared(set, notes);
  await compareTotalFrames(set, usable, notes);
  reportMissingVideos(set, notes);
  reportUnreferenced(set, notes);
  reportWindows(set, notes);
  await reportModality(set, notes);
  const findings = notes.list();
  const actualFileOf = (episode: number) => actualFiles?.get(episode);
  if (table === null) return createDataset(set, actualFileOf, recognition, findings);
  const { stats, statsPath, reference: columns } = set;
  const parts = { layout, info, features, tasks, stats, statsPath, cameras, reference: columns, pointers };
  const snapshot = { parts, table, actualFiles, findings, episodeStatsLocation: place };
  return createDataset(set, actualFileOf, recognition, findings, snapshot);
}

/** Locates the statistics of single episodes; null if there are none. */
function locateEpisodeStats(
  tree: SourceTree,
  features: ReadonlyMap<string, Feature>,
  table: EpisodeTableData | null,
): EpisodeStatsLocation | null {
  if (table === null) return tree.has(episodeStatsPath) ? { kind: 'lines', path: episodeStatsPath } : null;
  const columns = findStatsColumns(table.files, table.columns, features);
  return columns === null ? null : { kind: 'columns', ...columns };
}

/** Lists the data files where the library looks. */
function listDataFiles(tree: SourceTree, layout: 'v2' | 'v3'): string[] {
  if (layout === 'v3') return listDataFilesV3(tree);
  return tree.files.map((file) => file.path).filter((path) => /^data\/.*episode_\d+\.parquet$/i.test(path));
}

function noDataError(info: LeRobotInfo): AssayError {
  const lacks = [
    info.version === null ? 'no codebase_version' : '',
    info.features.size === 0 ? 'no features' : '',
  ].filter((part) => part !== '');
  const also = lacks.length === 0 ? '' : `; ${infoPath} has ${lacks.join(' and ')}`;
  return new AssayError('unreadable_input', `the dataset has no data: no Parquet file under data/${also}`, {
    path: 'data',
    advice: 'copy or download the data folder next to meta/',
  });
}

/**
 * Returns the declared features with dimension names, or features derived from the columns if none are declared.
 */
async function resolveFeatures(
  tree: SourceTree,
  info: LeRobotInfo,
  layout: 'v2' | 'v3',
  columns: readonly ParquetColumn[] | null,
  notes: FindingCollector,
): Promise<ReadonlyMap<string, Feature>> {
  if (info.features.size > 0) return addModalityNames(tree, info.features, notes);
  notes.addFinding(
    createLeRobotViolation(
      layout,
      'features_missing',
      infoPath,
      `${infoPath} declares no features; they were inferred from the columns of the data file`,
    ),
  );
  const derived = (columns ?? []).map(({ name, type }): [string, Feature] => {
    const dtype = /BLOB/.test(type) ? 'image' : /^VARCHAR|^STRUCT/.test(type) ? 'string' : 'float32';
    return [name, { key: name, dtype, shape: [], names: null, raw_names: null, details: {}, unit: null }];
  });
  return new Map(derived);
}

/** Reads the episodes table; in v3 also the actual data files if they contradict it. */
async function readEpisodes(
  tree: SourceTree,
  info: LeRobotInfo,
  layout: 'v2' | 'v3',
  features: ReadonlyMap<string, Feature>,
  usable: readonly string[],
  notes: FindingCollector,
): Promise<{
  episodes: EpisodeTable;
  actualFiles: ReadonlyMap<number, string> | null;
  table: EpisodeTableData | null;
}> {
  const cameras = listVideoCameras(features);
  if (layout === 'v2') {
    const episodes = await readEpisodesV2(tree, info, cameras, notes);
    return { episodes, actualFiles: null, table: null };
  }
  const table = await readEpisodesV3(tree, cameras, notes);
  const listed = table === null ? null : createEpisodeTable(table, info, cameras);
  const actualFiles = await findActualFiles(tree, usable, listed ?? createEmptyTable([]));
  const found = [...(actualFiles?.keys() ?? [])].sort((a, b) => a - b);
  return { episodes: listed ?? createEmptyTable(found), actualFiles, table };
}

/** Creates a table of these episodes without further data. */
function createEmptyTable(indexes: readonly number[]): EpisodeTable {
  const index = Int32Array.from(indexes);
  return {
    files: [],
    count: index.length,
    index,
    length: new Int32Array(index.length).fill(-1),
    rowOf: createRowLookup(index),
    rowRange: () => null,
    rowsBefore: () => 0,
    tasks: () => null,
    dataPath: () => null,
    video: () => null,
  };
}

/**
 * Selects the cameras that the episodes have. A declared camera without any file is reported and left out if other
 * cameras have files and the table of episodes names no file of it (v2 tables never do). A camera whose named files are
 * all lost is kept, so that each episode reports its own.
 */
function selectCameras(
  tree: SourceTree,
  layout: 'v2' | 'v3',
  features: ReadonlyMap<string, Feature>,
  episodes: EpisodeTable,
  notes: FindingCollector,
): Feature[] {
  const declared = [...features.values()].filter((feature) => feature.dtype === 'video');
  // Without an episodes table, videos cannot be assigned; the missing table is reported instead.
  if (layout === 'v3' && episodes.files.length === 0) return [];
  const kept = declared.filter((feature) => {
    for (let row = 0; row < episodes.count; row++) {
      const span = episodes.video(row, feature.key);
      if (span !== null && (layout === 'v3' || tree.has(span.path))) return true;
    }
    return false;
  });
  const without = declared.filter((feature) => !kept.includes(feature)).map((feature) => feature.key);
  // If no camera has files, all are retained and reported as missing per episode.
  if (without.length > 0 && kept.length > 0) {
    notes.addFinding(
      createLeRobotViolation(
        layout,
        'camera_without_files',
        'videos',
        `${listText(without)} ${without.length === 1 ? 'is declared as a camera, but has' : 'are declared as cameras, but have'} no video files`,
        { cameras: without },
      ),
    );
  }
  return kept.length > 0 ? kept : declared;
}

/** Maximum number of files whose footers are read to count rows. */
const maxCountedFiles = 1000;

/** Compares total_frames with the rows of the data files, or with the listed lengths if those cannot be counted. */
async function compareTotalFrames(
  { info, layout, episodes, tree }: LeRobotSet,
  files: readonly string[],
  notes: FindingCollector,
): Promise<void> {
  const declared = info.total_frames;
  const listed = episodes.length.every((length) => length >= 0)
    ? episodes.length.reduce((sum, length) => sum + length, 0)
    : null;
  if (declared === null || listed === null || declared === listed) return;
  const found = files.length > maxCountedFiles ? listed : ((await countRows(tree, files)) ?? listed);
  if (declared === found) return;
  const message = `total_frames is ${declared} in ${infoPath}, but the dataset has ${countPhrase(found, 'rows')}`;
  notes.addFinding(
    createLeRobotViolation(layout, 'total_frames_wrong', infoPath, message, { declared, found }),
  );
}

/** Returns the total row count of the files; null if one cannot be read. */
async function countRows(tree: SourceTree, files: readonly string[]): Promise<number | null> {
  let rows = 0;
  try {
    for (const file of files)
      rows += await withLocalFiles(acquireFooter(tree, file), (held) =>
        parquetRowCount(held.absolute(file), file),
      );
    return rows;
  } catch {
    return null;
  }
}
