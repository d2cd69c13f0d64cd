import type { Workspace } from '#core/api';
import { type Store, workspaceRows } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noWorkspace, workspaceOf } from './views.ts';

/** One workspace. Throws `not_found`. */
export async function getWorkspace(
  store: Store,
  call: Call,
  { workspace_id }: { readonly workspace_id: string },
): Promise<Workspace> {
  requireRole(call, 'viewer');
  const row = await workspaceRows.getWorkspace(scopeOf(store, call), workspace_id);
  if (row === null) throw noWorkspace();
  return workspaceOf(row);
}
