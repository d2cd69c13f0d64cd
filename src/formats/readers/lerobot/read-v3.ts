import type { Episode, Finding } from '#episode';
import { messageOf } from '#kernel';
import { chunks } from '../../parquet/chunks.ts';
import { keepFooters, parquetSource } from '../../parquet/duck.ts';
import { parquetColumns } from '../../parquet/footer.ts';
import type { ReadOptions, Unreadable } from '../../reader.ts';
import { assemble, episodeId } from './assemble.ts';
import { type FilePlan, planFile } from './column-plan.ts';
import { columnFindingsOf } from './file-findings.ts';
import type { LeRobotSet } from './lerobot-set.ts';
import { readPictures } from './pictures.ts';
import { readRows, type Segment, selectList } from './row-reader.ts';
import { type Homes, type RowRange, rangeCondition } from './units-v3.ts';

/** An episode's rows inside a data file. */
interface Placed extends Segment {
  readonly first_row: number;
  /** The rows lie one behind the other. */
  readonly whole: boolean;
}

/** Reads the episodes of one range of one data file, in ascending order where the file has them so. */
export async function* readUnitV3(
  set: LeRobotSet,
  home: Homes,
  range: RowRange,
  options: ReadOptions,
): AsyncGenerator<Episode | Unreadable> {
  const [file] = range.files;
  const expected = expectedEpisodes(set, home, range);
  const blocked = blockedFile(set, file);
  if (blocked !== null) {
    for (const episode of expected) yield unreadable(episode, blocked);
    return;
  }
  await keepFooters(true);
  const seen = new Set<number>();
  try {
    const plan = planFile(set.features, await parquetColumns(set.tree.absolute(file), file));
    for await (const episode of readPlanned(set, plan, home, range, options)) {
      seen.add(episode.index);
      yield episode;
    }
  } catch (thrown) {
    const finding = damaged(file, messageOf(thrown));
    for (const episode of expected) if (!seen.has(episode)) yield unreadable(episode, finding);
    return;
  }
  for (const episode of expected)
    if (!seen.has(episode)) yield unreadable(episode, withoutRows(file, episode));
}

async function* readPlanned(
  set: LeRobotSet,
  plan: FilePlan,
  home: Homes,
  range: RowRange,
  options: ReadOptions,
): AsyncGenerator<Episode> {
  const [file] = range.files;
  const source = parquetSource([set.tree.absolute(file)], 'file_row_number = true');
  const all = await placedSegments(source, range);
  const placed = all.filter(({ episode }) => (home(episode) ?? file) === file);
  const ordered = placed.length === all.length && placed.every((segment) => segment.whole);
  const condition = ordered
    ? rangeCondition(range)
    : `episode_index IN (${placed.map((segment) => segment.episode).join(', ') || 'NULL'})`;
  const order = ordered ? '' : ' ORDER BY episode_index, file_row_number';
  if (!ordered) placed.sort((a, b) => a.episode - b.episode);
  const sql = `SELECT ${selectList(plan)} FROM ${source} WHERE ${condition}${order}`;
  const hashing = set.hasher.sha256(file);
  let position = 0;
  for await (const rows of readRows(sql, plan, placed)) {
    options.signal?.throwIfAborted();
    const segment = placed[position++];
    await hashing;
    const table_row = set.episodes.rowOf(segment.episode);
    yield await assemble(set, {
      rows,
      plan,
      path: file,
      first_row: segment.first_row,
      table_row,
      pictures: await readPictures(set, plan, file, segment, rows.timestamps),
      findings: [...columnFindingsOf(set, plan, file), ...placeFindings(set, segment, file, table_row)],
    });
  }
}

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

/** Episodes of the table that this unit answers for. */
function expectedEpisodes(set: LeRobotSet, home: Homes, range: RowRange): number[] {
  const { episodes } = set;
  const found: number[] = [];
  const [file] = range.files;
  for (let row = 0; row < episodes.count; row++) {
    const episode = episodes.index[row];
    if (range.from !== null && episode < range.from) continue;
    if (range.to !== null && episode > range.to) continue;
    if ((home(episode) ?? episodes.dataPath(row) ?? 'data') === file && episodes.rowOf(episode) === row)
      found.push(episode);
  }
  return found;
}

/** Why nothing can be read from a file, or null. */
export function blockedFile(set: LeRobotSet, file: string): Finding | null {
  const entry = set.tree.entry(file);
  if (entry === undefined) {
    return {
      code: 'data_file_missing',
      severity: 'error',
      path: file,
      message: `the data file ${file} is not there`,
      advice: 'copy or download the missing file',
    };
  }
  if (set.pointers.has(file)) {
    return {
      code: 'lfs_pointer',
      severity: 'error',
      path: file,
      message: `${file} is a Git LFS pointer, not the file`,
      advice: 'run git lfs pull',
    };
  }
  return entry.bytes > 0 ? null : damaged(file, 'it is empty');
}

export function damaged(file: string, why: string): Finding {
  return {
    code: 'data_file_unreadable',
    severity: 'error',
    path: file,
    message: `the data file ${file} could not be read: ${why.split('\n')[0]}`,
    advice: 'copy or record the file again; a recording that was not finished lacks its footer',
  };
}

export function withoutRows(file: string, episode: number): Finding {
  return {
    code: 'episode_without_rows',
    severity: 'error',
    path: file,
    message: `episode ${episode} is listed and ${file} has no rows of it`,
    advice: 'take the episode out of the table, or restore its rows',
  };
}

export function unreadable(episode: number, finding: Finding): Unreadable {
  return { unreadable: true, id: episodeId(episode), index: episode, finding };
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
