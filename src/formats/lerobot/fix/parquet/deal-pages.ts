import type { Page } from './walk-pages.ts';

/** A column as its pages count values: so many a row. */
export interface CountedLeaf {
  readonly values_per_row: number;
}

/** The pages of each column of a row group, and its rows. */
export interface DealtGroup {
  readonly rows: number;
  readonly columns: readonly (readonly Page[])[];
}

/**
 * Which pages are which column's: they lie column after column, group after group, each column of a group with as many
 * rows. A group whose last column is not whole is left out. Null where the pages do not come out even.
 */
export function dealPages(pages: readonly Page[], leaves: readonly CountedLeaf[]): DealtGroup[] | null {
  const groups: DealtGroup[] = [];
  let at = 0;
  while (at < pages.length) {
    const group = groupAt(pages, at, leaves);
    if (group === null) break;
    groups.push(group);
    at += group.columns.reduce((sum, { length }) => sum + length, 0);
  }
  return groups.length === 0 ? null : groups;
}

/** Its first column ends at a dictionary or at some page: the shortest with which all others come out even. */
function groupAt(pages: readonly Page[], from: number, leaves: readonly CountedLeaf[]): DealtGroup | null {
  let rows = 0;
  for (let end = from; end < pages.length; end++) {
    const page = pages[end];
    if (page.kind === 'dictionary' && end > from) return null;
    if (page.kind === 'dictionary') continue;
    rows += page.values / leaves[0].values_per_row;
    if (!Number.isInteger(rows)) return null;
    const group = withRows(pages, from, leaves, rows);
    if (group !== null) return group;
  }
  return null;
}

function withRows(
  pages: readonly Page[],
  from: number,
  leaves: readonly CountedLeaf[],
  rows: number,
): DealtGroup | null {
  const columns: Page[][] = [];
  let at = from;
  for (const { values_per_row } of leaves) {
    const column: Page[] = [];
    let values = 0;
    while (values < rows * values_per_row) {
      const page = pages[at];
      if (page === undefined || (page.kind === 'dictionary' && column.length > 0)) return null;
      values += page.values;
      column.push(page);
      at += 1;
    }
    if (values !== rows * values_per_row) return null;
    columns.push(column);
  }
  return { rows, columns };
}
