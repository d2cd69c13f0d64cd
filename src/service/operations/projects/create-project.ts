import { newId } from '#core';
import type { Project, TargetProfileId } from '#core/api';
import { projectRows, type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noWorkspace, storedUseCase } from '../workspaces/views.ts';
import { demandFit } from './demand-fit.ts';
import { projectOf, settingsOfProject } from './views.ts';

export interface NewProject {
  readonly workspace_id: string;
  readonly name: string;
  readonly target_profile: TargetProfileId;
}

/** Creates a project. Throws `not_found` for the workspace, `invalid_request` for a target that does not apply there. */
export async function createProject(store: Store, call: Call, input: NewProject): Promise<Project> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    // Shared, so that the use case cannot change between here and the commit.
    const workspace = await workspaceRows.getWorkspace(scope, input.workspace_id, 'share');
    if (workspace === null) throw noWorkspace();
    demandFit(storedUseCase(workspace.use_case), input.target_profile);
    const row = {
      id: newId('prj'),
      workspace_id: workspace.id,
      name: input.name,
      target_profile: input.target_profile,
      data_kind_override: null,
      readiness_settings: {},
      annotation_settings: {},
      created_at: call.now,
      updated_at: call.now,
    };
    await projectRows.insertProject(scope, row);
    const created = {
      ...row,
      tenant_id: scope.tenant_id,
      use_case: workspace.use_case,
      workspace_annotation_settings: workspace.annotation_settings,
    };
    await appendAudit(store, call, {
      action: 'create_project',
      object_type: 'project',
      object_id: row.id,
      before: null,
      after: settingsOfProject(created),
      detail: { workspace_id: workspace.id, name: row.name, target_profile: row.target_profile },
    });
    return projectOf(created, []);
  });
}
