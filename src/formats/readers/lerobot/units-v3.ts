import type { SourceTree } from '../../bytes/source-tree.ts';
import type { WorkUnit } from '../../reader.ts';
import type { EpisodeTable } from './episode-table.ts';

/** What a unit reads: rows of `files` whose episode_index lies in the range, ends included, null for open. */
export interface RowRange {
  readonly files: readonly string[];
  readonly from: number | null;
  readonly to: number | null;
}

/** Rows a unit aims at: small enough to share out evenly, large enough that opening a file does not show. */
const rowsPerUnit = 100_000;

/**
 * Cuts the data files into ranges of episodes. Every row of every file falls into exactly one unit, also rows of
 * episodes that the table does not list: the first range of a file is open downwards, the last one upwards.
 */
export function unitsV3(tree: SourceTree, table: EpisodeTable, home: Homes): WorkUnit[] {
  const byFile = new Map<string, number[]>();
  for (let row = 0; row < table.count; row++) {
    const path = home(table.index[row]) ?? table.dataPath(row) ?? 'data';
    const known = byFile.get(path);
    if (known === undefined) byFile.set(path, [row]);
    else known.push(row);
  }
  for (const path of dataFilesV3(tree)) if (!byFile.has(path)) byFile.set(path, []);
  const units = [...byFile].flatMap(([path, rows]) => unitsOfFile(tree, table, path, rows));
  return units.sort((a, b) => a.first_index - b.first_index || (a.id < b.id ? -1 : 1));
}

/** The file that really holds an episode, where that is known to differ from the table. */
export type Homes = (episode: number) => string | undefined;

/** Data files as the library finds them: exactly two folders deep; others only where there is nothing else. */
export function dataFilesV3(tree: SourceTree): string[] {
  const all = tree.files.map((file) => file.path).filter((path) => /^data\/.*\.parquet$/i.test(path));
  const deep = all.filter((path) => path.split('/').length === 3);
  return deep.length > 0 ? deep : all;
}

function unitsOfFile(
  tree: SourceTree,
  table: EpisodeTable,
  path: string,
  tableRows: readonly number[],
): WorkUnit[] {
  const bytes = tree.entry(path)?.bytes ?? 0;
  const episodes = tableRows.map((row) => table.index[row]).sort((a, b) => a - b);
  const lengths = new Map(tableRows.map((row) => [table.index[row], Math.max(1, table.length[row])]));
  const groups = group(episodes, lengths);
  return groups.map((members, position) => {
    const selector: RowRange = {
      files: [path],
      from: position === 0 ? null : members[0],
      to: position === groups.length - 1 ? null : groups[position + 1][0] - 1,
    };
    return {
      id: `${path}#${position}`,
      expected_episodes: members.length,
      first_index: members[0] ?? table.count,
      bytes: Math.round(bytes / groups.length),
      selector,
    };
  });
}

function group(episodes: readonly number[], lengths: ReadonlyMap<number, number>): number[][] {
  const groups: number[][] = [];
  let members: number[] = [];
  let rows = 0;
  for (const episode of episodes) {
    if (rows >= rowsPerUnit) {
      groups.push(members);
      members = [];
      rows = 0;
    }
    members.push(episode);
    rows += lengths.get(episode) ?? 1;
  }
  groups.push(members);
  return groups;
}

/** The condition a unit's rows fulfil. */
export function rangeCondition(range: RowRange): string {
  const conditions = ['episode_index IS NOT NULL'];
  if (range.from !== null) conditions.push(`episode_index >= ${range.from}`);
  if (range.to !== null) conditions.push(`episode_index <= ${range.to}`);
  return conditions.join(' AND ');
}
