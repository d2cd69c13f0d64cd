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
import { type LeRobotSet, mayReuse } from './lerobot-set.ts';
import { readPictures } from './pictures.ts';
import { type ReadRows, RowReader, type Segment, selectList } from './row-reader.ts';
import { readSegments } from './segments.ts';
import type { Sources } from './sources.ts';
import { type Assignment, episodesOf, type Homes, type RowRange, rangeCondition } from './units-v3.ts';
import { blockedFile, damagedFile, rethrowFault, unreadable, withoutRows } from './unreadable.ts';

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
  if (options.hashes !== false) void set.hasher.sha256(file);
  const seen = new Set<number>();
  try {
    const data = await planOf(set, file);
    for await (const episode of readRange(shared, data, range, seen, options)) {
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

async function* readRange(
  shared: SharedOut,
  data: SharedFile,
  range: RowRange,
  seen: ReadonlySet<number>,
  options: ReadOptions,
): AsyncGenerator<Episode> {
  const { set, home } = shared;
  const { file } = range;
  const source = sourceOf(set, file);
  const all = await readSegments(data.parts.plan, source, 'episode_index', `WHERE ${rangeCondition(range)}`);
  const placed = all.filter(({ episode }) => (home(episode) ?? file) === file && !seen.has(episode));
  const ordered = placed.length === all.length && placed.every((segment) => segment.whole);
  if (!ordered) placed.sort((a, b) => a.episode - b.episode);
  const wanted = placed.map((segment) => segment.episode).join(', ') || 'NULL';
  const condition = ordered ? rangeCondition(range) : `episode_index IN (${wanted})`;
  const order = ordered ? '' : ' ORDER BY episode_index, file_row_number';
  const sql = `SELECT ${selectList(data.parts.plan)} FROM ${source} WHERE ${condition}${order}`;
  const reader = new RowReader(data.parts.plan, placed, mayReuse(set, data.parts.plan, options));
  for await (const chunk of chunks(sql)) {
    for (const rows of reader.take(chunk)) yield put(shared, data, rows, options);
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
      for await (const read of readRange(shared, data, own, seen, options)) {
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

/** At once where nothing is waited for: pictures, or files that no episode before was read from. */
function put(
  { set, sources }: SharedOut,
  data: SharedFile,
  rows: ReadRows,
  options: ReadOptions,
): Episode | Promise<Episode> {
  options.signal?.throwIfAborted();
  const { segment } = rows;
  const { file, parts } = data;
  const table_row = set.episodes.rowOf(segment.episode);
  const findings = [...data.findings, ...placeFindings(set, segment, file, table_row)];
  const { first_row } = segment;
  const whole = (pictures: ReadonlyMap<string, Frames>) =>
    assemble(set, { rows, shared: parts, path: file, first_row, table_row, pictures, findings }, sources);
  if (parts.plan.pictures.length === 0) return whole(noPictures);
  return readPictures(set, parts.plan, file, segment, rows.timestamps).then(whole);
}

const noPictures: ReadonlyMap<string, Frames> = new Map();

function placeFindings(
  set: LeRobotSet,
  segment: Segment,
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
