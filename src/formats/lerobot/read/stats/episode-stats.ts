import { type JsonObject, type JsonValue, parseTolerantJsonLines } from '#core';
import type { StreamStatistics } from '#core/episode';
import { type SourceTree, withLocalFiles } from '#io/sources';
import { type Chunk, fetchChunks, type ListColumn } from '../../../shared/parquet/chunks.ts';
import { parquetSource, sqlName } from '../../../shared/parquet/duck.ts';
import type { ParquetColumn } from '../../../shared/parquet/footer.ts';
import { bookkeepingColumns, type Feature, isObject } from '../../metadata/info.ts';

/** Location of the statistics of single episodes. Plain data, so that it can be sent to another thread. */
export type EpisodeStatsLocation =
  | ({ readonly kind: 'columns' } & StatsColumns)
  | { readonly kind: 'lines'; readonly path: string };

/**
 * Creates the reader of episode statistics, from columns of the episodes table (v3) or from JSON lines (v2.1).
 * `features`: keys of the features that are read from lines.
 */
export function createEpisodeStatsReader(
  tree: SourceTree,
  place: EpisodeStatsLocation,
  features: readonly string[],
): EpisodeStatsReader {
  return place.kind === 'columns'
    ? createColumnReader(tree, place)
    : createLineReader(tree, place.path, features);
}

const statistics = ['min', 'max', 'mean', 'std', 'count'] as const;

/** Columns `stats/<feature>/<statistic>` of the episodes table. */
interface StatsColumns {
  /** Files of the table. */
  readonly files: readonly string[];
  readonly features: readonly {
    readonly key: string;
    /** SQL expressions of min, max, mean, std and count, each a list of doubles. */
    readonly sql: readonly string[];
  }[];
}

/**
 * Returns the statistics columns of features other than cameras and numbering columns, as SQL expressions; null if
 * there are none.
 */
export function findStatsColumns(
  files: readonly string[],
  columns: readonly ParquetColumn[],
  features: ReadonlyMap<string, Feature>,
): StatsColumns | null {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const numeric = [...features.values()].filter(
    ({ key, dtype }) => dtype !== 'video' && dtype !== 'image' && !bookkeepingColumns.has(key),
  );
  const found = numeric.flatMap(({ key }) => {
    const names = statistics.map((statistic) => `stats/${key}/${statistic}`);
    if (!names.some((name) => types.has(name))) return [];
    return [{ key, sql: names.map((name) => listExpression(name, types.get(name))) }];
  });
  return found.length === 0 ? null : { files, features: found };
}

/** Returns the SQL expression of a column as a list of doubles; NULL for other types. */
function listExpression(name: string, type: string | undefined): string {
  const depth = (type?.match(/\[\d*\]/g) ?? []).length;
  const base = type?.replaceAll(/\[\d*\]/g, '') ?? '';
  if (!/^(FLOAT|DOUBLE|BOOLEAN|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL\(.*\))$/.test(base))
    return 'NULL::DOUBLE[]';
  let sql = depth === 0 ? `[${sqlName(name)}]` : sqlName(name);
  for (let level = 1; level < depth; level++) sql = `flatten(${sql})`;
  return `${sql}::DOUBLE[]`;
}

/** Creates a reader of the statistics columns (v3). */
function createColumnReader(tree: SourceTree, { files, features }: StatsColumns): EpisodeStatsReader {
  const list = features.flatMap(({ sql }) => sql).join(', ');
  return (first, last) =>
    withLocalFiles(tree.acquire(files), async (held) => {
      const source = parquetSource(
        files.map((file) => held.absolute(file)),
        files.length > 1 ? 'union_by_name = true' : '',
      );
      const where = `episode_index BETWEEN ${first} AND ${last}`;
      const found = new Map<number, EpisodeStats>();
      for await (const chunk of fetchChunks(
        `SELECT episode_index::INTEGER, ${list} FROM ${source} WHERE ${where}`,
      ))
        readChunk(chunk, features, found);
      return found;
    });
}

/** Adds the statistics of a chunk's rows to `found`. */
function readChunk(chunk: Chunk, features: StatsColumns['features'], found: Map<number, EpisodeStats>): void {
  const episodes = chunk.integers(0).values;
  const columns = features.map((_, at) =>
    statistics.map((_, which) => chunk.lists(1 + at * statistics.length + which)),
  );
  for (let row = 0; row < chunk.rows; row++) {
    const entries = new Map<string, StatsEntry>();
    for (const [at, { key }] of features.entries()) {
      const [min, max, mean, std, count] = columns[at].map((column) => readList(column, row));
      if (min === null && max === null && mean === null && std === null && count === null) continue;
      entries.set(key, { min, max, mean, std, count: count?.[0] ?? null, quantiles: [] });
    }
    if (entries.size > 0) found.set(episodes[row], { entries, malformed: [] });
  }
}

function readList({ row, child }: ListColumn, at: number): number[] | null {
  const [offset, length] = row(at);
  if (length < 0) return null;
  const numbers = new Array<number>(length);
  for (let n = 0; n < length; n++) numbers[n] = child.values[offset + n];
  return numbers;
}

/** A byte range of the file and the episodes of its lines. */
interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
}

/** Size of an indexed byte range. */
const rangeBytes = 1024 * 1024;
/** Longest line that is read, in bytes. */
const maxLineBytes = 64 * rangeBytes;

/**
 * Creates a reader of the v2.1 statistics, one JSON line per episode. The file of 100,000 episodes has hundreds of
 * megabytes: it is indexed once in ranges of a megabyte, and a unit reads only the ranges that it needs.
 */
function createLineReader(tree: SourceTree, path: string, features: readonly string[]): EpisodeStatsReader {
  let ranges: Promise<readonly LineRange[]> | null = null;
  return async (first, last) => {
    ranges ??= indexLines(tree, path);
    const found = new Map<number, EpisodeStats>();
    for (const { from, to, ...held } of await ranges) {
      if (held.last < first || held.first > last) continue;
      for (const line of parseTolerantJsonLines(await readText(tree, path, from, to), path).values) {
        if (!isObject(line) || typeof line.episode_index !== 'number' || !isObject(line.stats)) continue;
        if (line.episode_index >= first && line.episode_index <= last)
          found.set(line.episode_index, parseEpisodeStats(line.stats, features));
      }
    }
    return found;
  };
}

/** Parses the statistics of one line. */
function parseEpisodeStats(stats: JsonObject, features: readonly string[]): EpisodeStats {
  const entries = features.flatMap((key): (readonly [string, StatsEntry])[] => {
    const entry = stats[key];
    return isObject(entry) ? [[key, parseStatsEntry(entry)]] : [];
  });
  return { entries: new Map(entries), malformed: findMalformed(stats) };
}

/** Describes entries that the library's pooling refuses. */
function findMalformed(stats: JsonObject): string[] {
  return Object.entries(stats).flatMap(([key, entry]) => {
    if (!isObject(entry)) return [`${key} is not an object`];
    const lacking = ['min', 'max', 'mean', 'std', 'count'].filter((name) => entry[name] === undefined);
    if (lacking.length > 0) return [`${key} has no ${lacking.join(', ')}`];
    // The library decides by the name alone.
    const shape = JSON.stringify(listShape(entry.mean));
    return key.includes('image') && shape !== '[3,1,1]' ? [`${key} has the shape ${shape}, not [3,1,1]`] : [];
  });
}

/** Indexes the byte ranges of the file with their episodes. Throws if a line is too long. */
async function indexLines(tree: SourceTree, path: string): Promise<LineRange[]> {
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
      if (length >= maxLineBytes) throw new Error(`${path} has a line longer than ${maxLineBytes} bytes`);
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

async function readText(tree: SourceTree, path: string, from: number, to: number): Promise<string> {
  await using file = await tree.openFile(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(to - from), 0, to - from, from);
  return new TextDecoder().decode(buffer.subarray(0, bytesRead));
}

/** Statistics of one feature; nested lists of picture channels are flattened. */
export interface StatsEntry extends StreamStatistics {
  /** Quantile levels in percent, ascending, with one value per dimension. */
  readonly quantiles: readonly (readonly [level: number, values: readonly number[]])[];
}

/** Statistics of an episode by feature, and descriptions of entries that the library cannot pool. */
export interface EpisodeStats {
  readonly entries: ReadonlyMap<string, StatsEntry>;
  readonly malformed: readonly string[];
}

/** Statistics by episode; episodes without statistics are missing. */
export type StatsOfEpisodes = ReadonlyMap<number, EpisodeStats>;

/** Reads the statistics of episodes `first` to `last`, inclusive. */
export type EpisodeStatsReader = (first: number, last: number) => Promise<StatsOfEpisodes>;

/** Parses an entry of stats.json or episodes_stats.jsonl; values that are not numbers become NaN. */
export function parseStatsEntry(entry: JsonObject): StatsEntry {
  const quantiles = Object.keys(entry)
    .flatMap((key): [number, readonly number[]][] => {
      const level = /^q(\d{1,3})$/.exec(key)?.[1];
      const values = flattenNumbers(entry[key]);
      return level === undefined || values === null ? [] : [[Number(level), values]];
    })
    .sort((a, b) => a[0] - b[0]);
  return {
    min: flattenNumbers(entry.min),
    max: flattenNumbers(entry.max),
    mean: flattenNumbers(entry.mean),
    std: flattenNumbers(entry.std),
    count: flattenNumbers(entry.count)?.[0] ?? null,
    quantiles,
  };
}

/** Maximum nesting depth; statistics of pictures have three levels. */
const maxDepth = 8;

/** Returns the shape of nested lists, e.g. [3, 1, 1] for the mean of a camera. */
function listShape(value: JsonValue | undefined, depth = 0): number[] {
  return Array.isArray(value) && depth < maxDepth ? [value.length, ...listShape(value[0], depth + 1)] : [];
}

function flattenNumbers(value: JsonValue | undefined, depth = 0): number[] | null {
  if (value === undefined) return null;
  if (typeof value === 'number') return [value];
  if (Array.isArray(value) && depth < maxDepth)
    return value.flatMap((part) => flattenNumbers(part, depth + 1) ?? []);
  return [typeof value === 'boolean' ? Number(value) : Number.NaN];
}
