import type { SourceTree } from '#io/sources';
import type { WorkUnit } from '../../../shared/reader.ts';
import type { EpisodeTable } from './episode-table.ts';

/** Selector of a v3 unit: rows of a data file with episode_index from `from` to `to`, inclusive; null for open. */
export interface RowRange {
  readonly file: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** Returns the actual data file of an episode if it differs from the table; undefined otherwise. */
export type ActualFileLookup = (episode: number) => string | undefined;

/** Episodes by data file, ascending; every data file has an entry. */
export type Assignment = ReadonlyMap<string, readonly number[]>;

/**
 * A unit aims at 1 / `remainderDivisor` of the remaining rows, within the limits below: large units first, so that a
 * file is opened and hashed by few workers; small ones last, so that workers finish together.
 */
const remainderDivisor = 4;
const minUnitRows = 100_000;
const maxUnitRows = 800_000;

/**
 * Lists the Parquet files that the library reads: exactly two folders deep below data/; others only if there are none.
 */
export function listDataFilesV3(tree: SourceTree): string[] {
  const all = tree.files.map((file) => file.path).filter((path) => /^data\/.*\.parquet$/i.test(path));
  const deep = all.filter((path) => path.split('/').length === 3);
  return deep.length > 0 ? deep : all;
}

/**
 * Returns the listed episodes by data file, ascending: by `actualFile` if it knows the episode, else by the table. Data
 * files without episodes have an empty list.
 */
export function assignEpisodes(
  tree: SourceTree,
  table: EpisodeTable,
  actualFile: ActualFileLookup,
): Assignment {
  const byFile = new Map<string, number[]>();
  for (let row = 0; row < table.count; row++) {
    const episode = table.index[row];
    if (table.rowOf(episode) !== row) continue;
    const path = actualFile(episode) ?? table.dataPath(row) ?? 'data';
    const known = byFile.get(path);
    if (known === undefined) byFile.set(path, [episode]);
    else known.push(episode);
  }
  for (const path of listDataFilesV3(tree)) if (!byFile.has(path)) byFile.set(path, []);
  for (const episodes of byFile.values()) episodes.sort((a, b) => a - b);
  return byFile;
}

/**
 * Divides the data files into work units of up to about 800,000 rows, so that every row belongs to exactly one,
 * including rows of unlisted episodes. The first range of a file is open downwards, the last one upwards.
 */
export function createUnitsV3(tree: SourceTree, table: EpisodeTable, assigned: Assignment): WorkUnit[] {
  const rowsOf = (episode: number) => Math.max(1, table.length[table.rowOf(episode) ?? 0]);
  const files = [...assigned].sort(
    ([a, first], [b, second]) => (first[0] ?? table.count) - (second[0] ?? table.count) || (a < b ? -1 : 1),
  );
  let rest = 0;
  for (const [, episodes] of files) for (const episode of episodes) rest += rowsOf(episode);
  const units: WorkUnit[] = [];
  for (const [file, episodes] of files) {
    let left = 0;
    for (const episode of episodes) left += rowsOf(episode);
    const total = left;
    const groups: number[][] = [];
    let group: number[] = [];
    let wanted = targetUnitRows(rest, left);
    for (const episode of episodes) {
      group.push(episode);
      const rows = rowsOf(episode);
      rest -= rows;
      left -= rows;
      wanted -= rows;
      if (wanted > 0 || left === 0) continue;
      groups.push(group);
      group = [];
      wanted = targetUnitRows(rest, left);
    }
    groups.push(group);
    const bytes = (tree.entry(file)?.bytes ?? 0) / Math.max(1, total);
    units.push(...createFileUnits(file, groups, bytes, rowsOf, table.count));
  }
  return units;
}

/** Returns the rows per unit with which the rest of a file is divided evenly. */
function targetUnitRows(rest: number, left: number): number {
  const target = Math.min(maxUnitRows, Math.max(minUnitRows, rest / remainderDivisor));
  return left / Math.max(1, Math.round(left / target));
}

/** Creates the units of one file. */
function createFileUnits(
  file: string,
  groups: readonly (readonly number[])[],
  bytesPerRow: number,
  rowsOf: (episode: number) => number,
  count: number,
): WorkUnit[] {
  return groups.map((members, position) => {
    const selector: RowRange = {
      file,
      from: position === 0 ? null : members[0],
      to: position === groups.length - 1 ? null : groups[position + 1][0] - 1,
    };
    return {
      id: `${file}#${position}`,
      expected_episodes: members.length,
      first_index: members[0] ?? count,
      bytes: Math.round(bytesPerRow * members.reduce((rows, episode) => rows + rowsOf(episode), 0)),
      selector,
    };
  });
}

/** Returns the listed episodes that belong to a unit, ascending; empty if there are none. */
export function listUnitEpisodes(assigned: Assignment, { file, from, to }: RowRange): readonly number[] {
  const episodes = assigned.get(file) ?? [];
  const first = from === null ? 0 : episodes.findIndex((episode) => episode >= from);
  const after = to === null ? -1 : episodes.findIndex((episode) => episode > to);
  return first < 0 ? [] : episodes.slice(first, after < 0 ? undefined : after);
}

/** Returns the SQL condition of a unit's rows within its file. */
export function rangeCondition({ from, to }: RowRange): string {
  const conditions = ['episode_index IS NOT NULL'];
  if (from !== null) conditions.push(`episode_index >= ${from}`);
  if (to !== null) conditions.push(`episode_index <= ${to}`);
  return conditions.join(' AND ');
}
