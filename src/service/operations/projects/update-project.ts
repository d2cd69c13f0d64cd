import type { Project, TargetProfileId } from '#core/api';
import { projectCountRows, projectRows, type Store, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { storedUseCase } from '../workspaces/views.ts';
import { demandFit } from './demand-fit.ts';
import { noProject, projectOf, settingsOfProject } from './views.ts';

export interface ProjectChange {
  readonly project_id: string;
  readonly name?: string | undefined;
  readonly target_profile?: TargetProfileId | undefined;
}

/** Renames a project or sets its target. Throws `not_found`, `invalid_request` for a target that does not apply. */
export async function updateProject(store: Store, call: Call, input: ProjectChange): Promise<Project> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { project_id } = input;
  return store.database.transaction(async () => {
    const seen = await projectRows.getProject(scope, project_id);
    if (seen === null) throw noProject();
    // The workspace first, as everywhere, so that two changes never wait for each other.
    const workspace = await workspaceRows.getWorkspace(scope, seen.workspace_id, 'share');
    const row = await projectRows.getProject(scope, project_id, 'update');
    if (row === null || workspace === null) throw noProject();
    const after = {
      ...row,
      name: input.name ?? row.name,
      target_profile: input.target_profile ?? row.target_profile,
      use_case: workspace.use_case,
    };
    if (after.target_profile !== row.target_profile)
      demandFit(storedUseCase(workspace.use_case), after.target_profile);
    const counts = await projectCountRows.countEpisodes(scope, [project_id]);
    if (after.name === row.name && after.target_profile === row.target_profile) return projectOf(row, counts);
    const change = { name: after.name, target_profile: after.target_profile, updated_at: call.now };
    await projectRows.updateProject(scope, project_id, change);
    await appendAudit(store, call, {
      action: 'update_project',
      object_type: 'project',
      object_id: project_id,
      before: settingsOfProject(row),
      after: settingsOfProject(after),
      detail: {
        name: { from: row.name, to: after.name },
        target_profile: { from: row.target_profile, to: after.target_profile },
      },
    });
    return projectOf({ ...after, updated_at: call.now }, counts);
  });
}
