import { AssayError } from '#core';
import type { Workspace } from '#core/api';
import type { UseCaseRow } from '#quality/catalog';
import { projectRows, type Store, type TenantScope, workspaceRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { applicableProfiles, unfitReason } from './target-fit.ts';
import { noWorkspace, storedUseCase, workspaceOf } from './views.ts';

export interface UseCaseChange {
  readonly workspace_id: string;
  /** Any id of a use case, former ones included. */
  readonly use_case: string;
  /** Whether projects whose target does not apply under it make it a conflict, or stay and say so. */
  readonly unfit_projects: 'refuse' | 'keep';
}

/** Sets the use case of a workspace. Throws `not_found`, `conflict` naming the projects that would not fit. */
export async function setUseCase(
  store: Store,
  call: Call,
  { workspace_id, use_case, unfit_projects }: UseCaseChange,
): Promise<Workspace> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const wanted = storedUseCase(use_case);
  return store.database.transaction(async () => {
    const row = await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if (row === null) throw noWorkspace();
    if (row.use_case === wanted.id) return workspaceOf(row);
    const unfit = await unfitProjects(scope, workspace_id, wanted);
    if (unfit.length > 0 && unfit_projects === 'refuse') throw refusal(wanted, unfit);
    const change = { use_case: wanted.id, updated_at: call.now };
    await workspaceRows.updateWorkspace(scope, workspace_id, change);
    const after = workspaceOf({ ...row, ...change });
    await appendAudit(store, call, {
      action: 'set_use_case',
      object_type: 'workspace',
      object_id: workspace_id,
      before: workspaceOf(row),
      after,
      detail: {
        use_case: { from: row.use_case, to: wanted.id },
        unfit_projects: unfit.map(({ project_id }) => project_id),
      },
    });
    return after;
  });
}

interface UnfitProject {
  readonly project_id: string;
  readonly name: string;
  readonly target_profile: string;
  readonly reason: string;
}

const pageSize = 500;

async function unfitProjects(
  scope: TenantScope,
  workspace_id: string,
  wanted: UseCaseRow,
): Promise<UnfitProject[]> {
  const found: UnfitProject[] = [];
  for (let before: string | null = null; ; ) {
    const rows = await projectRows.listProjects(scope, { workspace_id, before, limit: pageSize });
    for (const { id, name, target_profile } of rows) {
      const reason = unfitReason(wanted, target_profile);
      if (reason !== null) found.push({ project_id: id, name, target_profile, reason });
    }
    if (rows.length < pageSize) return found;
    before = rows[rows.length - 1].id;
  }
}

const mostNamed = 50;

function refusal(wanted: UseCaseRow, unfit: readonly UnfitProject[]): AssayError {
  const [first] = unfit;
  const more = unfit.length > 1 ? `, nor do ${unfit.length - 1} more` : '';
  return new AssayError(
    'conflict',
    `the target ${first.target_profile} of project ${first.name} does not apply under ${wanted.id} (${first.reason})${more}`,
    {
      advice:
        'give these projects another target_profile first, or send "unfit_projects": "keep" to leave them as they are',
      details: {
        use_case: wanted.id,
        applicable_target_profiles: applicableProfiles(wanted),
        unfit_projects: unfit.slice(0, mostNamed).map((project) => ({ ...project })),
        unfit_projects_total: unfit.length,
      },
    },
  );
}
