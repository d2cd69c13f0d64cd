import { AssayError } from '#core';
import { ontologyRows, projectRows, type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noWorkspace, workspaceOf } from './views.ts';

/** Deletes a workspace that holds no project. Throws `not_found`, `conflict`. */
export async function deleteWorkspace(
  store: Store,
  call: Call,
  { workspace_id }: { readonly workspace_id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const row = await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if (row === null) throw noWorkspace();
    const [project] = await projectRows.listProjects(scope, { workspace_id, before: null, limit: 1 });
    if (project !== undefined)
      throw new AssayError('conflict', `the workspace ${row.name} still holds projects`, {
        advice: 'delete its projects first; a project with sources stays',
      });
    await ontologyRows.deleteOntology(scope, workspace_id);
    await workspaceRows.deleteWorkspace(scope, workspace_id);
    await appendAudit(store, call, {
      action: 'delete_workspace',
      object_type: 'workspace',
      object_id: workspace_id,
      before: workspaceOf(row),
      after: null,
      detail: { name: row.name },
    });
  });
}
