import type { JsonValue } from '#core';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import type { DataFile, RowSpan } from '../draft/data-file.ts';
import { featuresOf, type LeRobotDraft } from '../draft/draft.ts';
import { flatNumbers, type StatisticsEntry } from '../draft/statistics-entry.ts';
import type { Home } from '../mend/mend.ts';
import { queryChunks } from '../parquet/query.ts';
import { newColumn } from '../write/data-columns.ts';
import type { Moments, NumberKind } from './compare.ts';
import type { Declared } from './declared.ts';

/** What is known while the episodes are gone through. */
export interface StatisticsLook {
  readonly declared: Declared;
  readonly features: readonly NumericFeature[];
  /** Statistics of single episodes are kept in this set. */
  readonly kept: boolean;
  /** Features that have statistics, or should. */
  readonly wanted: ReadonlySet<string>;
  /** v3 keeps quantiles. */
  readonly quantiles: boolean;
  /** The file of the table that lists an episode; null where its row is new. */
  readonly homes: ReadonlyMap<number, string | null>;
  /** Where the rows of an episode lie. */
  readonly rows: ReadonlyMap<number, Home>;
  readonly pools: Map<string, EntryPool>;
  readonly moments: Map<string, Moments>;
  /** Features of which not every row counts: the set's statistics of them are left as they are. */
  readonly partial: Set<string>;
}

/** The set's entry of one feature from its episodes', one after the other, as the library pools them (aggregate_feature_stats). */
export class EntryPool {
  #count = 0;
  #first: StatisticsEntry | null = null;
  readonly #least: number[] = [];
  readonly #most: number[] = [];
  readonly #sums: number[] = [];
  readonly #squares: number[] = [];
  readonly #quantiles = new Map<string, number[]>();

  /** Entries that lack a number or have other dimensions are left out; false says so. */
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
      this.#least[dim] = Math.min(this.#least[dim] ?? Infinity, min[dim]);
      this.#most[dim] = Math.max(this.#most[dim] ?? -Infinity, max[dim]);
      this.#sums[dim] = (this.#sums[dim] ?? 0) + value * count;
      // The variance of all: that within each, and that of the means.
      this.#squares[dim] = (this.#squares[dim] ?? 0) + (std[dim] ** 2 + value ** 2) * count;
    });
    for (const [name, sums] of this.#quantiles)
      flatNumbers(entry[name])?.forEach((value, dim) => {
        sums[dim] += value * count;
      });
    this.#count += count;
    return true;
  }

  /** Null where nothing was added. */
  entry(): StatisticsEntry | null {
    if (this.#first === null) return null;
    const mean = this.#sums.map((sum) => sum / this.#count);
    const lists: Record<string, number[]> = {
      min: this.#least,
      max: this.#most,
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

/** A feature that statistics are kept of. */
export interface NumericFeature {
  readonly key: string;
  readonly kind: NumberKind;
  /** Numbers a row as declared; null where the shape says nothing. */
  readonly dims: number | null;
}

/** The rows of one episode: of each feature that the file has, its values row by row. */
export interface EpisodeRows {
  readonly span: RowSpan;
  readonly values: ReadonlyMap<string, { readonly dims: number; readonly values: Float64Array }>;
}

/** Declared features of numbers, as the library computes statistics of them. */
export function numericFeatures(draft: LeRobotDraft): NumericFeature[] {
  return [...featuresOf(draft.info.value)].flatMap(([key, { dtype, shape }]) => {
    if (typeof dtype !== 'string' || !/^(u?int|float|bool)/.test(dtype)) return [];
    // The library stamps in double precision while it records.
    const dims = Array.isArray(shape)
      ? shape.reduce<number>((product, size) => product * Number(size), 1)
      : null;
    if (key === 'timestamp') return [{ key, dims, kind: 'float64' as const }];
    return [{ key, dims, kind: /^float(32|64)$/.test(dtype) ? (dtype as NumberKind) : 'integer' }];
  });
}

/** The episodes of a data file as its rows will be, one after the other; memory follows the episode. */
export async function* episodesOf(
  file: DataFile,
  features: readonly NumericFeature[],
  rate_hz: number,
): AsyncGenerator<EpisodeRows> {
  const read = features.flatMap(({ key }) => readable(file.columns, key));
  const edits = new Map<string, (row: number) => number>();
  for (const name of file.edits) edits.set(name, await newColumn(file, name, rate_hz));
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
      yield { span, values: valuesOf(read, parts, span.rows) };
      parts = emptyParts(read.length);
      at += 1;
    }
  }
}

function emptyParts(count: number): number[][] {
  return Array.from({ length: count }, () => []);
}

function valuesOf(read: readonly { readonly name: string }[], parts: readonly number[][], rows: number) {
  const whole = read.flatMap(({ name }, at) => {
    const dims = parts[at].length / rows;
    // Rows of several widths have no statistics.
    if (!Number.isInteger(dims) || dims === 0) return [];
    return [[name, { dims, values: Float64Array.from(parts[at]) }] as const];
  });
  return new Map(whole);
}

const numeric = /^(FLOAT|DOUBLE|BOOLEAN|U?(TINY|SMALL|BIG)?INT(EGER)?)$/;

/** A column as lists of doubles; columns of other shapes are left out. */
function readable(columns: readonly ParquetColumn[], key: string): { name: string; sql: string }[] {
  const type = columns.find(({ name }) => name === key)?.type;
  if (type === undefined) return [];
  const depth = (type.match(/\[\d*\]/g) ?? []).length;
  if (depth > 1 || !numeric.test(type.replaceAll(/\[\d*\]/g, ''))) return [];
  const name = sqlName(key);
  return [{ name: key, sql: depth === 0 ? `[${name}::DOUBLE]` : `${name}::DOUBLE[]` }];
}

/** Row-major values as one list a dimension. */
export function columnsOf({ dims, values }: { dims: number; values: Float64Array }): Float64Array[] {
  const rows = values.length / dims;
  return Array.from({ length: dims }, (_, dim) =>
    Float64Array.from({ length: rows }, (_, row) => values[row * dims + dim]),
  );
}
