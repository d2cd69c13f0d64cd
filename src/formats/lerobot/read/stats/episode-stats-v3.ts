import { type SourceTree, withHeld } from '#io/sources';
import { type Chunk, chunks, type ListColumn } from '../../../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import { bookkeeping, type Feature } from '../../metadata/info.ts';
import type { EpisodeStats, ReadEpisodeStats, StatsEntry } from './stats-entry.ts';

const statistics = ['min', 'max', 'mean', 'std', 'count'] as const;

/** Columns `stats/<feature>/<statistic>` of the table of episodes. Plain data. */
export interface StatsColumns {
  /** Files of the table. */
  readonly files: readonly string[];
  readonly features: readonly {
    readonly key: string;
    /** An expression for each of min, max, mean, std and count that gives a list of doubles. */
    readonly sql: readonly string[];
  }[];
}

/** The columns that say something of features with rows; null where there are none. */
export function statsColumns(
  files: readonly string[],
  columns: readonly ParquetColumn[],
  features: ReadonlyMap<string, Feature>,
): StatsColumns | null {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const numeric = [...features.values()].filter(
    ({ key, dtype }) => dtype !== 'video' && dtype !== 'image' && !bookkeeping.has(key),
  );
  const found = numeric.flatMap(({ key }) => {
    const names = statistics.map((statistic) => `stats/${key}/${statistic}`);
    if (!names.some((name) => types.has(name))) return [];
    return [{ key, sql: names.map((name) => listOf(name, types.get(name))) }];
  });
  return found.length === 0 ? null : { files, features: found };
}

function listOf(name: string, type: string | undefined): string {
  const depth = (type?.match(/\[\d*\]/g) ?? []).length;
  const base = type?.replaceAll(/\[\d*\]/g, '') ?? '';
  if (!/^(FLOAT|DOUBLE|BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(.*\))$/.test(base))
    return 'NULL::DOUBLE[]';
  let sql = depth === 0 ? `[${sqlName(name)}]` : sqlName(name);
  for (let level = 1; level < depth; level++) sql = `flatten(${sql})`;
  return `${sql}::DOUBLE[]`;
}

export function columnStats(tree: SourceTree, { files, features }: StatsColumns): ReadEpisodeStats {
  const list = features.flatMap(({ sql }) => sql).join(', ');
  return (first, last) =>
    withHeld(tree.hold(files), async (held) => {
      const source = parquetSource(
        files.map((file) => held.absolute(file)),
        files.length > 1 ? 'union_by_name = true' : '',
      );
      const where = `episode_index BETWEEN ${first} AND ${last}`;
      const found = new Map<number, EpisodeStats>();
      for await (const chunk of chunks(
        `SELECT episode_index::INTEGER, ${list} FROM ${source} WHERE ${where}`,
      ))
        take(chunk, features, found);
      return found;
    });
}

function take(chunk: Chunk, features: StatsColumns['features'], found: Map<number, EpisodeStats>): void {
  const episodes = chunk.integers(0).values;
  const columns = features.map((_, at) =>
    statistics.map((_, which) => chunk.lists(1 + at * statistics.length + which)),
  );
  for (let row = 0; row < chunk.rows; row++) {
    const entries = new Map<string, StatsEntry>();
    for (const [at, { key }] of features.entries()) {
      const [min, max, mean, std, count] = columns[at].map((column) => numbersOf(column, row));
      if (min === null && max === null && mean === null && std === null && count === null) continue;
      entries.set(key, { min, max, mean, std, count: count?.[0] ?? null, quantiles: [] });
    }
    if (entries.size > 0) found.set(episodes[row], { entries, malformed: [] });
  }
}

function numbersOf({ row, child }: ListColumn, at: number): number[] | null {
  const [offset, length] = row(at);
  if (length < 0) return null;
  const numbers = new Array<number>(length);
  for (let n = 0; n < length; n++) numbers[n] = child.values[offset + n];
  return numbers;
}
