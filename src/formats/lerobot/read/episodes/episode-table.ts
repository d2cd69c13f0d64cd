import type { SourceTree } from '#io/sources';
import { type Chunk, fetchChunks } from '../../../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';

/** Numeric columns in query order; missing ones are read as null. */
export const numericColumns = [
  'episode_index',
  'length',
  'data/chunk_index',
  'data/file_index',
  'dataset_from_index',
  'dataset_to_index',
] as const;
/** Columns of each camera, below `videos/<camera>/`. */
export const videoColumns = ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'] as const;

/** Columns of the episodes table by row; −1 and NaN stand for null. */
export interface EpisodeColumns {
  readonly index: Int32Array;
  readonly length: Int32Array;
  readonly chunk: Int32Array;
  readonly file: Int32Array;
  readonly firstRow: Int32Array;
  readonly endRow: Int32Array;
  /** Index into taskTexts; −1 for null. */
  readonly tasks: Int32Array;
  /** Distinct task texts of episodes, joined by `taskSeparator`. */
  readonly taskTexts: readonly string[];
  /** Columns by camera, in the order of videoColumns. */
  readonly videos: ReadonlyMap<string, readonly Float64Array[]>;
}

/**
 * Loads the columns of all table files, rows in file order; null values and columns that are not `present` become −1,
 * or NaN in video columns.
 */
export async function loadColumns(
  tree: SourceTree,
  files: readonly string[],
  present: ReadonlySet<string>,
  cameras: readonly string[],
): Promise<EpisodeColumns> {
  const paths = files.map((file) => tree.absolute(file));
  const number = (name: string) => (present.has(name) ? `${sqlName(name)}::DOUBLE` : 'NULL::DOUBLE');
  const names = [
    ...numericColumns,
    ...cameras.flatMap((camera) => videoColumns.map((column) => `videos/${camera}/${column}`)),
  ];
  const tasks = present.has('tasks') ? `array_to_string(tasks, chr(31))` : 'NULL::VARCHAR';
  const source = parquetSource(paths, files.length > 1 ? 'union_by_name = true' : '');
  const columns = names.map(() => new GrowingColumn());
  const taskIds = new GrowingColumn();
  const interned = new StringPool();
  for await (const chunk of fetchChunks(`SELECT ${names.map(number).join(', ')}, ${tasks} FROM ${source}`)) {
    columns.forEach((column, position) => {
      column.add(chunk, position);
    });
    for (let row = 0; row < chunk.rows; row++) {
      const text = chunk.text(names.length, row);
      taskIds.push(text === null ? -1 : interned.intern(text));
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

/** A growing column of numbers; null becomes NaN. */
class GrowingColumn {
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

  /** Returns the values as integers; null becomes −1. */
  integers(): Int32Array {
    const integers = new Int32Array(this.#count);
    for (let row = 0; row < this.#count; row++) {
      const value = this.#values[row];
      integers[row] = Number.isNaN(value) ? -1 : value;
    }
    return integers;
  }
}

/** Span of an episode in a video file. */
export interface VideoSpan {
  readonly path: string;
  readonly from_s: number;
  /** End in seconds; null for the end of the file. */
  readonly to_s: number | null;
}

/** Metadata of all episodes, stored in columns: 100,000 episodes take a few megabytes. */
export interface EpisodeTable {
  /** Files of the table. */
  readonly files: readonly string[];
  readonly count: number;
  /** episode_index by table row. */
  readonly index: Int32Array;
  /** Declared number of rows; −1 if not declared. */
  readonly length: Int32Array;
  /** Returns the table row of an episode; undefined if it is not listed. */
  rowOf(episode: number): number | undefined;
  /** Returns the declared row range in the whole set, end exclusive; null if not declared. */
  rowRange(row: number): readonly [from: number, to: number] | null;
  /** Returns the total declared rows of the episodes before this one. */
  rowsBefore(row: number): number;
  /** Returns the task texts; null if the table has none. */
  tasks(row: number): readonly string[] | null;
  /** Returns the data file of the metadata, which may not exist; null if unknown. */
  dataPath(row: number): string | null;
  /** Returns the video span of a camera; null if unknown. */
  video(row: number, camera: string): VideoSpan | null;
}

/**
 * Creates a lookup of the table row by episode_index, undefined for other episodes; the first row of a repeated index
 * counts.
 */
export function createRowLookup(index: Int32Array): (episode: number) => number | undefined {
  let identity = true;
  for (let row = 0; row < index.length && identity; row++) identity = index[row] === row;
  if (identity) return (episode) => (episode >= 0 && episode < index.length ? episode : undefined);
  const rows = new Map<number, number>();
  for (let row = index.length - 1; row >= 0; row--) rows.set(index[row], row);
  return (episode) => rows.get(episode);
}

/**
 * Creates a lookup of the total rows before each table row, computed on first use; rows without a declared length count
 * as 0.
 */
export function createRowsBefore(length: Int32Array): (row: number) => number {
  let before: Float64Array | null = null;
  return (row) => {
    if (before === null) {
      before = new Float64Array(length.length);
      for (let at = 1; at < length.length; at++) before[at] = before[at - 1] + Math.max(0, length[at - 1]);
    }
    return before[row];
  };
}

/** Stores each distinct text once and numbers it. */
export class StringPool {
  readonly #ids = new Map<string, number>();
  readonly values: string[] = [];

  /** Returns the number of a text, adding it if it is new. */
  intern(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.values.length;
      this.values.push(text);
      this.#ids.set(text, id);
    }
    return id;
  }
}

/** Separates the joined task texts of an episode; no text contains it. chr(31) in SQL. */
export const taskSeparator = '\u001f';

/** Splits joined task texts; empty for an empty text. */
export function splitTasks(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split(taskSeparator);
}

/** Caches paths by chunk and file; templates that contain the episode are filled each time. */
export class PathCache {
  readonly #fill: (chunk: number, file: number, episode: number) => string | null;
  readonly #perEpisode: boolean;
  readonly #paths = new Map<number, string | null>();

  constructor(template: string, fill: (chunk: number, file: number, episode: number) => string | null) {
    this.#fill = fill;
    this.#perEpisode = template.includes('{episode');
  }

  /** Returns the path of a file, from the cache if known; null if the template cannot be filled. */
  path(chunk: number, file: number, episode: number): string | null {
    if (this.#perEpisode) return this.#fill(chunk, file, episode);
    const key = chunk * 0x1_0000_0000 + file;
    let path = this.#paths.get(key);
    if (path === undefined) {
      path = this.#fill(chunk, file, episode);
      this.#paths.set(key, path);
    }
    return path;
  }
}
