import { type JsonObject, parseTolerantJsonLines } from '#core';
import { type SourceTree, withHeld } from '#io/sources';
import { type Chunk, chunks, type ListColumn } from '../../../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import { bookkeeping, type Feature, isObject } from '../../metadata/info.ts';
import {
  type EpisodeStats,
  nesting,
  type ReadEpisodeStats,
  type StatsEntry,
  statsEntry,
} from './stats-entry.ts';

/** Where the statistics of single episodes lie. Plain data. */
export type EpisodeStatsPlace =
  | ({ readonly kind: 'columns' } & StatsColumns)
  | { readonly kind: 'lines'; readonly path: string };

/** `features`: keys of the features that there are rows of. */
export function episodeStatsReader(
  tree: SourceTree,
  place: EpisodeStatsPlace,
  features: readonly string[],
): ReadEpisodeStats {
  return place.kind === 'columns' ? columnStats(tree, place) : lineStats(tree, place.path, features);
}

const statistics = ['min', 'max', 'mean', 'std', 'count'] as const;

/** Columns `stats/<feature>/<statistic>` of the table of episodes. Plain data. */
interface StatsColumns {
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

function columnStats(tree: SourceTree, { files, features }: StatsColumns): ReadEpisodeStats {
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

/** Where the lines of some episodes lie in the file. */
interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

const rangeBytes = 1024 * 1024;
/** A longer line is no statistics of one episode. */
const longestLineBytes = 64 * rangeBytes;

/**
 * Statistics of v2.1, a line of JSON an episode. The file of 100,000 episodes is hundreds of megabytes: it is walked
 * once for where which episodes lie, in ranges of a megabyte, and a unit reads the ranges that it needs.
 */
function lineStats(tree: SourceTree, path: string, features: readonly string[]): ReadEpisodeStats {
  let ranges: Promise<readonly LineRange[]> | null = null;
  return async (first, last) => {
    ranges ??= rangesOf(tree, path);
    const found = new Map<number, EpisodeStats>();
    for (const { from, to, ...held } of await ranges) {
      if (held.last < first || held.first > last) continue;
      for (const line of parseTolerantJsonLines(await textOf(tree, path, from, to), path).values) {
        if (!isObject(line) || typeof line.episode_index !== 'number' || !isObject(line.stats)) continue;
        if (line.episode_index >= first && line.episode_index <= last)
          found.set(line.episode_index, episodeStats(line.stats, features));
      }
    }
    return found;
  };
}

function episodeStats(stats: JsonObject, features: readonly string[]): EpisodeStats {
  const entries = features.flatMap((key): (readonly [string, StatsEntry])[] => {
    const entry = stats[key];
    return isObject(entry) ? [[key, statsEntry(entry)]] : [];
  });
  return { entries: new Map(entries), malformed: malformed(stats) };
}

/** What the library's pooling refuses. */
function malformed(stats: JsonObject): string[] {
  return Object.entries(stats).flatMap(([key, entry]) => {
    if (!isObject(entry)) return [`${key} is no object`];
    const lacking = ['min', 'max', 'mean', 'std', 'count'].filter((name) => entry[name] === undefined);
    if (lacking.length > 0) return [`${key} has no ${lacking.join(', ')}`];
    // The library goes by the name alone.
    const shape = JSON.stringify(nesting(entry.mean));
    return key.includes('image') && shape !== '[3,1,1]' ? [`${key} has the shape ${shape}, not [3,1,1]`] : [];
  });
}

async function rangesOf(tree: SourceTree, path: string): Promise<LineRange[]> {
  const size = tree.entry(path)?.bytes ?? 0;
  const ranges: LineRange[] = [];
  await using file = await tree.openFile(path);
  let from = 0;
  let length = rangeBytes;
  while (from < size) {
    const { buffer, bytesRead } = await file.read(
      new Uint8Array(Math.min(length, size - from)),
      0,
      Math.min(length, size - from),
      from,
    );
    if (bytesRead === 0) break;
    const whole = from + bytesRead >= size;
    const end = whole ? bytesRead : buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
    if (end === 0) {
      // A line longer than the range.
      if (length >= longestLineBytes)
        throw new Error(`${path} has a line of more than ${longestLineBytes} bytes`);
      length *= 2;
      continue;
    }
    length = rangeBytes;
    const text = new TextDecoder('latin1').decode(buffer.subarray(0, end));
    let [first, last] = [Infinity, -Infinity];
    for (const [, number] of text.matchAll(/"episode_index"\s*:\s*(\d+)/g)) {
      first = Math.min(first, Number(number));
      last = Math.max(last, Number(number));
    }
    if (first <= last) ranges.push({ from, to: from + end, first, last });
    from += end;
  }
  return ranges;
}

async function textOf(tree: SourceTree, path: string, from: number, to: number): Promise<string> {
  await using file = await tree.openFile(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(to - from), 0, to - from, from);
  return new TextDecoder().decode(buffer.subarray(0, bytesRead));
}
