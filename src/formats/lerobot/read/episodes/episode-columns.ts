import type { SourceTree } from '#io/sources';
import { type Chunk, chunks } from '../../../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import { Interned } from './episode-table.ts';

/** Numeric columns that are read, in the order of the query; missing ones come as nulls. */
export const numericColumns = [
  'episode_index',
  'length',
  'data/chunk_index',
  'data/file_index',
  'dataset_from_index',
  'dataset_to_index',
] as const;
/** Of each camera, below `videos/<camera>/`. */
export const videoColumns = ['chunk_index', 'file_index', 'from_timestamp', 'to_timestamp'] as const;

/** The columns of a table of episodes, by row; −1 and NaN stand for null. */
export interface EpisodeColumns {
  readonly index: Int32Array;
  readonly length: Int32Array;
  readonly chunk: Int32Array;
  readonly file: Int32Array;
  readonly firstRow: Int32Array;
  readonly endRow: Int32Array;
  /** Into taskTexts. */
  readonly tasks: Int32Array;
  /** Texts of an episode, joined. */
  readonly taskTexts: readonly string[];
  /** By camera, in the order of videoColumns. */
  readonly videos: ReadonlyMap<string, readonly Float64Array[]>;
}

/** Reads the columns that are present from all files together. */
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
