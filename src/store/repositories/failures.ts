import type { FailureVerdict } from '#core/api';
import type { TenantScope } from '../database/database.ts';
import { and, asc, desc, eq, lt, sql as raw } from '../drizzle.ts';
import { failures as f, failureImports as i } from '../schema/failures.ts';

export type FailureImportRow = typeof i.$inferSelect;
export type FailureRow = typeof f.$inferSelect;

/** Rows per insert: each has 18 parameters, and a statement allows 65,535. */
const insertBatchSize = 500;

/** Adds an import and its failures. Must run in a transaction. */
export async function insertImport(
  { sql, tenant_id }: TenantScope,
  row: Omit<FailureImportRow, 'tenant_id'>,
  failures: readonly Omit<FailureRow, 'tenant_id' | 'import_id' | 'project_id'>[],
): Promise<void> {
  const { id: import_id, project_id } = row;
  await sql.insert(i).values({ ...row, tenant_id });
  for (let from = 0; from < failures.length; from += insertBatchSize)
    await sql
      .insert(f)
      .values(
        failures
          .slice(from, from + insertBatchSize)
          .map((one) => ({ ...one, tenant_id, import_id, project_id })),
      );
}

/** Returns an import; null if the project has none with this id. */
export async function getImport(
  { sql, tenant_id }: TenantScope,
  { project_id, import_id }: { readonly project_id: string; readonly import_id: string },
): Promise<FailureImportRow | null> {
  const [row] = await sql
    .select()
    .from(i)
    .where(and(eq(i.tenant_id, tenant_id), eq(i.id, import_id), eq(i.project_id, project_id)));
  return row ?? null;
}

/** Filter of `listFailures`. */
export interface FailureQuery {
  readonly project_id: string;
  readonly import_id: string | null;
  readonly verdict: FailureVerdict | null;
  /** Only failures older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists the imported policy failures of a project that match the query, newest first. */
export async function listFailures(
  { sql, tenant_id }: TenantScope,
  { project_id, import_id, verdict, before, limit }: FailureQuery,
): Promise<FailureRow[]> {
  return sql
    .select()
    .from(f)
    .where(
      and(
        eq(f.tenant_id, tenant_id),
        eq(f.project_id, project_id),
        import_id === null ? undefined : eq(f.import_id, import_id),
        verdict === null ? undefined : eq(f.verdict, verdict),
        before === null ? undefined : lt(f.id, before),
      ),
    )
    .orderBy(desc(f.id))
    .limit(limit);
}

/** Lists all failures of an import by id; an import has at most 1,000. */
export async function listImportFailures(
  { sql, tenant_id }: TenantScope,
  import_id: string,
): Promise<FailureRow[]> {
  return sql
    .select()
    .from(f)
    .where(and(eq(f.tenant_id, tenant_id), eq(f.import_id, import_id)))
    .orderBy(asc(f.id));
}

/** Deletes all failures and imports of a project. Must run in a transaction. */
export async function deleteFailures({ sql, tenant_id }: TenantScope, project_id: string): Promise<void> {
  await sql.delete(f).where(and(eq(f.tenant_id, tenant_id), eq(f.project_id, project_id)));
  await sql.delete(i).where(and(eq(i.tenant_id, tenant_id), eq(i.project_id, project_id)));
}

/** An unsuccessful episode of a source with the description of its motion. */
export interface FailedEpisode {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly task: string | null;
  readonly layout: string | null;
  /** In the text format of pgvector; null if there is none. */
  readonly vector: string | null;
}

/** Lists the episodes of a source whose outcome is not success (also unknown), by id, at most `limit`. */
export async function failedEpisodes(
  { sql, tenant_id }: TenantScope,
  {
    source_id,
    version,
    limit,
  }: { readonly source_id: string; readonly version: number; readonly limit: number },
): Promise<FailedEpisode[]> {
  const { rows } = await sql.execute<FailedEpisode & Record<string, unknown>>(raw`
    SELECT e.id, e.project_id, e.name, e.task, v.layout, v.vector::text AS vector
    FROM episodes e LEFT JOIN embeddings v ON v.tenant_id = e.tenant_id AND v.episode_id = e.id
      AND v.descriptor = 'motion' AND v.version = ${version}
    WHERE e.tenant_id = ${tenant_id} AND e.source_id = ${source_id} AND e.outcome <> 'success'
    ORDER BY e.id LIMIT ${limit}`);
  return rows;
}
