import type { Episode, Finding, Frames } from '#episode';
import { messageOf } from '#kernel';
import { chunks } from '../../parquet/chunks.ts';
import { keepFooters, parquetSource } from '../../parquet/duck.ts';
import { parquetColumns } from '../../parquet/footer.ts';
import type { ReadOptions, Unreadable } from '../../reader.ts';
import { assemble, sharedParts } from './assemble.ts';
import { planFile } from './column-plan.ts';
import type { SharedParts } from './episode-parts.ts';
import { columnFindingsOf } from './file-findings.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import { readPictures } from './pictures.ts';
import { type ReadRows, readRows, type Segment, SegmentsDisagree, selectList } from './row-reader.ts';
import type { Sources } from './sources.ts';
import { type Assignment, episodesOf, type Homes, type RowRange, rangeCondition } from './units-v3.ts';
import { blockedFile, damagedFile, rethrowFault, unreadable, withoutRows } from './unreadable.ts';

/** An episode's rows inside a data file. */
interface Placed extends Segment {
  readonly first_row: number;
  /** The rows lie one behind the other. */
  readonly whole: boolean;
}

/** A data file's columns, and what all its episodes share. */
interface SharedFile {
  readonly file: string;
  readonly parts: SharedParts;
  readonly findings: readonly Finding[];
}

/** The set, and which file answers for which episodes. */
export interface SharedOut {
  readonly set: LeRobotSet;
  readonly sources: Sources;
  readonly home: Homes;
  readonly assigned: Assignment;
}

/** Reads the episodes of one range of one data file; those that cannot be read come as such. */
export async function* readUnitV3(
  shared: SharedOut,
  range: RowRange,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { set } = shared;
  const { file } = range;
  const expected = episodesOf(shared.assigned, range);
  const blocked = blockedFile(set, file);
  if (blocked !== null) {
    for (const episode of expected) yield unreadable(episode, blocked);
    return;
  }
  await keepFooters(true);
  // The file's hash is worked out while the engine reads it.
  void set.hasher.sha256(file);
  const seen = new Set<number>();
  try {
    const data = await planOf(set, file);
    for await (const episode of readPlanned(shared, data, range, expected, seen, options)) {
      seen.add(episode.index);
      yield episode;
    }
  } catch (thrown) {
    options.signal?.throwIfAborted();
    rethrowFault(thrown);
    yield* readOneByOne(shared, range, expected, seen, messageOf(thrown), options);
    return;
  }
  for (const episode of expected)
    if (!seen.has(episode)) yield unreadable(episode, withoutRows(file, episode));
}

async function planOf(set: LeRobotSet, file: string): Promise<SharedFile> {
  let columns = set.columns.get(file);
  if (columns === undefined) {
    columns = parquetColumns(set.tree.absolute(file), file);
    set.columns.set(file, columns);
  }
  const plan = planFile(set.features, await columns);
  return { file, parts: sharedParts(set, plan), findings: columnFindingsOf(set, plan, file) };
}

/**
 * Where the file's totals agree with the table, its lengths are counted on and every row is held against them on the
 * way; else, and when a row disagrees, a query asks first which rows belong to whom.
 */
async function* readPlanned(
  shared: SharedOut,
  data: SharedFile,
  range: RowRange,
  expected: readonly number[],
  seen: ReadonlySet<number>,
  options: ReadOptions,
): AsyncGenerator<Episode> {
  const { set } = shared;
  const { file } = range;
  if (set.agrees) {
    const segments = expected.map((episode) => ({
      episode,
      rows: set.episodes.length[set.episodes.rowOf(episode) ?? 0],
    }));
    const proof = { episode_index: 'episode_index::INTEGER', file_row_number: 'file_row_number::INTEGER' };
    const sql = `SELECT ${selectList(data.parts.plan, proof)} FROM ${sourceOf(set, file)} WHERE ${rangeCondition(range)}`;
    try {
      for await (const rows of readRows(sql, data.parts.plan, segments, true)) {
        const segment = { ...rows.segment, first_row: rows.first_row, whole: true };
        yield await put(shared, data, rows, segment, options);
      }
      return;
    } catch (thrown) {
      if (!(thrown instanceof SegmentsDisagree)) throw thrown;
    }
  }
  yield* readMeasured(shared, data, range, seen, options);
}

async function* readMeasured(
  shared: SharedOut,
  data: SharedFile,
  range: RowRange,
  seen: ReadonlySet<number>,
  options: ReadOptions,
): AsyncGenerator<Episode> {
  const { set, home } = shared;
  const { file } = range;
  const source = sourceOf(set, file);
  const all = await placedSegments(source, range);
  const placed = all.filter(({ episode }) => (home(episode) ?? file) === file && !seen.has(episode));
  const ordered = placed.length === all.length && placed.every((segment) => segment.whole);
  if (!ordered) placed.sort((a, b) => a.episode - b.episode);
  const wanted = placed.map((segment) => segment.episode).join(', ') || 'NULL';
  const condition = ordered ? rangeCondition(range) : `episode_index IN (${wanted})`;
  const order = ordered ? '' : ' ORDER BY episode_index, file_row_number';
  const sql = `SELECT ${selectList(data.parts.plan)} FROM ${source} WHERE ${condition}${order}`;
  let position = 0;
  for await (const rows of readRows(sql, data.parts.plan, placed)) {
    yield await put(shared, data, rows, placed[position++], options);
  }
}

/** After a query failed in the middle: what can still be had, episode for episode. */
async function* readOneByOne(
  shared: SharedOut,
  range: RowRange,
  expected: readonly number[],
  seen: ReadonlySet<number>,
  why: string,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { file } = range;
  const rest = expected.filter((episode) => !seen.has(episode));
  const data = await planOf(shared.set, file).catch(() => null);
  for (const episode of rest) {
    if (data === null) {
      yield unreadable(episode, damagedFile(file, why));
      continue;
    }
    try {
      const own = { file, from: episode, to: episode };
      let found = false;
      for await (const read of readMeasured(shared, data, own, seen, options)) {
        found = true;
        yield read;
      }
      if (!found) yield unreadable(episode, withoutRows(file, episode));
    } catch (thrown) {
      options.signal?.throwIfAborted();
      rethrowFault(thrown);
      yield unreadable(episode, damagedFile(file, messageOf(thrown)));
    }
  }
}

function sourceOf(set: LeRobotSet, file: string): string {
  return parquetSource([set.tree.absolute(file)], 'file_row_number = true');
}

async function put(
  { set, sources }: SharedOut,
  data: SharedFile,
  rows: ReadRows,
  segment: Placed,
  options: ReadOptions,
): Promise<Episode> {
  options.signal?.throwIfAborted();
  const { file, parts } = data;
  const table_row = set.episodes.rowOf(segment.episode);
  const findings = [...data.findings, ...placeFindings(set, segment, file, table_row)];
  const pictures =
    parts.plan.pictures.length === 0
      ? noPictures
      : await readPictures(set, parts.plan, file, segment, rows.timestamps);
  const { first_row } = segment;
  return assemble(
    set,
    { rows, shared: parts, path: file, first_row, table_row, pictures, findings },
    sources,
  );
}

const noPictures: ReadonlyMap<string, Frames> = new Map();

/** Which episodes lie in the range, how many rows each, in the order of the file. */
async function placedSegments(source: string, range: RowRange): Promise<Placed[]> {
  const sql = `SELECT episode_index::INTEGER, count(*)::INTEGER, min(file_row_number)::INTEGER AS low, max(file_row_number)::INTEGER
    FROM ${source} WHERE ${rangeCondition(range)} GROUP BY episode_index ORDER BY low`;
  const placed: Placed[] = [];
  for await (const chunk of chunks(sql)) {
    const [episode, count, low, high] = [0, 1, 2, 3].map((column) => chunk.integers(column).values);
    for (let row = 0; row < chunk.rows; row++) {
      const whole = high[row] - low[row] + 1 === count[row];
      placed.push({ episode: episode[row], rows: count[row], first_row: low[row], whole });
    }
  }
  return placed;
}

function placeFindings(
  set: LeRobotSet,
  segment: Placed,
  file: string,
  table_row: number | undefined,
): Finding[] {
  const findings: Finding[] = [];
  if (!segment.whole) {
    findings.push({
      code: 'rows_scattered',
      severity: 'error',
      path: file,
      message: `the ${segment.rows} rows of episode ${segment.episode} do not lie together: the library reads episodes as one span of rows`,
      advice: 'sort the data file by episode_index and frame_index',
    });
  }
  if (table_row === undefined) {
    findings.push({
      code: 'episode_unlisted',
      severity: 'warning',
      path: file,
      message: `episode ${segment.episode} has rows and the table of episodes does not list it`,
      advice: 'list every episode, or take its rows out',
    });
  } else if (set.episodes.dataPath(table_row) !== file) {
    findings.push({
      code: 'episode_elsewhere',
      severity: 'error',
      path: file,
      message: `the table of episodes puts episode ${segment.episode} into ${set.episodes.dataPath(table_row)}, its rows are in ${file}`,
      advice: 'correct data/chunk_index and data/file_index',
    });
  }
  return findings;
}
