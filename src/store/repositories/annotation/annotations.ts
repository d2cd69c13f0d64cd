import type { JsonText } from '#core';
import type { JobLayerId } from '#core/api';
import type { Database } from '../../database/database.ts';
import { and, desc, eq, gt, lt, sql as raw } from '../../drizzle.ts';
import { annotationCounts, annotationEdits, annotations } from '../../schema/annotations.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { RunWork } from '../runs/work.ts';

export type AnnotationRow = typeof annotations.$inferSelect;
export type AnnotationEditRow = typeof annotationEdits.$inferSelect;
export type AnnotationCountRow = typeof annotationCounts.$inferSelect;

/** What a layer says of an episode; null where it has not been run on it. */
export async function getAnnotation(
  { sql, tenant_id }: TenantScope,
  episode_id: string,
  layer: JobLayerId,
): Promise<AnnotationRow | null> {
  const [row] = await sql
    .select()
    .from(annotations)
    .where(
      and(
        eq(annotations.tenant_id, tenant_id),
        eq(annotations.episode_id, episode_id),
        eq(annotations.layer, layer),
      ),
    );
  return row ?? null;
}

/** What all layers say of an episode. */
export async function listAnnotations(
  { sql, tenant_id }: TenantScope,
  episode_id: string,
): Promise<AnnotationRow[]> {
  return sql
    .select()
    .from(annotations)
    .where(and(eq(annotations.tenant_id, tenant_id), eq(annotations.episode_id, episode_id)));
}

/** How many episodes of each kind carry each layer, where any does. */
export async function countAnnotations(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<AnnotationCountRow[]> {
  return sql
    .select()
    .from(annotationCounts)
    .where(
      and(
        eq(annotationCounts.tenant_id, tenant_id),
        eq(annotationCounts.project_id, project_id),
        gt(annotationCounts.episodes, 0),
      ),
    );
}

/** A recording that carries a layer. */
export interface CoveredEpisode {
  readonly episode_id: string;
  readonly name: string;
  readonly produced_at: string;
}

/** The first of these episodes, by id, that carry a layer; `episode_ids` null: of all the project's. */
export async function listCovered(
  database: Database,
  tenant_id: string,
  {
    project_id,
    layer,
    episode_ids,
  }: { project_id: string; layer: JobLayerId; episode_ids: readonly string[] | null },
  most: number,
): Promise<CoveredEpisode[]> {
  const { rows } = await database.query(
    `SELECT e.id AS episode_id, e.name, to_char(a.produced_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS produced_at
     FROM annotations a JOIN episodes e ON e.tenant_id = a.tenant_id AND e.id = a.episode_id
     WHERE a.tenant_id = $1 AND a.project_id = $2 AND a.layer = $3 AND ($4::text[] IS NULL OR a.episode_id = ANY($4))
     ORDER BY a.episode_id LIMIT $5`,
    [tenant_id, project_id, layer, episode_ids, most],
  );
  return rows;
}

/** What layers of a run say of the episodes that it judged last, as JSON, by the receipts of those; at most so many. */
export async function layersOfRunAsJson<Layer>(
  { database, tenant_id, run_id }: RunWork,
  most: number,
): Promise<JsonText<readonly Layer[]>> {
  const { rows } = await database.query(
    `SELECT coalesce(json_agg(to_json(found) ORDER BY id, layer), '[]')::text AS json FROM (
       SELECT e.id, r.content_hash, a.layer, a.artifact_blob AS blob, a.artifact_offset AS offset,
         a.artifact_length AS length, a.artifact_hash AS hash, a.parts
       FROM runs u JOIN episodes e ON e.tenant_id = u.tenant_id AND e.run_id = u.id
         JOIN receipts r ON r.tenant_id = e.tenant_id AND r.id = e.receipt_id
         JOIN annotations a ON a.tenant_id = e.tenant_id AND a.episode_id = e.id AND a.run_id = u.id
       WHERE u.tenant_id = $1 AND u.id = $2
       ORDER BY e.id, a.layer LIMIT $3) AS found`,
    [tenant_id, run_id, most],
  );
  return rows[0].json;
}

/** What a person wrote last over a layer's text; null where nobody did. */
export async function latestEdit(
  { sql, tenant_id }: TenantScope,
  episode_id: string,
  layer: JobLayerId,
): Promise<AnnotationEditRow | null> {
  const [row] = await sql
    .select()
    .from(annotationEdits)
    .where(
      and(
        eq(annotationEdits.tenant_id, tenant_id),
        eq(annotationEdits.episode_id, episode_id),
        eq(annotationEdits.layer, layer),
      ),
    )
    .orderBy(desc(annotationEdits.id))
    .limit(1);
  return row ?? null;
}

/** What people wrote over a layer's text, newest first. */
export async function listEdits(
  { sql, tenant_id }: TenantScope,
  query: {
    readonly episode_id: string;
    readonly layer: JobLayerId;
    readonly before: string | null;
    readonly limit: number;
  },
): Promise<AnnotationEditRow[]> {
  return sql
    .select()
    .from(annotationEdits)
    .where(
      and(
        eq(annotationEdits.tenant_id, tenant_id),
        eq(annotationEdits.episode_id, query.episode_id),
        eq(annotationEdits.layer, query.layer),
        query.before === null ? undefined : lt(annotationEdits.id, query.before),
      ),
    )
    .orderBy(desc(annotationEdits.id))
    .limit(query.limit);
}

/** What people wrote last over each layer's text of an episode. */
export async function latestEdits(
  { sql, tenant_id }: TenantScope,
  episode_id: string,
): Promise<AnnotationEditRow[]> {
  return sql
    .selectDistinctOn([annotationEdits.layer])
    .from(annotationEdits)
    .where(and(eq(annotationEdits.tenant_id, tenant_id), eq(annotationEdits.episode_id, episode_id)))
    .orderBy(annotationEdits.layer, desc(annotationEdits.id));
}

/** Search finds the episode by this text from now on, where the layer is there. */
export async function insertEdit(
  { sql, tenant_id }: TenantScope,
  row: Omit<AnnotationEditRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(annotationEdits).values({ ...row, tenant_id });
  await sql
    .update(annotations)
    .set({ words: raw`to_tsvector('simple', left(${row.text}, 20000))` })
    .where(
      and(
        eq(annotations.tenant_id, tenant_id),
        eq(annotations.episode_id, row.episode_id),
        eq(annotations.layer, row.layer),
      ),
    );
}

/** Those of some blobs that an annotation names. */
export async function namedArtifacts(
  database: Database,
  tenant_id: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    'SELECT DISTINCT artifact_blob FROM annotations WHERE tenant_id = $1 AND artifact_blob = ANY($2)',
    [tenant_id, keys],
  );
  return new Set(rows.map(({ artifact_blob }) => artifact_blob));
}
