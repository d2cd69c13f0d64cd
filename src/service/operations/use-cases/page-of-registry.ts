import { type Page, pageOfRows, readCursor } from '../page.ts';

export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A page of rows that are listed in the code, in their order; the cursor is the last row's id. */
export function pageOfRegistry<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  { limit, cursor }: PageQuery,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const ids = new RegExp(`^(?:${rows.map(({ id }) => id).join('|')})$`);
  const after = readCursor(cursor, ids);
  const from = rows.findIndex(({ id }) => id === after) + 1;
  return pageOfRows(rows.slice(from, from + limit + 1), limit, ({ id }) => id, itemOf);
}
