import { fillTemplate, listText, messageOf } from '#core';
import type { SourceTree } from '#io/sources';
import { type ParquetColumn, parquetColumns } from '../../../shared/parquet/footer.ts';
import type { FindingCollector } from '../../metadata/finding-collector.ts';
import type { LeRobotInfo } from '../../metadata/info.ts';
import { createLeRobotViolation } from '../../rules/contract.ts';
import {
  createRowLookup,
  createRowsBefore,
  type EpisodeColumns,
  type EpisodeTable,
  loadColumns,
  numericColumns,
  PathCache,
  splitTasks,
  videoColumns,
} from './episode-table.ts';

const defaultDataTemplate = 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
const defaultVideoTemplate = 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4';

/**
 * Lists the episodes table files that the library reads: exactly two folders deep; others only if there are none.
 */
export function listEpisodeFilesV3(tree: SourceTree): string[] {
  const all = tree.files
    .map((file) => file.path)
    .filter((path) => /^meta\/episodes\/.*\.parquet$/i.test(path));
  const deep = all.filter((path) => path.split('/').length === 4);
  return deep.length > 0 ? deep : all;
}

/** Columns and files of an episodes table. Plain data, so that it can be sent to another thread. */
export interface EpisodeTableData {
  readonly loaded: EpisodeColumns;
  readonly files: readonly string[];
  /** Table columns, each from the first file that has it. */
  readonly columns: readonly ParquetColumn[];
}

/**
 * Reads the episodes table of a v3 set; adds findings on unreadable files, missing columns and wrong order, and returns
 * null if it is missing or no file can be read.
 */
export async function readEpisodesV3(
  tree: SourceTree,
  cameras: readonly string[],
  notes: FindingCollector,
): Promise<EpisodeTableData | null> {
  const files = listEpisodeFilesV3(tree);
  if (files.length === 0) {
    notes.addFinding(
      createLeRobotViolation(
        'v3',
        'episodes_missing',
        'meta/episodes',
        'meta/episodes has no episode table: the dataset was not finalized; the episodes were inferred from the data files',
      ),
    );
    return null;
  }
  const withFooter: string[] = [];
  const present = new Map<string, ParquetColumn>();
  for (const file of files) {
    const columns = await parquetColumns(tree.absolute(file), file).catch((thrown: unknown) =>
      reportUnreadable(file, thrown, notes),
    );
    if (columns === null) continue;
    withFooter.push(file);
    for (const column of columns) if (!present.has(column.name)) present.set(column.name, column);
  }
  if (!present.has('episode_index')) return null;
  const names = new Set(present.keys());
  reportMissingColumns(names, notes);
  const { loaded, readable } = await loadReadable(tree, withFooter, names, cameras, notes);
  if (loaded === null) return null;
  reportVideoColumns(loaded, names, cameras, notes);
  reportOrder(loaded.index, notes);
  return { loaded, files: readable, columns: [...present.values()] };
}

/** Reports a table file that cannot be read. */
function reportUnreadable(file: string, thrown: unknown, notes: FindingCollector): null {
  const [why] = messageOf(thrown).split('\n');
  notes.addFinding(createLeRobotViolation('v3', 'episodes_unreadable', file, `cannot read ${file}: ${why}`));
  return null;
}

/** Loads all files; files with an intact footer but damaged pages are left out and reported. */
async function loadReadable(
  tree: SourceTree,
  files: readonly string[],
  present: ReadonlySet<string>,
  cameras: readonly string[],
  notes: FindingCollector,
): Promise<{ loaded: EpisodeColumns | null; readable: readonly string[] }> {
  const all = await loadColumns(tree, files, present, cameras).catch(() => null);
  if (all !== null) return { loaded: all, readable: files };
  const readable: string[] = [];
  for (const file of files) {
    const columns = new Set((await parquetColumns(tree.absolute(file), file)).map(({ name }) => name));
    const own = await loadColumns(tree, [file], columns, cameras).catch((thrown: unknown) =>
      reportUnreadable(file, thrown, notes),
    );
    if (own !== null) readable.push(file);
  }
  const loaded =
    readable.length === 0 ? null : await loadColumns(tree, readable, present, cameras).catch(() => null);
  return { loaded, readable };
}

/**
 * Creates the episodes table from loaded columns, with paths from the templates of info.json (files may be missing);
 * missing values are null.
 */
export function createEpisodeTable(
  { loaded, files }: EpisodeTableData,
  info: LeRobotInfo,
  cameras: readonly string[],
): EpisodeTable {
  const { index, length, chunk, file, firstRow, endRow, tasks, taskTexts, videos } = loaded;
  const dataPaths = createPathCache(info.data_path ?? defaultDataTemplate, info, null);
  const videoPaths = new Map(
    cameras.map((camera) => [camera, createPathCache(info.video_path ?? defaultVideoTemplate, info, camera)]),
  );
  const taskLists = taskTexts.map(splitTasks);
  return {
    files,
    count: index.length,
    index,
    length,
    rowOf: createRowLookup(index),
    rowRange: (row) => (firstRow[row] < 0 || endRow[row] < 0 ? null : [firstRow[row], endRow[row]]),
    rowsBefore: createRowsBefore(length),
    tasks: (row) => (tasks[row] < 0 ? null : taskLists[tasks[row]]),
    dataPath: (row) =>
      chunk[row] < 0 || file[row] < 0 ? null : dataPaths.path(chunk[row], file[row], index[row]),
    video: (row, camera) => {
      const columns = videos.get(camera);
      if (columns === undefined || Number.isNaN(columns[0][row]) || Number.isNaN(columns[1][row]))
        return null;
      const path = videoPaths.get(camera)?.path(columns[0][row], columns[1][row], index[row]) ?? null;
      if (path === null) return null;
      const from_s = Number.isNaN(columns[2][row]) ? 0 : columns[2][row];
      return { path, from_s, to_s: columns[3][row] > from_s ? columns[3][row] : null };
    },
  };
}

function createPathCache(template: string, info: LeRobotInfo, camera: string | null): PathCache {
  return new PathCache(template, (chunk_index, file_index, episode_index) =>
    fillTemplate(template, {
      chunk_index,
      file_index,
      episode_index,
      episode_chunk: Math.floor(episode_index / info.chunks_size),
      ...(camera === null ? {} : { video_key: camera }),
    }),
  );
}

/** Reports required columns that the table lacks. */
function reportMissingColumns(present: ReadonlySet<string>, notes: FindingCollector): void {
  const needed = [...numericColumns, 'tasks'];
  const missing = needed.filter((column) => !present.has(column));
  if (missing.length === 0) return;
  notes.addFinding(
    createLeRobotViolation(
      'v3',
      'episodes_columns_missing',
      'meta/episodes',
      `missing columns in the episode table: ${listText(missing)}`,
    ),
  );
}

/** Reports missing or empty video columns. The library reads all but to_timestamp for every camera. */
function reportVideoColumns(
  { index, videos }: EpisodeColumns,
  present: ReadonlySet<string>,
  cameras: readonly string[],
  notes: FindingCollector,
): void {
  for (const camera of cameras) {
    const names = videoColumns.map((column) => `videos/${camera}/${column}`);
    const missing = names.filter((name) => !present.has(name));
    const columns = videos.get(camera) ?? [];
    const empty: number[] = [];
    for (let row = 0; row < index.length && missing.length === 0; row++)
      if (columns.some((column) => Number.isNaN(column[row]))) empty.push(index[row]);
    if (missing.length === 0 && empty.length === 0) continue;
    const what =
      missing.length > 0
        ? `is missing the columns ${listText(missing)}`
        : `has no video location of ${camera} for ${empty.length} of ${index.length} episodes (${listText(empty)})`;
    notes.addFinding(
      createLeRobotViolation(
        'v3',
        'video_columns_missing',
        'meta/episodes',
        `the episode table ${what}: LeRobot cannot load the dataset`,
        { camera, columns: missing, episodes: empty.slice(0, 200) },
      ),
    );
  }
}

/** Reports rows out of order: the library takes row i for episode i. */
function reportOrder(index: Int32Array, notes: FindingCollector): void {
  let moved = 0;
  let first = -1;
  for (let row = 0; row < index.length; row++) {
    if (index[row] === row) continue;
    if (first < 0) first = row;
    moved += 1;
  }
  if (moved === 0) return;
  notes.addFinding(
    createLeRobotViolation(
      'v3',
      'episodes_out_of_order',
      'meta/episodes',
      `the episode table is not sorted by episode_index without gaps: row ${first} is episode ${index[first]} (${moved} of ${index.length} rows affected); LeRobot looks episodes up by row number and would read the wrong rows`,
      { rows: moved, first_row: first, first_episode: index[first] },
    ),
  );
}
