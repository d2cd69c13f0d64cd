import type { TenantScope } from '../../database/database.ts';
import { and, desc, eq, getTableColumns, lt } from '../../drizzle.ts';
import { projects, sources, workspaces } from '../../schema/projects.ts';
import { tenantModels } from '../../schema/tenancy.ts';
import type { RowLock } from '../workspaces.ts';

/** A project with the values of its workspace. */
export type ProjectRow = typeof projects.$inferSelect & {
  readonly use_case: string;
  readonly workspace_annotation_settings: unknown;
};

/** A project with the model choices of its tenant; null if there are none. */
export type FoundProject = ProjectRow & { readonly tenant_models: unknown };

const projectColumns = {
  ...getTableColumns(projects),
  use_case: workspaces.use_case,
  workspace_annotation_settings: workspaces.annotation_settings,
};
const workspaceJoin = and(
  eq(workspaces.tenant_id, projects.tenant_id),
  eq(workspaces.id, projects.workspace_id),
);

/**
 * Returns a project; null if the tenant has none with this id. `lock` locks the row of the project, not that of its
 * workspace.
 */
export async function getProject(
  { sql, tenant_id }: TenantScope,
  id: string,
  lock?: RowLock,
): Promise<FoundProject | null> {
  const query = sql
    .select({ ...projectColumns, tenant_models: tenantModels.models })
    .from(projects)
    .innerJoin(workspaces, workspaceJoin)
    .leftJoin(tenantModels, eq(tenantModels.tenant_id, projects.tenant_id))
    .where(and(eq(projects.tenant_id, tenant_id), eq(projects.id, id)));
  const [row] = await (lock === undefined ? query : query.for(lock, { of: projects }));
  return row ?? null;
}

type ProjectKey = 'tenant_id' | 'id' | 'workspace_id' | 'created_at';

/** Filter of `listProjects`. */
export interface ProjectFilter {
  readonly workspace_id: string | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Lists projects, newest first, only those before the id `before`. */
export async function listProjects(
  { sql, tenant_id }: TenantScope,
  { workspace_id, before, limit }: ProjectFilter,
): Promise<ProjectRow[]> {
  return sql
    .select(projectColumns)
    .from(projects)
    .innerJoin(workspaces, workspaceJoin)
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

/** Adds a project. */
export async function insertProject(
  { sql, tenant_id }: TenantScope,
  row: Omit<ProjectRow, 'tenant_id' | 'use_case' | 'workspace_annotation_settings'>,
): Promise<void> {
  await sql.insert(projects).values({ ...row, tenant_id });
}

/** Changes a project. */
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

/** Deletes a project. */
export async function deleteProject({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql.delete(projects).where(and(eq(projects.tenant_id, tenant_id), eq(projects.id, id)));
}

/**
 * Returns true if recordings were ever registered in the project; episodes, runs and receipts belong to its sources.
 */
export async function hasSources({ sql, tenant_id }: TenantScope, project_id: string): Promise<boolean> {
  const rows = await sql
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.tenant_id, tenant_id), eq(sources.project_id, project_id)))
    .limit(1);
  return rows.length > 0;
}
