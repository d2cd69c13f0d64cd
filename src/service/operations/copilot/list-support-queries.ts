import { idPattern } from '#core';
import type { SupportQuery } from '#core/api';
import { type Store, supportRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { supportQueryOf } from './support-query-view.ts';

export interface SupportListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The tenant's support queries, newest first. */
export async function listSupportQueries(
  store: Store,
  call: Call,
  { limit, cursor }: SupportListQuery,
): Promise<Page<SupportQuery>> {
  requireRole(call, 'viewer');
  const before = readCursor(cursor, idPattern('sup'));
  const rows = await supportRows.listSupportQueries(scopeOf(store, call), { before, limit: limit + 1 });
  return pageOfRows(rows, limit, ({ id }) => id, supportQueryOf);
}
