import type { Decision } from '#core/api';
import { and, asc, desc, eq, getTableColumns, isNotNull, lt, or, sql as raw } from '../drizzle.ts';
import { curationPlans } from '../schema/curation-plans.ts';
import { embeddings } from '../schema/embeddings.ts';
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
  /** Classes of its labels. */
  readonly objects: readonly string[];
  /** Where it lies. */
  readonly source_id: string;
  readonly dataset_path: string;
  readonly format: string;
  readonly name: string;
}

/** A project's episodes by id, `limit` at most. */
export async function listFacts(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  limit: number,
): Promise<CurationFacts[]> {
  const { id, score, flags, task, robot, outcome, duration_s, objects } = episodes;
  const { source_id, dataset_path, format, name } = episodes;
  return sql
    .select({
      ...{ id, score, flags, task, robot, outcome, duration_s, objects },
      ...{ source_id, dataset_path, format, name },
      decision: raw<Decision>`coalesce(${episodes.review_decision}, ${episodes.decision})`,
    })
    .from(episodes)
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.project_id, project_id)))
    .orderBy(asc(episodes.id))
    .limit(limit);
}

/** What one descriptor made of an episode. */
export interface CurationVector {
  readonly episode_id: string;
  readonly descriptor: string;
  readonly layout: string;
  readonly vector: string;
}

/** Descriptors of a project's episodes, in their versions of now; `vector` as pgvector writes it. */
export async function listVectors(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  versions: readonly { readonly id: string; readonly version: number }[],
): Promise<CurationVector[]> {
  if (versions.length === 0) return [];
  const wanted = versions.map(({ id, version }) =>
    and(eq(embeddings.descriptor, id), eq(embeddings.version, version)),
  );
  const { rows } = await sql.execute<CurationVector & Record<string, unknown>>(raw`
    SELECT ${embeddings.episode_id} AS episode_id, ${embeddings.descriptor} AS descriptor,
      ${embeddings.layout} AS layout, ${embeddings.vector}::text AS vector
    FROM ${embeddings}
    WHERE ${and(
      eq(embeddings.tenant_id, tenant_id),
      eq(embeddings.project_id, project_id),
      isNotNull(embeddings.vector),
      or(...wanted),
    )}`);
  return rows;
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
