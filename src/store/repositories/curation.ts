import { and, asc, desc, eq, getTableColumns, lt, sql as raw } from 'drizzle-orm';
import type { Decision } from '#contract';
import { curationPlans } from '../schema/curation-plans.ts';
import { episodes } from '../schema/episodes.ts';
import type { TenantScope } from '../tenant-scope.ts';

export type CurationPlanRow = typeof curationPlans.$inferSelect;

const { report: _report, ...summaryColumns } = getTableColumns(curationPlans);

/** What the store knows of an episode that a plan may look at. */
export interface CurationFacts {
  readonly id: string;
  /** A person's, where there is one. */
  readonly decision: Decision;
  readonly score: number | null;
  readonly flags: readonly string[];
  readonly task: string | null;
  readonly robot: string | null;
  readonly outcome: 'success' | 'failure' | 'unknown';
  readonly duration_s: number;
}

/** A project's episodes by id, `limit` at most. */
export async function listFacts(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  limit: number,
): Promise<CurationFacts[]> {
  const { id, score, flags, task, robot, outcome, duration_s } = episodes;
  return sql
    .select({
      ...{ id, score, flags, task, robot, outcome, duration_s },
      decision: raw<Decision>`coalesce(${episodes.review_decision}, ${episodes.decision})`,
    })
    .from(episodes)
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.project_id, project_id)))
    .orderBy(asc(episodes.id))
    .limit(limit);
}

export async function insertPlan(
  { sql, tenant_id }: TenantScope,
  row: Omit<CurationPlanRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(curationPlans).values({ ...row, tenant_id });
}

/** Null where the project has none of that id. */
export async function getPlan(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  id: string,
): Promise<CurationPlanRow | null> {
  const [row] = await sql
    .select()
    .from(curationPlans)
    .where(
      and(
        eq(curationPlans.tenant_id, tenant_id),
        eq(curationPlans.project_id, project_id),
        eq(curationPlans.id, id),
      ),
    );
  return row ?? null;
}

/** Newest first, those before the id `before`, without their episodes. */
export async function listPlans(
  { sql, tenant_id }: TenantScope,
  {
    project_id,
    before,
    limit,
  }: { readonly project_id: string; readonly before: string | null; readonly limit: number },
): Promise<Omit<CurationPlanRow, 'report'>[]> {
  return sql
    .select(summaryColumns)
    .from(curationPlans)
    .where(
      and(
        eq(curationPlans.tenant_id, tenant_id),
        eq(curationPlans.project_id, project_id),
        before === null ? undefined : lt(curationPlans.id, before),
      ),
    )
    .orderBy(desc(curationPlans.id))
    .limit(limit);
}

/** Those of a project that is deleted. */
export async function deletePlans({ sql, tenant_id }: TenantScope, project_id: string): Promise<void> {
  await sql
    .delete(curationPlans)
    .where(and(eq(curationPlans.tenant_id, tenant_id), eq(curationPlans.project_id, project_id)));
}
