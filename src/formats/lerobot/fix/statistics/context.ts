import type { JsonValue } from '#core';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import type { DataFile, RowSpan } from '../data-file.ts';
import { flatNumbers, type LeRobotDraft, parseFeatures, type StatisticsEntry } from '../draft.ts';
import type { EpisodeLocation } from '../fixes/fix.ts';
import { queryChunks } from '../parquet/query.ts';
import { computeColumn } from '../write-tables.ts';
import type { Moments, NumberKind } from './compare.ts';
import type { EpisodeStatisticsTable } from './entries.ts';

/** State while the statistics of all episodes are checked. */
export interface StatisticsContext {
  readonly declared: EpisodeStatisticsTable;
  readonly features: readonly NumericFeature[];
  /** True if the set stores statistics of single episodes. */
  readonly hasEpisodeStatistics: boolean;
  /** Features that have, or should have, statistics. */
  readonly requiredFeatures: ReadonlySet<string>;
  /** True if quantiles are stored (v3). */
  readonly quantiles: boolean;
  /** File of the episodes table by episode; null for a new row. */
  readonly tableFiles: ReadonlyMap<number, string | null>;
  /** Row locations by episode. */
  readonly locations: ReadonlyMap<number, EpisodeLocation>;
  readonly pools: Map<string, EntryPool>;
  readonly moments: Map<string, Moments>;
  /** Features with rows that cannot be used; the set's statistics of them are not changed. */
  readonly incompleteFeatures: Set<string>;
}

/** Pools episode entries of one feature into the set's entry, like the library (aggregate_feature_stats). */
export class EntryPool {
  #count = 0;
  #first: StatisticsEntry | null = null;
  readonly #min: number[] = [];
  readonly #max: number[] = [];
  readonly #sums: number[] = [];
  readonly #squares: number[] = [];
  readonly #quantiles = new Map<string, number[]>();

  /** Adds an entry; returns false, and ignores it, if it is incomplete or has other dimensions. */
  add(entry: StatisticsEntry): boolean {
    const [min, max, mean, std, counts] = ['min', 'max', 'mean', 'std', 'count'].map((name) =>
      flatNumbers(entry[name]),
    );
    const count = counts?.[0] ?? 0;
    if (min === null || max === null || mean === null || std === null || !(count > 0)) return false;
    if (this.#first !== null && this.#sums.length !== mean.length) return false;
    if (![min, max, mean, std].every((list) => list.length === mean.length && list.every(Number.isFinite)))
      return false;
    const levels = Object.keys(entry).filter((name) => /^q\d+$/.test(name));
    if (this.#first === null) {
      this.#first = entry;
      for (const name of levels)
        this.#quantiles.set(
          name,
          mean.map(() => 0),
        );
    }
    for (const name of this.#quantiles.keys()) if (!levels.includes(name)) this.#quantiles.delete(name);
    mean.forEach((value, dim) => {
      this.#min[dim] = Math.min(this.#min[dim] ?? Infinity, min[dim]);
      this.#max[dim] = Math.max(this.#max[dim] ?? -Infinity, max[dim]);
      this.#sums[dim] = (this.#sums[dim] ?? 0) + value * count;
      // Total variance: within each episode, and between the means.
      this.#squares[dim] = (this.#squares[dim] ?? 0) + (std[dim] ** 2 + value ** 2) * count;
    });
    for (const [name, sums] of this.#quantiles)
      flatNumbers(entry[name])?.forEach((value, dim) => {
        sums[dim] += value * count;
      });
    this.#count += count;
    return true;
  }

  /** Returns the pooled entry; null if nothing was added. */
  entry(): StatisticsEntry | null {
    if (this.#first === null) return null;
    const mean = this.#sums.map((sum) => sum / this.#count);
    const lists: Record<string, number[]> = {
      min: this.#min,
      max: this.#max,
      mean,
      std: this.#squares.map((sum, dim) => Math.sqrt(Math.max(0, sum / this.#count - mean[dim] ** 2))),
    };
    for (const [name, sums] of this.#quantiles) lists[name] = sums.map((sum) => sum / this.#count);
    const nested = Array.isArray((this.#first.mean as readonly JsonValue[])[0]);
    const shaped = Object.entries(lists).map(([name, values]) => [
      name,
      nested ? values.map((value) => [[value]]) : values,
    ]);
    return { ...Object.fromEntries(shaped), count: [this.#count] };
  }
}

/** A feature with statistics. */
export interface NumericFeature {
  readonly key: string;
  readonly kind: NumberKind;
  /** Declared values per row; null without a shape. */
  readonly dims: number | null;
}

/** The values of one episode by feature, row-major. */
export interface EpisodeRows {
  readonly span: RowSpan;
  readonly values: ReadonlyMap<string, { readonly dims: number; readonly values: Float64Array }>;
}

/**
 * Returns the features declared as integer, float or bool, numbering columns included: the library computes statistics
 * of them.
 */
export function numericFeatures(draft: LeRobotDraft): NumericFeature[] {
  return [...parseFeatures(draft.info.value)].flatMap(([key, { dtype, shape }]) => {
    if (typeof dtype !== 'string' || !/^(u?int|float|bool)/.test(dtype)) return [];
    // The library records timestamps in double precision.
    const dims = Array.isArray(shape)
      ? shape.reduce<number>((product, size) => product * Number(size), 1)
      : null;
    if (key === 'timestamp') return [{ key, dims, kind: 'float64' as const }];
    return [{ key, dims, kind: /^float(32|64)$/.test(dtype) ? (dtype as NumberKind) : 'integer' }];
  });
}

/**
 * Yields the values of each episode of a data file, with planned changes applied; columns that are missing, nested or
 * not numeric are left out. Holds one episode in memory.
 */
export async function* readEpisodes(
  file: DataFile,
  features: readonly NumericFeature[],
  rate_hz: number,
): AsyncGenerator<EpisodeRows> {
  const read = features.flatMap(({ key }) => selectColumn(file.columns, key));
  const edits = new Map<string, (row: number) => number>();
  for (const name of file.editedColumns) edits.set(name, await computeColumn(file, name, rate_hz));
  const single = read.find(({ name }) => name === 'timestamp' && file.columns.some((c) => c.name === name));
  const narrow = file.columns.find(({ name }) => name === 'timestamp')?.type === 'FLOAT';
  const stamps = edits.get('timestamp');
  if (single !== undefined && narrow && stamps !== undefined)
    edits.set('timestamp', (row) => Math.fround(stamps(row)));
  let parts = emptyParts(read.length);
  let [row, at] = [0, 0];
  const sql = read.map((column) => column.sql).join(', ');
  for await (const chunk of queryChunks(file.path, `SELECT ${sql} FROM ${parquetSource([file.absolute])}`)) {
    const lists = read.map((_, column) => chunk.lists(column));
    for (let k = 0; k < chunk.rows; k++, row++) {
      read.forEach(({ name }, column) => {
        const edit = edits.get(name);
        if (edit !== undefined) parts[column].push(edit(row));
        else {
          const [offset, length] = lists[column].row(k);
          const { values } = lists[column].child;
          for (let i = 0; i < length; i++) parts[column].push(values[offset + i]);
        }
      });
      const span = file.spans[at];
      if (span === undefined || row + 1 < span.start + span.rows) continue;
      yield { span, values: toFeatureValues(read, parts, span.rows) };
      parts = emptyParts(read.length);
      at += 1;
    }
  }
}

function emptyParts(count: number): number[][] {
  return Array.from({ length: count }, () => []);
}

function toFeatureValues(
  read: readonly { readonly name: string }[],
  parts: readonly number[][],
  rows: number,
) {
  const whole = read.flatMap(({ name }, at) => {
    const dims = parts[at].length / rows;
    // Rows of different widths have no statistics.
    if (!Number.isInteger(dims) || dims === 0) return [];
    return [[name, { dims, values: Float64Array.from(parts[at]) }] as const];
  });
  return new Map(whole);
}

const numericTypes = /^(FLOAT|DOUBLE|BOOLEAN|U?(TINY|SMALL|BIG)?INT(EGER)?)$/;

/** Returns the SQL expression of a column as list of doubles; empty for other types. */
function selectColumn(columns: readonly ParquetColumn[], key: string): { name: string; sql: string }[] {
  const type = columns.find(({ name }) => name === key)?.type;
  if (type === undefined) return [];
  const depth = (type.match(/\[\d*\]/g) ?? []).length;
  if (depth > 1 || !numericTypes.test(type.replaceAll(/\[\d*\]/g, ''))) return [];
  const name = sqlName(key);
  return [{ name: key, sql: depth === 0 ? `[${name}::DOUBLE]` : `${name}::DOUBLE[]` }];
}

/** Converts row-major values to one column per dimension. */
export function toColumns({ dims, values }: { dims: number; values: Float64Array }): Float64Array[] {
  const rows = values.length / dims;
  return Array.from({ length: dims }, (_, dim) =>
    Float64Array.from({ length: rows }, (_, row) => values[row * dims + dim]),
  );
}
