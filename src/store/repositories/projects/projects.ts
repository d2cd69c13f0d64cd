import { and, desc, eq, getTableColumns, lt } from '../../drizzle.ts';
import { projects, sources, workspaces } from '../../schema/projects.ts';
import { tenantModels } from '../../schema/tenant-models.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { RowLock } from '../workspaces.ts';

/** A project and what it has from its workspace. */
export type ProjectRow = typeof projects.$inferSelect & {
  readonly use_case: string;
  readonly workspace_annotation_settings: unknown;
};

/** A project that was looked up: also with what its tenant has chosen; null where that is nothing. */
export type FoundProject = ProjectRow & { readonly tenant_models: unknown };

const withUseCase = {
  ...getTableColumns(projects),
  use_case: workspaces.use_case,
  workspace_annotation_settings: workspaces.annotation_settings,
};
const itsWorkspace = and(
  eq(workspaces.tenant_id, projects.tenant_id),
  eq(workspaces.id, projects.workspace_id),
);

/** Null where the tenant has none of that id. `lock` holds the project's row, not its workspace's. */
export async function getProject(
  { sql, tenant_id }: TenantScope,
  id: string,
  lock?: RowLock,
): Promise<FoundProject | null> {
  const query = sql
    .select({ ...withUseCase, tenant_models: tenantModels.models })
    .from(projects)
    .innerJoin(workspaces, itsWorkspace)
    .leftJoin(tenantModels, eq(tenantModels.tenant_id, projects.tenant_id))
    .where(and(eq(projects.tenant_id, tenant_id), eq(projects.id, id)));
  const [row] = await (lock === undefined ? query : query.for(lock, { of: projects }));
  return row ?? null;
}

type ProjectKey = 'tenant_id' | 'id' | 'workspace_id' | 'created_at';

export interface ProjectFilter {
  readonly workspace_id: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Newest first, those before the id `before`. */
export async function listProjects(
  { sql, tenant_id }: TenantScope,
  { workspace_id, before, limit }: ProjectFilter,
): Promise<ProjectRow[]> {
  return sql
    .select(withUseCase)
    .from(projects)
    .innerJoin(workspaces, itsWorkspace)
    .where(
      and(
        eq(projects.tenant_id, tenant_id),
        workspace_id === null ? undefined : eq(projects.workspace_id, workspace_id),
        before === null ? undefined : lt(projects.id, before),
      ),
    )
    .orderBy(desc(projects.id))
    .limit(limit);
}

export async function insertProject(
  { sql, tenant_id }: TenantScope,
  row: Omit<ProjectRow, 'tenant_id' | 'use_case' | 'workspace_annotation_settings'>,
): Promise<void> {
  await sql.insert(projects).values({ ...row, tenant_id });
}

export async function updateProject(
  { sql, tenant_id }: TenantScope,
  id: string,
  change: Partial<Omit<typeof projects.$inferSelect, ProjectKey>> & Pick<ProjectRow, 'updated_at'>,
): Promise<void> {
  await sql
    .update(projects)
    .set(change)
    .where(and(eq(projects.tenant_id, tenant_id), eq(projects.id, id)));
}

export async function deleteProject({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(projects).where(and(eq(projects.tenant_id, tenant_id), eq(projects.id, id)));
}

/** Whether recordings were ever registered in it: episodes, runs and receipts hang on its sources. */
export async function hasSources({ sql, tenant_id }: TenantScope, project_id: string): Promise<boolean> {
  const rows = await sql
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.tenant_id, tenant_id), eq(sources.project_id, project_id)))
    .limit(1);
  return rows.length > 0;
}
