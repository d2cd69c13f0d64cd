import { AssayError } from '#core';
import { curationRows, failureRows, ontologyRows, policyRows, projectRows, type Store } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject, settingsOfProject } from './views.ts';

/** Deletes a project in which no recordings were registered. Throws `not_found`, `conflict`. */
export async function deleteProject(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<void> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    const row = await projectRows.getProject(scope, project_id, 'update');
    if (row === null) throw noProject();
    if (await projectRows.hasSources(scope, project_id))
      throw new AssayError('conflict', `the project ${row.name} has sources`, {
        advice: 'delete its sources first',
      });
    await curationRows.deletePlans(scope, project_id);
    await failureRows.deleteFailures(scope, project_id);
    await policyRows.deletePolicies(scope, project_id);
    await ontologyRows.deleteOntology(scope, project_id);
    await projectRows.deleteProject(scope, project_id);
    await appendAudit(store, call, {
      action: 'delete_project',
      object_type: 'project',
      object_id: project_id,
      before: settingsOfProject(row),
      after: null,
      detail: { name: row.name },
    });
  });
}
