import { idPattern } from '#core';
import type { User } from '#core/api';
import { type Store, userRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { userOf } from './views.ts';

/** The tenant's users, newest first. */
export async function listUsers(
  store: Store,
  call: Call,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<User>> {
  requireRole(call, 'admin');
  const rows = await userRows.listUsers(scopeOf(store, call), {
    before: readCursor(query.cursor, idPattern('usr')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, userOf);
}
