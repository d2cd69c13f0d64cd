import type { Decision } from '#core/api';
import type { TenantScope } from '../database/database.ts';
import { and, asc, desc, eq, getTableColumns, isNotNull, lt, or, sql as raw } from '../drizzle.ts';
import { curationPlans } from '../schema/curation.ts';
import { embeddings } from '../schema/embeddings.ts';
import { episodes } from '../schema/episodes.ts';
import { sliceMembers, slices } from '../schema/slices.ts';

export type CurationPlanRow = typeof curationPlans.$inferSelect;

const { report: _report, ...summaryColumns } = getTableColumns(curationPlans);

/** Stored values of an episode that curation plans use. */
export interface CurationFacts {
  readonly id: string;
  /** Decision of a person if there is one. */
  readonly decision: Decision;
  readonly score: number | null;
  readonly flags: readonly string[];
  readonly task: string | null;
  readonly robot: string | null;
  readonly outcome: 'success' | 'failure' | 'unknown';
  readonly duration_s: number;
  /** Classes of its labels. */
  readonly objects: readonly string[];
  /** Location of the episode. */
  readonly source_id: string;
  readonly dataset_path: string;
  readonly format: string;
  readonly name: string;
}

/** Lists the episodes of a project by id, at most `limit`. */
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

/** Lists the distinct classes of the labels in the recordings of a project, in no defined order. */
export async function listObjects({ sql, tenant_id }: TenantScope, project_id: string): Promise<string[]> {
  const rows = await sql
    .selectDistinct({ name: raw<string>`unnest(${episodes.objects})` })
    .from(episodes)
    .where(and(eq(episodes.tenant_id, tenant_id), eq(episodes.project_id, project_id)));
  return rows.map(({ name }) => name);
}

/** Returns the episodes of a project that locked slices hold out for evaluation: slice name by episode id. */
export async function listHeldOut(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<ReadonlyMap<string, string>> {
  const held = await sql
    .select({ id: sliceMembers.episode_id, slice: raw<string>`min(${slices.name})` })
    .from(slices)
    .innerJoin(
      sliceMembers,
      and(eq(sliceMembers.tenant_id, slices.tenant_id), eq(sliceMembers.slice_id, slices.id)),
    )
    .where(
      and(eq(slices.tenant_id, tenant_id), eq(slices.project_id, project_id), isNotNull(slices.locked_at)),
    )
    .groupBy(sliceMembers.episode_id);
  return new Map(held.map(({ id, slice }) => [id, slice]));
}

/** Vector of one descriptor for an episode. */
export interface CurationVector {
  readonly episode_id: string;
  readonly descriptor: string;
  readonly layout: string;
  readonly vector: string;
}

/**
 * Returns the vectors of the episodes of a project for the given descriptor versions, in the text format of pgvector; episodes
 * without a vector are left out.
 */
export async function listVectors(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  versions: readonly { readonly id: string; readonly version: number }[],
): Promise<CurationVector[]> {
  if (versions.length === 0) return [];
  const versionConditions = versions.map(({ id, version }) =>
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
      or(...versionConditions),
    )}`);
  return rows;
}

/** Adds a curation plan. */
export async function insertPlan(
  { sql, tenant_id }: TenantScope,
  row: Omit<CurationPlanRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(curationPlans).values({ ...row, tenant_id });
}

/** Returns a curation plan; null if the project has none with this id. */
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

/** Lists curation plans without their reports, newest first, only those before the id `before`. */
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

/** Deletes the curation plans of a deleted project. */
export async function deletePlans({ sql, tenant_id }: TenantScope, project_id: string): Promise<void> {
  await sql
    .delete(curationPlans)
    .where(and(eq(curationPlans.tenant_id, tenant_id), eq(curationPlans.project_id, project_id)));
}
