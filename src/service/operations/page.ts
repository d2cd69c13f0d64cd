import { AssayError } from '#core';

/** One page of a list; `next_cursor` is null on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** Returns a page of rows that were queried with `limit + 1`, so that an extra row shows that there are more. */
export function pageOfRows<Row, Item>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const pageRows = rows.slice(0, limit);
  const last = pageRows.at(-1);
  return {
    items: pageRows.map(itemOf),
    next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}

/** Returns a cursor if it has the format of the list; null if none was sent. Throws `invalid_request`. */
export function readCursor(cursor: string | undefined, shape: RegExp): string | null {
  if (cursor === undefined) return null;
  if (shape.test(cursor)) return cursor;
  throw badCursor('must be a cursor returned by this list');
}

/** Returns the error `invalid_request` for a cursor that this list did not create. */
export function badCursor(message: string): AssayError {
  return new AssayError('invalid_request', 'invalid cursor', {
    advice: 'send `next_cursor` of the previous page, or omit it for the first page',
    details: { errors: [{ pointer: '/query/cursor', message }] },
  });
}

/** Page of a registry. */
export interface RegistryQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of a registry's rows in their order; the cursor is the id of the last row. Throws `invalid_request` for
 * another cursor.
 */
export function pageOfRegistry<Row extends { readonly id: string }, Item>(
  rows: readonly Row[],
  { limit, cursor }: RegistryQuery,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const ids = new RegExp(`^(?:${rows.map(({ id }) => id).join('|')})$`);
  const after = readCursor(cursor, ids);
  const from = rows.findIndex(({ id }) => id === after) + 1;
  return pageOfRows(rows.slice(from, from + limit + 1), limit, ({ id }) => id, itemOf);
}

/** Cuts a cursor into short groups, so that the copilot's media boundary does not take it for encoded bytes. */
const cursorGroups = /^.{8}|.{1,32}/g;

/** Encodes a JSON value as a cursor that is safe in URLs; only `decodeCursor` reads it. */
export function encodeCursor(value: unknown): string {
  const whole = Buffer.from(JSON.stringify(value)).toString('base64url');
  return (whole.match(cursorGroups) ?? []).join('.');
}

/** Decodes a cursor of `encodeCursor`, without checking the value; null if it is malformed. */
export function decodeCursor(word: string): unknown {
  try {
    return JSON.parse(Buffer.from(word.replaceAll('.', ''), 'base64url').toString());
  } catch {
    return null;
  }
}
