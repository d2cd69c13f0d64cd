import { AssayError, idPattern, newId } from '#core';
import type { Workspace } from '#core/api';
import type { UseCaseRow } from '#quality/use-cases';
import { ontologyRows, projectRows, type Store, type TenantScope, workspaceRows } from '#store';
import { appendAudit } from './audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from './call.ts';
import { type Page, pageOfRows, readCursor } from './page.ts';
import { applicableProfiles, storedUseCase, unfitReason, useCaseIdOf } from './use-cases.ts';

/** Lists the tenant's workspaces, newest first. */
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

/** Converts a workspace row to the API view. */
function workspaceOf(row: workspaceRows.WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    use_case: useCaseIdOf(row.use_case),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns the error `not_found`, the same whether the workspace is missing or belongs to another tenant. */
export const noWorkspace = (): AssayError =>
  new AssayError('not_found', 'workspace not found', {
    advice: 'list workspaces with GET /v1/workspaces',
  });

/** Returns a workspace. Throws `not_found`. */
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

/** A workspace to create. */
interface NewWorkspace {
  readonly name: string;
  /** Id of a use case; former ids work too. */
  readonly use_case: string;
}

/** Creates, audits and returns a workspace for a use case. */
export async function createWorkspace(store: Store, call: Call, input: NewWorkspace): Promise<Workspace> {
  requireRole(call, 'engineer');
  const row = {
    id: newId('ws'),
    name: input.name,
    use_case: useCaseIdOf(input.use_case),
    annotation_settings: {},
    created_at: call.now,
    updated_at: call.now,
  };
  const created = workspaceOf({ ...row, tenant_id: call.actor.tenant_id });
  await store.database.transaction(async () => {
    await workspaceRows.insertWorkspace(scopeOf(store, call), row);
    await appendAudit(store, call, {
      action: 'create_workspace',
      object_type: 'workspace',
      object_id: row.id,
      before: null,
      after: created,
      detail: { name: row.name, use_case: row.use_case },
    });
  });
  return created;
}

/** Renames a workspace, audits a change and returns the workspace. Throws `not_found`. */
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

/**
 * Deletes a workspace without projects, with its declared classes, and audits this. Throws `not_found`, `conflict` if it has
 * projects.
 */
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
      throw new AssayError('conflict', `the workspace ${row.name} still has projects`, {
        advice: 'delete its projects first; a project with sources cannot be deleted',
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

/** New use case of a workspace. */
interface UseCaseChange {
  readonly workspace_id: string;
  /** Id of a use case; former ids work too. */
  readonly use_case: string;
  /**
   * Whether projects with a target that does not apply cause a `conflict` (`refuse`) or stay as they are (`keep`).
   */
  readonly unfit_projects: 'refuse' | 'keep';
}

/**
 * Sets the use case of a workspace, audits a change and returns the workspace. Throws `not_found`, `conflict` naming the
 * projects whose target does not apply, unless these are to be left unchanged.
 */
export async function setUseCase(
  store: Store,
  call: Call,
  { workspace_id, use_case, unfit_projects }: UseCaseChange,
): Promise<Workspace> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const newUseCase = storedUseCase(use_case);
  return store.database.transaction(async () => {
    const row = await workspaceRows.getWorkspace(scope, workspace_id, 'update');
    if (row === null) throw noWorkspace();
    if (row.use_case === newUseCase.id) return workspaceOf(row);
    const unfit = await findUnfitProjects(scope, workspace_id, newUseCase);
    if (unfit.length > 0 && unfit_projects === 'refuse') throw unfitProjectsConflict(newUseCase, unfit);
    const change = { use_case: newUseCase.id, updated_at: call.now };
    await workspaceRows.updateWorkspace(scope, workspace_id, change);
    const after = workspaceOf({ ...row, ...change });
    await appendAudit(store, call, {
      action: 'set_use_case',
      object_type: 'workspace',
      object_id: workspace_id,
      before: workspaceOf(row),
      after,
      detail: {
        use_case: { from: row.use_case, to: newUseCase.id },
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

const projectsPerPage = 500;

async function findUnfitProjects(
  scope: TenantScope,
  workspace_id: string,
  useCase: UseCaseRow,
): Promise<UnfitProject[]> {
  const found: UnfitProject[] = [];
  for (let before: string | null = null; ; ) {
    const rows = await projectRows.listProjects(scope, { workspace_id, before, limit: projectsPerPage });
    for (const { id, name, target_profile } of rows) {
      const reason = unfitReason(useCase, target_profile);
      if (reason !== null) found.push({ project_id: id, name, target_profile, reason });
    }
    if (rows.length < projectsPerPage) return found;
    before = rows[rows.length - 1].id;
  }
}

const maxListedProjects = 50;

function unfitProjectsConflict(useCase: UseCaseRow, unfit: readonly UnfitProject[]): AssayError {
  const [first] = unfit;
  const more = unfit.length > 1 ? `; nor do the targets of ${unfit.length - 1} more projects` : '';
  return new AssayError(
    'conflict',
    `the target ${first.target_profile} of project ${first.name} does not apply under ${useCase.id} (${first.reason})${more}`,
    {
      advice:
        'change the target_profile of these projects first, or send "unfit_projects": "keep" to leave them unchanged',
      details: {
        use_case: useCase.id,
        applicable_target_profiles: applicableProfiles(useCase),
        unfit_projects: unfit.slice(0, maxListedProjects).map((project) => ({ ...project })),
        unfit_projects_total: unfit.length,
      },
    },
  );
}
