import { messageOf } from '#kernel';
import type { SourceTree } from '../../bytes/source-tree.ts';
import { lerobotBreach } from '../../contracts/lerobot/contract.ts';
import { type Chunk, chunks } from '../../parquet/chunks.ts';
import { parquetSource, sqlName } from '../../parquet/duck.ts';
import { type ParquetColumn, parquetColumns } from '../../parquet/footer.ts';
import { type EpisodeTable, Interned, PathCache, rowLookup, rowsBefore } from './episode-table.ts';
import type { LeRobotInfo } from './info.ts';
import { enumerate, type Notes } from './notes.ts';
import { fillTemplate } from './template.ts';

const fallbackData = 'data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet';
const fallbackVideo = 'videos/{video_key}/chunk-{chunk_index:03d}/file-{file_index:03d}.mp4';
const separator = '\u001f';

/** The files the library reads: exactly two folders deep; shallower ones only where there is nothing else. */
export function episodeFilesV3(tree: SourceTree): string[] {
  const all = tree.files
    .map((file) => file.path)
    .filter((path) => /^meta\/episodes\/.*\.parquet$/i.test(path));
  const deep = all.filter((path) => path.split('/').length === 4);
  return deep.length > 0 ? deep : all;
}

/** Numeric columns that are read, in the order of the query; missing ones come as nulls. */
const numericColumns = [
  'episode_index',
  'length',
  'data/chunk_index',
  'data/file_index',
  'dataset_from_index',
  'dataset_to_index',
] as const;
const videoColumns = ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'] as const;

/** The columns of an episodes table, and the files that they were read from. Plain data. */
export interface ReadTable {
  readonly loaded: Loaded;
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
): Promise<{ loaded: Loaded | null; readable: readonly string[] }> {
  const all = await load(tree, files, present, cameras).catch(() => null);
  if (all !== null) return { loaded: all, readable: files };
  const readable: string[] = [];
  for (const file of files) {
    const columns = new Set((await parquetColumns(tree.absolute(file), file)).map(({ name }) => name));
    const own = await load(tree, [file], columns, cameras).catch((thrown: unknown) =>
      reportUnreadable(file, thrown, notes),
    );
    if (own !== null) readable.push(file);
  }
  const loaded =
    readable.length === 0 ? null : await load(tree, readable, present, cameras).catch(() => null);
  return { loaded, readable };
}

interface Loaded {
  readonly index: Int32Array;
  readonly length: Int32Array;
  readonly chunk: Int32Array;
  readonly file: Int32Array;
  readonly firstRow: Int32Array;
  readonly endRow: Int32Array;
  readonly tasks: Int32Array;
  readonly taskTexts: readonly string[];
  readonly videos: ReadonlyMap<string, readonly Float64Array[]>;
}

async function load(
  tree: SourceTree,
  files: readonly string[],
  present: ReadonlySet<string>,
  cameras: readonly string[],
): Promise<Loaded> {
  const paths = files.map((file) => tree.absolute(file));
  const number = (name: string) => (present.has(name) ? `${sqlName(name)}::DOUBLE` : 'NULL::DOUBLE');
  const names = [
    ...numericColumns,
    ...cameras.flatMap((camera) => videoColumns.map((column) => `videos/${camera}/${column}`)),
  ];
  const tasks = present.has('tasks') ? `array_to_string(tasks, chr(31))` : 'NULL::VARCHAR';
  const source = parquetSource(paths, files.length > 1 ? 'union_by_name = true' : '');
  const columns = names.map(() => new Column());
  const taskIds = new Column();
  const interned = new Interned();
  for await (const chunk of chunks(`SELECT ${names.map(number).join(', ')}, ${tasks} FROM ${source}`)) {
    columns.forEach((column, position) => {
      column.add(chunk, position);
    });
    for (let row = 0; row < chunk.rows; row++) {
      const text = chunk.text(names.length, row);
      taskIds.push(text === null ? -1 : interned.idOf(text));
    }
  }
  const [index, length, dataChunk, file, firstRow, endRow] = columns
    .slice(0, numericColumns.length)
    .map((column) => column.integers());
  const videos = new Map(
    cameras.map((camera, at) => {
      const first = numericColumns.length + at * videoColumns.length;
      return [camera, columns.slice(first, first + videoColumns.length).map((column) => column.doubles())];
    }),
  );
  const taskTexts = interned.values;
  const tasksOf = taskIds.integers();
  return { index, length, chunk: dataChunk, file, firstRow, endRow, tasks: tasksOf, taskTexts, videos };
}

/** A growing column of numbers; null is NaN. */
class Column {
  #values = new Float64Array(1024);
  #count = 0;

  add(chunk: Chunk, position: number): void {
    const { values, nulls } = chunk.numbers(position);
    const first = this.#count;
    this.#reserve(chunk.rows);
    this.#values.set(values, first);
    this.#count += chunk.rows;
    if (nulls === null) return;
    for (let row = 0; row < chunk.rows; row++) if (nulls[row] === 1) this.#values[first + row] = Number.NaN;
  }

  push(value: number): void {
    this.#reserve(1);
    this.#values[this.#count++] = value;
  }

  #reserve(more: number): void {
    if (this.#count + more <= this.#values.length) return;
    const grown = new Float64Array((this.#count + more) * 2);
    grown.set(this.#values);
    this.#values = grown;
  }

  doubles(): Float64Array {
    return this.#values.slice(0, this.#count);
  }

  /** −1 for null. */
  integers(): Int32Array {
    const integers = new Int32Array(this.#count);
    for (let row = 0; row < this.#count; row++) {
      const value = this.#values[row];
      integers[row] = Number.isNaN(value) ? -1 : value;
    }
    return integers;
  }
}

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

function splitTasks(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split(separator);
}

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
  { index, videos }: Loaded,
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
      `${moved} of ${index.length} rows of the table of episodes do not stand at their episode_index: row ${first} holds episode ${index[first]}; the library looks episodes up by row and would read the wrong rows`,
      { rows: moved, first_row: first, first_episode: index[first] },
    ),
  );
}
