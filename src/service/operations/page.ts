import { AssayError } from '#core';

/** One page of a list; `next_cursor` is null on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
}

/** A page of rows that were asked for with one more than `limit`, which tells whether there are more. */
export function pageOfRows<Row, Item>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(itemOf),
    next_cursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}

/** A cursor in the shape that the list gives, or null where none was sent. Throws `invalid_request`. */
export function readCursor(cursor: string | undefined, shape: RegExp): string | null {
  if (cursor === undefined) return null;
  if (shape.test(cursor)) return cursor;
  throw badCursor('not a cursor of this list');
}

/** A cursor that was not given by the list it was sent to. */
export function badCursor(message: string): AssayError {
  return new AssayError('invalid_request', 'the cursor is not one that this list gave', {
    advice: 'send `next_cursor` of the page before, or none for the first page',
    details: { errors: [{ pointer: '/query/cursor', message }] },
  });
}
