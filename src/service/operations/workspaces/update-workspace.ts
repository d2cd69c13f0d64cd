import type { Workspace } from '#core/api';
import { type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noWorkspace, workspaceOf } from './views.ts';

/** Renames a workspace. Throws `not_found`. */
export async function updateWorkspace(
  store: Store,
  call: Call,
  { workspace_id, name }: { readonly workspace_id: string; readonly name: string },
): Promise<Workspace> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    const row = await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if (row === null) throw noWorkspace();
    if (row.name === name) return workspaceOf(row);
    const change = { name, updated_at: call.now };
    await workspaceRows.updateWorkspace(scope, workspace_id, change);
    const after = workspaceOf({ ...row, ...change });
    await appendAudit(store, call, {
      action: 'update_workspace',
      object_type: 'workspace',
      object_id: workspace_id,
      before: workspaceOf(row),
      after,
      detail: { name: { from: row.name, to: name } },
    });
    return after;
  });
}
