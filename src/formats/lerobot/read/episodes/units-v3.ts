import type { SourceTree } from '#io/sources';
import type { WorkUnit } from '../../../shared/reader.ts';
import type { EpisodeTable } from './episode-table.ts';

/** What a unit reads: rows of a data file whose episode_index lies in the range, ends included, null for open. */
export interface RowRange {
  readonly file: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** The file that really holds an episode, where that is known to differ from the table. */
export type Homes = (episode: number) => string | undefined;

/** Episodes by the data file they are looked for in, ascending; every data file has an entry. */
export type Assignment = ReadonlyMap<string, readonly number[]>;

/**
 * Rows a unit aims at: a quarter of what is left, within bounds. Large units come first, so that a file is opened,
 * sought in and hashed by few; small ones last, so that workers end together.
 */
const shareOfRest = 4;
const leastRows = 100_000;
const mostRows = 800_000;

/** Data files as the library finds them: exactly two folders deep; others only where there is nothing else. */
export function dataFilesV3(tree: SourceTree): string[] {
  const all = tree.files.map((file) => file.path).filter((path) => /^data\/.*\.parquet$/i.test(path));
  const deep = all.filter((path) => path.split('/').length === 3);
  return deep.length > 0 ? deep : all;
}

export function assignEpisodes(tree: SourceTree, table: EpisodeTable, home: Homes): Assignment {
  const byFile = new Map<string, number[]>();
  for (let row = 0; row < table.count; row++) {
    const episode = table.index[row];
    if (table.rowOf(episode) !== row) continue;
    const path = home(episode) ?? table.dataPath(row) ?? 'data';
    const known = byFile.get(path);
    if (known === undefined) byFile.set(path, [episode]);
    else known.push(episode);
  }
  for (const path of dataFilesV3(tree)) if (!byFile.has(path)) byFile.set(path, []);
  for (const episodes of byFile.values()) episodes.sort((a, b) => a - b);
  return byFile;
}

/**
 * Cuts the data files into ranges of episodes. Every row of every file falls into exactly one unit, also rows of
 * episodes that the table does not list: the first range of a file is open downwards, the last one upwards.
 */
export function unitsV3(tree: SourceTree, table: EpisodeTable, assigned: Assignment): WorkUnit[] {
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
    let wanted = rowsWanted(rest, left);
    for (const episode of episodes) {
      group.push(episode);
      const rows = rowsOf(episode);
      rest -= rows;
      left -= rows;
      wanted -= rows;
      if (wanted > 0 || left === 0) continue;
      groups.push(group);
      group = [];
      wanted = rowsWanted(rest, left);
    }
    groups.push(group);
    const bytes = (tree.entry(file)?.bytes ?? 0) / Math.max(1, total);
    units.push(...unitsOfFile(file, groups, bytes, rowsOf, table.count));
  }
  return units;
}

/** The file's rows are cut evenly into units of about the size aimed at. */
function rowsWanted(rest: number, left: number): number {
  const target = Math.min(mostRows, Math.max(leastRows, rest / shareOfRest));
  return left / Math.max(1, Math.round(left / target));
}

function unitsOfFile(
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

/** Episodes that a unit answers for. */
export function episodesOf(assigned: Assignment, { file, from, to }: RowRange): readonly number[] {
  const episodes = assigned.get(file) ?? [];
  const first = from === null ? 0 : episodes.findIndex((episode) => episode >= from);
  const after = to === null ? -1 : episodes.findIndex((episode) => episode > to);
  return first < 0 ? [] : episodes.slice(first, after < 0 ? undefined : after);
}

/** The condition a unit's rows fulfil. */
export function rangeCondition({ from, to }: RowRange): string {
  const conditions = ['episode_index IS NOT NULL'];
  if (from !== null) conditions.push(`episode_index >= ${from}`);
  if (to !== null) conditions.push(`episode_index <= ${to}`);
  return conditions.join(' AND ');
}
