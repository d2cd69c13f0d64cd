import { messageOf } from '#core';
import type { Episode, Finding, Frames } from '#core/episode';
import { fetchChunks } from '../../../shared/parquet/chunks.ts';
import { cacheFooters, parquetSource } from '../../../shared/parquet/duck.ts';
import { parquetColumns } from '../../../shared/parquet/footer.ts';
import type { ReadOptions, Unreadable } from '../../../shared/reader.ts';
import { type LeRobotSet, mayReuse } from '../../metadata/lerobot-set.ts';
import { createLeRobotViolation, type LeRobotRuleId } from '../../rules/contract.ts';
import { assembleEpisode, createSharedParts } from '../assemble.ts';
import { compareFileColumns } from '../findings/data-findings.ts';
import { readPictures } from '../pictures.ts';
import type { Sources } from '../sources.ts';
import { readStatsOfEpisodes } from '../stats/compare-stats.ts';
import type { StatsOfEpisodes } from '../stats/episode-stats.ts';
import { planFile } from './column-plan.ts';
import type { SharedParts } from './episode-parts.ts';
import type { EpisodeTable } from './episode-table.ts';
import { readNumberings } from './numberings.ts';
import { type EpisodeNumbering, type ReadRows, RowReader, selectList } from './row-reader.ts';
import {
  type ActualFileLookup,
  type Assignment,
  listUnitEpisodes,
  type RowRange,
  rangeCondition,
} from './units-v3.ts';
import {
  createDamagedFileFinding,
  createNoRowsFinding,
  createUnreadable,
  findFileFault,
  rethrowProgramError,
} from './unreadable.ts';

/** A data file with the data that all its episodes share. */
interface SharedFile {
  readonly file: string;
  readonly parts: SharedParts;
  readonly findings: readonly Finding[];
  /** Statistics of the range's episodes; null if the set has none. */
  readonly stats: StatsOfEpisodes | null;
}

/** The set and the assignment of episodes to files. */
export interface ReadContext {
  readonly set: LeRobotSet;
  readonly sources: Sources;
  readonly actualFile: ActualFileLookup;
  readonly assigned: Assignment;
}

/**
 * Yields the episodes with rows in one range of a data file, listed or not, and then listed ones that cannot be read or
 * have no rows as unreadable.
 */
export async function* readUnitV3(
  shared: ReadContext,
  range: RowRange,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { set } = shared;
  const { file } = range;
  const expected = listUnitEpisodes(shared.assigned, range);
  const blocked = findFileFault(set, file);
  if (blocked !== null) {
    for (const episode of expected) yield createUnreadable(episode, blocked);
    return;
  }
  await cacheFooters(true);
  // Hash the file while the engine reads it.
  if (options.hashes !== false) void set.hasher.sha256(file);
  const seen = new Set<number>();
  try {
    const data = await planSharedFile(shared, range);
    for await (const episode of readRange(shared, data, range, seen, options)) {
      seen.add(episode.index);
      yield episode;
    }
  } catch (thrown) {
    options.signal?.throwIfAborted();
    rethrowProgramError(thrown);
    yield* readOneByOne(shared, range, expected, seen, messageOf(thrown), options);
    return;
  }
  for (const episode of expected)
    if (!seen.has(episode)) yield createUnreadable(episode, createNoRowsFinding(set, file, episode));
}

/** Plans the reading of a data file. */
async function planSharedFile({ set, assigned }: ReadContext, range: RowRange): Promise<SharedFile> {
  const { file } = range;
  let columns = set.columns.get(file);
  if (columns === undefined) {
    columns = parquetColumns(set.tree.absolute(file), file);
    set.columns.set(file, columns);
  }
  const plan = planFile(set.features, await columns);
  const stats = await readStatsOfEpisodes(set, listUnitEpisodes(assigned, range));
  return { file, parts: createSharedParts(set, plan), findings: compareFileColumns(set, plan, file), stats };
}

/** Reads the episodes of a range that are not in `seen`. */
async function* readRange(
  shared: ReadContext,
  data: SharedFile,
  range: RowRange,
  seen: ReadonlySet<number>,
  options: ReadOptions,
): AsyncGenerator<Episode> {
  const { set, actualFile } = shared;
  const { file } = range;
  const source = fileSource(set, file);
  const all = await readNumberings(
    data.parts.plan,
    source,
    'episode_index',
    `WHERE ${rangeCondition(range)}`,
  );
  const placed = all.filter(({ episode }) => (actualFile(episode) ?? file) === file && !seen.has(episode));
  const ordered = placed.length === all.length && placed.every((numbering) => numbering.contiguous);
  if (!ordered) placed.sort((a, b) => a.episode - b.episode);
  const wanted = placed.map((numbering) => numbering.episode).join(', ') || 'NULL';
  const condition = ordered ? rangeCondition(range) : `episode_index IN (${wanted})`;
  const order = ordered ? '' : ' ORDER BY episode_index, file_row_number';
  const sql = `SELECT ${selectList(data.parts.plan)} FROM ${source} WHERE ${condition}${order}`;
  const reader = new RowReader(data.parts.plan, placed, mayReuse(set, data.parts.plan, options));
  for await (const chunk of fetchChunks(sql)) {
    for (const rows of reader.read(chunk)) yield assembleRows(shared, data, rows, options);
  }
}

/** Reads the remaining episodes one by one after a query has failed. */
async function* readOneByOne(
  shared: ReadContext,
  range: RowRange,
  expected: readonly number[],
  seen: ReadonlySet<number>,
  why: string,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const { file } = range;
  const rest = expected.filter((episode) => !seen.has(episode));
  const data = await planSharedFile(shared, range).catch(() => null);
  for (const episode of rest) {
    if (data === null) {
      yield createUnreadable(episode, createDamagedFileFinding(shared.set, file, why));
      continue;
    }
    try {
      const own = { file, from: episode, to: episode };
      let found = false;
      for await (const read of readRange(shared, data, own, seen, options)) {
        found = true;
        yield read;
      }
      if (!found) yield createUnreadable(episode, createNoRowsFinding(shared.set, file, episode));
    } catch (thrown) {
      options.signal?.throwIfAborted();
      rethrowProgramError(thrown);
      yield createUnreadable(episode, createDamagedFileFinding(shared.set, file, messageOf(thrown)));
    }
  }
}

function fileSource(set: LeRobotSet, file: string): string {
  return parquetSource([set.tree.absolute(file)], 'file_row_number = true');
}

/** Assembles an episode. Returns synchronously if there are no pictures to read and its files are cached. */
function assembleRows(
  { set, sources }: ReadContext,
  data: SharedFile,
  rows: ReadRows,
  options: ReadOptions,
): Episode | Promise<Episode> {
  options.signal?.throwIfAborted();
  const { numbering } = rows;
  const { file, parts } = data;
  const stats = data.stats === null ? undefined : (data.stats.get(numbering.episode) ?? null);
  const table_row = set.episodes.rowOf(numbering.episode);
  const findings = [...data.findings, ...checkPlacement(set, numbering, file, table_row)];
  const { first_row } = numbering;
  const whole = (pictures: ReadonlyMap<string, Frames>) =>
    assembleEpisode(
      set,
      { rows, shared: parts, path: file, first_row, table_row, stats, pictures, findings },
      sources,
    );
  if (parts.plan.pictures.length === 0) return whole(noPictures);
  return readPictures(set, parts.plan, file, numbering, rows.timestamps).then(whole);
}

const noPictures: ReadonlyMap<string, Frames> = new Map();

/** Reports scattered rows, unlisted episodes, and differences from the table's file and row range. */
function checkPlacement(
  set: LeRobotSet,
  numbering: EpisodeNumbering,
  file: string,
  table_row: number | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const { episodes, layout } = set;
  const violation = (id: LeRobotRuleId, message: string) =>
    findings.push(createLeRobotViolation(layout, id, file, message));
  const { episode } = numbering;
  if (!numbering.contiguous)
    violation('rows_scattered', `the ${numbering.rows} rows of episode ${episode} are not contiguous`);
  if (episodes.files.length === 0) return findings;
  if (table_row === undefined) {
    violation('episode_unlisted', `episode ${episode} has rows, but is not in the episode table`);
    return findings;
  }
  const listed = episodes.dataPath(table_row);
  if (listed !== file)
    violation(
      'episode_elsewhere',
      `the episode table lists episode ${episode} in ${listed}, but its rows are in ${file}`,
    );
  const range = findRangeFault(episodes, table_row, numbering.rows);
  if (range !== null) violation('row_range_wrong', range);
  return findings;
}

/** Describes a declared row range that contradicts the rows or the episode before; null if it is correct. */
function findRangeFault(episodes: EpisodeTable, row: number, rows: number): string | null {
  const range = episodes.rowRange(row);
  if (range === null || episodes.index[row] !== row) return null;
  const [from, to] = range;
  if (to - from !== rows)
    return `dataset_from_index ${from} and dataset_to_index ${to} cover ${to - from} rows, but the episode has ${rows}`;
  const before = row === 0 ? 0 : (episodes.rowRange(row - 1)?.[1] ?? from);
  const expected = episodes.rowsBefore(row);
  if (from === before || from === expected) return null;
  return `dataset_from_index is ${from}, but ${expected} rows come before the episode`;
}
