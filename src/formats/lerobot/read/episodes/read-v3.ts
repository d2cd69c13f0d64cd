import { messageOf } from '#core';
import type { Episode, Finding, Frames } from '#core/episode';
import { chunks } from '../../../shared/parquet/chunks.ts';
import { keepFooters, parquetSource } from '../../../shared/parquet/duck.ts';
import { parquetColumns } from '../../../shared/parquet/footer.ts';
import type { ReadOptions, Unreadable } from '../../../shared/reader.ts';
import { type LeRobotSet, mayReuse } from '../../metadata/lerobot-set.ts';
import { type LeRobotRuleId, lerobotBreach } from '../../rules/contract.ts';
import { assemble, sharedParts } from '../assemble.ts';
import { readPictures } from '../cameras/pictures.ts';
import type { Sources } from '../cameras/sources.ts';
import { columnFindingsOf } from '../findings/file-findings.ts';
import { readNumberings } from '../findings/numberings.ts';
import { statsOf } from '../stats/stale-stats.ts';
import type { StatsOfEpisodes } from '../stats/stats-entry.ts';
import { planFile } from './column-plan.ts';
import type { SharedParts } from './episode-parts.ts';
import type { EpisodeTable } from './episode-table.ts';
import { type EpisodeNumbering, type ReadRows, RowReader, selectList } from './row-reader.ts';
import { type Assignment, episodesOf, type Homes, type RowRange, rangeCondition } from './units-v3.ts';
import { blockedFile, damagedFile, rethrowFault, unreadable, withoutRows } from './unreadable.ts';

/** A data file's columns, and what all its episodes share. */
interface SharedFile {
  readonly file: string;
  readonly parts: SharedParts;
  readonly findings: readonly Finding[];
  /** Statistics of the range's episodes; null where the set has none. */
  readonly stats: StatsOfEpisodes | null;
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
    const data = await planOf(shared, range);
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
    if (!seen.has(episode)) yield unreadable(episode, withoutRows(set, file, episode));
}

async function planOf({ set, assigned }: SharedOut, range: RowRange): Promise<SharedFile> {
  const { file } = range;
  let columns = set.columns.get(file);
  if (columns === undefined) {
    columns = parquetColumns(set.tree.absolute(file), file);
    set.columns.set(file, columns);
  }
  const plan = planFile(set.features, await columns);
  const stats = await statsOf(set, episodesOf(assigned, range));
  return { file, parts: sharedParts(set, plan), findings: columnFindingsOf(set, plan, file), stats };
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
  const all = await readNumberings(
    data.parts.plan,
    source,
    'episode_index',
    `WHERE ${rangeCondition(range)}`,
  );
  const placed = all.filter(({ episode }) => (home(episode) ?? file) === file && !seen.has(episode));
  const ordered = placed.length === all.length && placed.every((numbering) => numbering.whole);
  if (!ordered) placed.sort((a, b) => a.episode - b.episode);
  const wanted = placed.map((numbering) => numbering.episode).join(', ') || 'NULL';
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
  const data = await planOf(shared, range).catch(() => null);
  for (const episode of rest) {
    if (data === null) {
      yield unreadable(episode, damagedFile(shared.set, file, why));
      continue;
    }
    try {
      const own = { file, from: episode, to: episode };
      let found = false;
      for await (const read of readRange(shared, data, own, seen, options)) {
        found = true;
        yield read;
      }
      if (!found) yield unreadable(episode, withoutRows(shared.set, file, episode));
    } catch (thrown) {
      options.signal?.throwIfAborted();
      rethrowFault(thrown);
      yield unreadable(episode, damagedFile(shared.set, file, messageOf(thrown)));
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
  const { numbering } = rows;
  const { file, parts } = data;
  const stats = data.stats === null ? undefined : (data.stats.get(numbering.episode) ?? null);
  const table_row = set.episodes.rowOf(numbering.episode);
  const findings = [...data.findings, ...placeFindings(set, numbering, file, table_row)];
  const { first_row } = numbering;
  const whole = (pictures: ReadonlyMap<string, Frames>) =>
    assemble(
      set,
      { rows, shared: parts, path: file, first_row, table_row, stats, pictures, findings },
      sources,
    );
  if (parts.plan.pictures.length === 0) return whole(noPictures);
  return readPictures(set, parts.plan, file, numbering, rows.timestamps).then(whole);
}

const noPictures: ReadonlyMap<string, Frames> = new Map();

function placeFindings(
  set: LeRobotSet,
  numbering: EpisodeNumbering,
  file: string,
  table_row: number | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const { episodes, layout } = set;
  const breach = (id: LeRobotRuleId, message: string) =>
    findings.push(lerobotBreach(layout, id, file, message));
  const { episode } = numbering;
  if (!numbering.whole)
    breach('rows_scattered', `the ${numbering.rows} rows of episode ${episode} do not lie together`);
  if (episodes.files.length === 0) return findings;
  if (table_row === undefined) {
    breach('episode_unlisted', `episode ${episode} has rows and the table of episodes does not list it`);
    return findings;
  }
  const listed = episodes.dataPath(table_row);
  if (listed !== file)
    breach(
      'episode_elsewhere',
      `the table of episodes puts episode ${episode} into ${listed}, its rows are in ${file}`,
    );
  const range = rangeFault(episodes, table_row, numbering.rows);
  if (range !== null) breach('row_range_wrong', range);
  return findings;
}

/** Where the rows of an episode begin and end in the whole set, against its rows and the episode before. */
function rangeFault(episodes: EpisodeTable, row: number, rows: number): string | null {
  const range = episodes.rowRange(row);
  if (range === null || episodes.index[row] !== row) return null;
  const [from, to] = range;
  if (to - from !== rows)
    return `dataset_from_index ${from} and dataset_to_index ${to} hold ${to - from} rows, the episode has ${rows}`;
  const before = row === 0 ? 0 : (episodes.rowRange(row - 1)?.[1] ?? from);
  const expected = episodes.rowsBefore(row);
  if (from === before || from === expected) return null;
  return `dataset_from_index is ${from}, ${expected} rows come before the episode`;
}
