import type { DuckDBConnection, DuckDBDataChunk } from '@duckdb/node-api';
import type { JsonObject } from '#core';
import type { DataFile } from './copy-data.ts';
import type { KeptEpisode } from './kept-episode.ts';
import { named, quoted } from './sql.ts';
import type { FeatureStatistics } from './statistics/aggregate-statistics.ts';
import { poolStatistics } from './statistics/statistics.ts';

/** What an episode's rows say, read from the file that holds them now. */
export interface WrittenEpisode {
  /** Indexes of its tasks, in the order of its rows; those that other columns name come last. */
  readonly tasks: readonly number[];
  /** By numeric feature. */
  readonly statistics: Record<string, FeatureStatistics>;
}

interface NumericColumn {
  readonly key: string;
  readonly shape: readonly number[];
}

const apart = new Set(['string', 'image', 'video', 'language']);

/** Features whose statistics follow from the rows. */
export function numericColumns(features: JsonObject): NumericColumn[] {
  return Object.entries(features as Record<string, JsonObject>)
    .filter(([, { dtype }]) => !apart.has(String(dtype)))
    .map(([key, { shape }]) => ({ key, shape: Array.isArray(shape) ? shape.map(Number) : [1] }));
}

/** Reads a data file of the new set, episode by episode, holding one of them. */
export async function* writtenEpisodes(
  connection: DuckDBConnection,
  { path, episodes }: DataFile,
  declared: readonly NumericColumn[],
  taskColumns: readonly string[],
): AsyncGenerator<readonly [KeptEpisode, WrittenEpisode]> {
  const present = await columnsIn(connection, path);
  const columns = declared.filter(({ key }) => present.has(key));
  const tasks = ['task_index', ...taskColumns.filter((name) => present.has(name))];
  const list = [...tasks, ...columns.map(({ key }) => key)].map(named).join(', ');
  const result = await connection.stream(`SELECT ${list} FROM read_parquet(${quoted(path)})`);
  let place = 0;
  let reading = new EpisodeReader(tasks.length, columns, episodes[0].rows);
  while (place < episodes.length) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (let row = 0; row < chunk.rowCount; ) {
      row = reading.take(chunk, row);
      if (reading.wanted > 0) continue;
      yield [episodes[place], reading.result()];
      place += 1;
      if (place < episodes.length) reading = new EpisodeReader(tasks.length, columns, episodes[place].rows);
    }
  }
}

/** A column may be declared and not be there. */
async function columnsIn(connection: DuckDBConnection, path: string): Promise<ReadonlySet<string>> {
  const read = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${quoted(path)})`);
  return new Set(read.getRows().map(([name]) => String(name)));
}

class EpisodeReader {
  wanted: number;
  readonly #columns: readonly NumericColumn[];
  readonly #tasks: readonly Set<number>[];
  readonly #values: Float64Array[];
  #filled = 0;

  constructor(taskColumns: number, columns: readonly NumericColumn[], rows: number) {
    this.#tasks = Array.from({ length: taskColumns }, () => new Set());
    this.wanted = rows;
    this.#columns = columns;
    this.#values = columns.map(({ shape }) => new Float64Array(rows * sizeOf(shape)).fill(Number.NaN));
  }

  /** Takes the rows from `from` on that are its own; gives the first that is not. */
  take(chunk: DuckDBDataChunk, from: number): number {
    const until = Math.min(chunk.rowCount, from + this.wanted);
    for (const [at, tasks] of this.#tasks.entries()) {
      const vector = chunk.getColumnVector(at);
      for (let row = from; row < until; row++) tasks.add(Number(vector.getItem(row)));
    }
    for (const [at, values] of this.#values.entries()) {
      const vector = chunk.getColumnVector(at + this.#tasks.length);
      const size = sizeOf(this.#columns[at].shape);
      const first = this.#filled - from;
      for (let row = from; row < until; row++) put(values, (first + row) * size, vector.getItem(row));
    }
    this.#filled += until - from;
    this.wanted -= until - from;
    return until;
  }

  result(): WrittenEpisode {
    const statistics = this.#columns.map(({ key, shape }, at) => {
      const { count, ...flat } = poolStatistics([this.#values[at]], sizeOf(shape));
      const nested = Object.entries(flat).map(([name, values]) => [name, inShape(values, shape)]);
      return [key, { ...Object.fromEntries(nested), count }] as const;
    });
    const tasks = new Set(this.#tasks.flatMap((own) => [...own]));
    return { tasks: [...tasks], statistics: Object.fromEntries(statistics) };
  }
}

const sizeOf = (shape: readonly number[]) => shape.reduce((product, size) => product * size, 1);

/** Writes a value, or the numbers of a list of any depth, behind what is there. Null is no number. */
function put(values: Float64Array, at: number, value: unknown): number {
  if (typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items))
    return value.items.reduce((place: number, item: unknown) => put(values, place, item), at);
  if (at < values.length) values[at] = value === null ? Number.NaN : Number(value);
  return at + 1;
}

type Nested = number | readonly Nested[];

function inShape(values: readonly Nested[], shape: readonly number[]): readonly Nested[] {
  let nested = values;
  for (let depth = shape.length - 1; depth > 0; depth--) {
    const size = shape[depth];
    nested = Array.from({ length: nested.length / size }, (_, at) =>
      nested.slice(at * size, (at + 1) * size),
    );
  }
  return nested;
}
