import { AssayError, idPattern, newId } from '#core';
import type { Project, TargetProfileId } from '#core/api';
import type { UseCaseRow } from '#quality/use-cases';
import {
  curationRows,
  deliveryRows,
  failureRows,
  notificationTargetRows,
  ontologyRows,
  policyRows,
  projectCountRows,
  projectRows,
  type Store,
  workspaceRows,
} from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { applicableProfiles, storedUseCase, unfitReason } from '../use-cases.ts';
import { noWorkspace } from '../workspaces.ts';
import { auditedProject, noProject, projectOf } from './views.ts';

/** A project to create. */
export interface NewProject {
  readonly workspace_id: string;
  readonly name: string;
  readonly target_profile: TargetProfileId;
}

/**
 * Creates, audits and returns a project. Throws `not_found` for the workspace, `invalid_request` for a target profile that
 * does not apply under its use case.
 */
export async function createProject(store: Store, call: Call, input: NewProject): Promise<Project> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    // Share lock, so that the use case cannot change before the commit.
    const workspace = await workspaceRows.getWorkspace(scope, input.workspace_id, 'share');
    if (workspace === null) throw noWorkspace();
    requireApplicableTarget(storedUseCase(workspace.use_case), input.target_profile);
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
      after: auditedProject(created),
      detail: { workspace_id: workspace.id, name: row.name, target_profile: row.target_profile },
    });
    return projectOf(created, []);
  });
}

/** Returns a project with its data kind and episode counts. Throws `not_found`. */
export async function getProject(
  store: Store,
  call: Call,
  { project_id }: { readonly project_id: string },
): Promise<Project> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const row = await projectRows.getProject(scope, project_id);
  if (row === null) throw noProject();
  return projectOf(row, await projectCountRows.countEpisodes(scope, [project_id]));
}

/** Filters and page of projects. */
interface ProjectQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly workspace_id?: string | undefined;
}

/** Lists the tenant's projects, newest first; of one workspace if `workspace_id` is given. */
export async function listProjects(store: Store, call: Call, query: ProjectQuery): Promise<Page<Project>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const rows = await projectRows.listProjects(scope, {
    workspace_id: query.workspace_id ?? null,
    before: readCursor(query.cursor, idPattern('prj')),
    limit: query.limit + 1,
  });
  const ids = rows.slice(0, query.limit).map(({ id }) => id);
  const counts = await projectCountRows.countEpisodes(scope, ids);
  return pageOfRows(
    rows,
    query.limit,
    ({ id }) => id,
    (row) => projectOf(row, counts),
  );
}

/** New name or target profile of a project. */
interface ProjectChange {
  readonly project_id: string;
  readonly name?: string | undefined;
  readonly target_profile?: TargetProfileId | undefined;
}

/**
 * Changes the name or target profile of a project, audits a change and returns the project. Throws `not_found`,
 * `invalid_request` for a target profile that does not apply.
 */
export async function updateProject(store: Store, call: Call, input: ProjectChange): Promise<Project> {
  requireRole(call, 'engineer');
  const scope = scopeOf(store, call);
  const { project_id } = input;
  return store.database.transaction(async () => {
    const unlocked = await projectRows.getProject(scope, project_id);
    if (unlocked === null) throw noProject();
    // The workspace is locked first, as everywhere, to avoid deadlocks.
    const workspace = await workspaceRows.getWorkspace(scope, unlocked.workspace_id, 'share');
    const row = await projectRows.getProject(scope, project_id, 'update');
    if (row === null || workspace === null) throw noProject();
    const after = {
      ...row,
      name: input.name ?? row.name,
      target_profile: input.target_profile ?? row.target_profile,
      use_case: workspace.use_case,
    };
    if (after.target_profile !== row.target_profile)
      requireApplicableTarget(storedUseCase(workspace.use_case), after.target_profile);
    const counts = await projectCountRows.countEpisodes(scope, [project_id]);
    if (after.name === row.name && after.target_profile === row.target_profile) return projectOf(row, counts);
    const change = { name: after.name, target_profile: after.target_profile, updated_at: call.now };
    await projectRows.updateProject(scope, project_id, change);
    await appendAudit(store, call, {
      action: 'update_project',
      object_type: 'project',
      object_id: project_id,
      before: auditedProject(row),
      after: auditedProject(after),
      detail: {
        name: { from: row.name, to: after.name },
        target_profile: { from: row.target_profile, to: after.target_profile },
      },
    });
    return projectOf({ ...after, updated_at: call.now }, counts);
  });
}

/**
 * Deletes a project without sources, with its curation plans, failures, policies and classes, and audits this. Throws
 * `not_found`, `conflict` if it has sources.
 */
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
      throw new AssayError('conflict', `the project ${row.name} still has sources`, {
        advice: 'delete its sources first',
      });
    await curationRows.deletePlans(scope, project_id);
    await failureRows.deleteFailures(scope, project_id);
    await policyRows.deletePolicies(scope, project_id);
    await ontologyRows.deleteOntology(scope, project_id);
    await notificationTargetRows.deleteTargetsOfProject(scope, project_id);
    await deliveryRows.deleteReviewQueue(scope, project_id);
    await projectRows.deleteProject(scope, project_id);
    await appendAudit(store, call, {
      action: 'delete_project',
      object_type: 'project',
      object_id: project_id,
      before: auditedProject(row),
      after: null,
      detail: { name: row.name },
    });
  });
}

/** Throws `invalid_request` naming the applicable target profiles if this one does not apply under the use case. */
function requireApplicableTarget(useCase: UseCaseRow, profile: TargetProfileId): void {
  const reason = unfitReason(useCase, profile);
  if (reason === null) return;
  const applicable = applicableProfiles(useCase);
  const message = `${profile} does not apply under ${useCase.id}: ${reason}`;
  throw new AssayError('invalid_request', message, {
    advice: `choose one of ${applicable.join(', ')}, or change the use case of the workspace`,
    details: {
      errors: [{ pointer: '/body/target_profile', message }],
      applicable_target_profiles: applicable,
    },
  });
}
