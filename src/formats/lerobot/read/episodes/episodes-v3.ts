import { enumerate, fillTemplate, messageOf } from '#core';
import type { SourceTree } from '#io/sources';
import { type ParquetColumn, parquetColumns } from '../../../shared/parquet/footer.ts';
import type { LeRobotInfo } from '../../metadata/info.ts';
import type { Notes } from '../../metadata/notes.ts';
import { lerobotBreach } from '../../rules/contract.ts';
import { type EpisodeColumns, loadColumns, numericColumns, videoColumns } from './episode-columns.ts';
import { type EpisodeTable, PathCache, rowLookup, rowsBefore, splitTasks } from './episode-table.ts';

const fallbackData = 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
const fallbackVideo = 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4';

/** The files the library reads: exactly two folders deep; shallower ones only where there is nothing else. */
export function episodeFilesV3(tree: SourceTree): string[] {
  const all = tree.files
    .map((file) => file.path)
    .filter((path) => /^meta\/episodes\/.*\.parquet$/i.test(path));
  const deep = all.filter((path) => path.split('/').length === 4);
  return deep.length > 0 ? deep : all;
}

/** The columns of an episodes table, and the files that they were read from. Plain data. */
export interface ReadTable {
  readonly loaded: EpisodeColumns;
  readonly files: readonly string[];
  /** Its columns, by the first file that has each. */
  readonly columns: readonly ParquetColumn[];
}

/** Reads the episodes table of a v3 set. Null when it is absent or cannot be read. */
export async function readEpisodesV3(
  tree: SourceTree,
  cameras: readonly string[],
  notes: Notes,
): Promise<ReadTable | null> {
  const files = episodeFilesV3(tree);
  if (files.length === 0) {
    notes.put(
      lerobotBreach(
        'v3',
        'episodes_missing',
        'meta/episodes',
        'there is no table of episodes under meta/episodes: the set was not finalized; episodes are taken from the data files',
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

function reportUnreadable(file: string, thrown: unknown, notes: Notes): null {
  const [why] = messageOf(thrown).split('\n');
  notes.put(lerobotBreach('v3', 'episodes_unreadable', file, `${file} could not be read: ${why}`));
  return null;
}

/** Files whose footer is sound may have damaged pages: those are left out and reported. */
async function loadReadable(
  tree: SourceTree,
  files: readonly string[],
  present: ReadonlySet<string>,
  cameras: readonly string[],
  notes: Notes,
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

/** The table by rows: paths filled in, nulls for what it does not say. */
export function episodeTableOf(
  { loaded, files }: ReadTable,
  info: LeRobotInfo,
  cameras: readonly string[],
): EpisodeTable {
  const { index, length, chunk, file, firstRow, endRow, tasks, taskTexts, videos } = loaded;
  const dataPaths = pathsOf(info.data_path ?? fallbackData, info, null);
  const videoPaths = new Map(
    cameras.map((camera) => [camera, pathsOf(info.video_path ?? fallbackVideo, info, camera)]),
  );
  const taskLists = taskTexts.map(splitTasks);
  return {
    files,
    count: index.length,
    index,
    length,
    rowOf: rowLookup(index),
    rowRange: (row) => (firstRow[row] < 0 || endRow[row] < 0 ? null : [firstRow[row], endRow[row]]),
    rowsBefore: rowsBefore(length),
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

function pathsOf(template: string, info: LeRobotInfo, camera: string | null): PathCache {
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

/** Columns of rows that the table does not have. */
function reportMissingColumns(present: ReadonlySet<string>, notes: Notes): void {
  const needed = [...numericColumns, 'tasks'];
  const missing = needed.filter((column) => !present.has(column));
  if (missing.length === 0) return;
  notes.put(
    lerobotBreach(
      'v3',
      'episodes_columns_missing',
      'meta/episodes',
      `the table of episodes lacks the columns ${enumerate(missing)}`,
    ),
  );
}

/** The library asks for all of them but to_timestamp, for every camera, at opening or at rows. */
function reportVideoColumns(
  { index, videos }: EpisodeColumns,
  present: ReadonlySet<string>,
  cameras: readonly string[],
  notes: Notes,
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
        ? `lacks the columns ${enumerate(missing)}`
        : `does not say where ${camera} lies in ${empty.length} of ${index.length} episodes: ${enumerate(empty)}`;
    notes.put(
      lerobotBreach(
        'v3',
        'video_columns_missing',
        'meta/episodes',
        `the table of episodes ${what}: the library cannot open the set`,
        { camera, columns: missing, episodes: empty.slice(0, 200) },
      ),
    );
  }
}

/** The library takes row i for episode i. */
function reportOrder(index: Int32Array, notes: Notes): void {
  let moved = 0;
  let first = -1;
  for (let row = 0; row < index.length; row++) {
    if (index[row] === row) continue;
    if (first < 0) first = row;
    moved += 1;
  }
  if (moved === 0) return;
  notes.put(
    lerobotBreach(
      'v3',
      'episodes_out_of_order',
      'meta/episodes',
      `${moved} of ${index.length} rows of the table of episodes are not at the place of their episode_index: row ${first} holds episode ${index[first]}; the library looks episodes up by row and would read the wrong rows`,
      { rows: moved, first_row: first, first_episode: index[first] },
    ),
  );
}
