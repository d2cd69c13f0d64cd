import { idPattern } from '#core';
import type { Workspace } from '#core/api';
import { type Store, workspaceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { workspaceOf } from './views.ts';

/** The tenant's workspaces, newest first. */
export async function listWorkspaces(
  store: Store,
  call: Call,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Workspace>> {
  requireRole(call, 'viewer');
  const rows = await workspaceRows.listWorkspaces(scopeOf(store, call), {
    before: readCursor(query.cursor, idPattern('ws')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, workspaceOf);
}
