import type { JsonText } from '#core';
import type { JobLayerId } from '#core/api';
import type { Kind } from '#core/episode';
import type { Database, TenantScope } from '../../database/database.ts';
import { and, desc, eq, gt, inArray, lt, sql as raw } from '../../drizzle.ts';
import { annotationCounts, annotationEdits, annotations } from '../../schema/annotations.ts';
import type { RunWork } from '../run-work.ts';

export type AnnotationRow = typeof annotations.$inferSelect;
export type AnnotationEditRow = typeof annotationEdits.$inferSelect;
export type AnnotationCountRow = typeof annotationCounts.$inferSelect;

/** Returns the annotation of an episode in a layer, also one without output; null if the layer was not run on it. */
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

/** Reason why the annotation of a layer on an episode of a kind has no quality. */
export interface QualityReason {
  readonly layer: JobLayerId;
  readonly kind: Kind;
  readonly reason: string;
}

/**
 * Returns, for each of these layers and kinds of a project, why one annotation without quality has none; nothing for pairs
 * where no reason is stored. `episodes`: number of annotations with output; if there are none, the reason is that of the
 * missing output.
 */
export async function findQualityReasons(
  database: Database,
  tenant_id: string,
  project_id: string,
  pairs: readonly (Pick<QualityReason, 'layer' | 'kind'> & { readonly episodes: number })[],
): Promise<QualityReason[]> {
  if (pairs.length === 0) return [];
  const wanted = pairs.map(({ layer, kind, episodes }) => ({ layer, kind, produced: episodes > 0 }));
  const { rows } = await database.query(
    `SELECT w.layer, w.kind, f.reason
     FROM json_to_recordset($3::json) AS w (layer text, kind text, produced boolean)
     CROSS JOIN LATERAL (SELECT coalesce(a.not_produced, a.quality_reason) AS reason FROM annotations a
       WHERE a.tenant_id = $1 AND a.project_id = $2 AND a.layer = w.layer AND a.stream_kind = w.kind
         AND a.quality IS NULL AND (a.not_produced IS NULL) = w.produced
         AND coalesce(a.not_produced, a.quality_reason) IS NOT NULL
       ORDER BY a.episode_id LIMIT 1) AS f`,
    [tenant_id, project_id, JSON.stringify(wanted)],
  );
  return rows;
}

/** Returns the annotations of an episode in all layers, also those without output, in no particular order. */
export async function listAnnotations(
  { sql, tenant_id }: TenantScope,
  episode_id: string,
): Promise<AnnotationRow[]> {
  return sql
    .select()
    .from(annotations)
    .where(and(eq(annotations.tenant_id, tenant_id), eq(annotations.episode_id, episode_id)));
}

/** Returns the number of episodes with output per layer and kind, where it is not 0. */
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

/** Classes of the labels of an annotation; null if an older version made it. */
interface AnnotationClasses {
  readonly episode_id: string;
  readonly layer: JobLayerId;
  readonly classes: string[] | null;
}

/** Lists the annotations of a project in the given layers with the classes of their labels, in no particular order. */
export async function listClasses(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  layers: readonly JobLayerId[],
): Promise<AnnotationClasses[]> {
  const { episode_id, layer, classes } = annotations;
  return sql
    .select({ episode_id, layer, classes })
    .from(annotations)
    .where(
      and(
        eq(annotations.tenant_id, tenant_id),
        eq(annotations.project_id, project_id),
        inArray(annotations.layer, [...layers]),
      ),
    );
}

/** Lists the distinct classes of the annotations of a project in the given layers. */
export async function listDistinctClasses(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  layers: readonly JobLayerId[],
): Promise<string[]> {
  const rows = await sql
    .selectDistinct({ name: raw<string>`unnest(${annotations.classes})` })
    .from(annotations)
    .where(
      and(
        eq(annotations.tenant_id, tenant_id),
        eq(annotations.project_id, project_id),
        inArray(annotations.layer, [...layers]),
      ),
    );
  return rows.map(({ name }) => name);
}

/** An episode that is annotated in a layer. */
export interface CoveredEpisode {
  readonly episode_id: string;
  readonly name: string;
  readonly produced_at: string;
}

/**
 * Returns the first episodes by id, at most `maxRows`, that have output of a layer. `episode_ids` null: of the whole
 * project.
 */
export async function listCovered(
  database: Database,
  tenant_id: string,
  {
    project_id,
    layer,
    episode_ids,
  }: { project_id: string; layer: JobLayerId; episode_ids: readonly string[] | null },
  maxRows: number,
): Promise<CoveredEpisode[]> {
  const { rows } = await database.query(
    `SELECT e.id AS episode_id, e.name, to_char(a.produced_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS produced_at
     FROM annotations a JOIN episodes e ON e.tenant_id = a.tenant_id AND e.id = a.episode_id
     WHERE a.tenant_id = $1 AND a.project_id = $2 AND a.layer = $3 AND a.not_produced IS NULL AND ($4::text[] IS NULL OR a.episode_id = ANY($4))
     ORDER BY a.episode_id LIMIT $5`,
    [tenant_id, project_id, layer, episode_ids, maxRows],
  );
  return rows;
}

/**
 * Returns the annotations that layers of a run made for its episodes, with the receipts of these, as JSON; at most
 * `maxRows`.
 */
export async function runLayersAsJson<Layer>(
  { database, tenant_id, run_id }: RunWork,
  maxRows: number,
): Promise<JsonText<readonly Layer[]>> {
  const { rows } = await database.query(
    `SELECT coalesce(json_agg(to_json(found) ORDER BY id, layer), '[]')::text AS json FROM (
       SELECT e.id, r.content_hash, a.layer, a.artifact_blob AS blob, a.artifact_offset AS offset,
         a.artifact_length AS length, a.artifact_hash AS hash, a.parts
       FROM runs u JOIN episodes e ON e.tenant_id = u.tenant_id AND e.run_id = u.id
         JOIN receipts r ON r.tenant_id = e.tenant_id AND r.id = e.receipt_id
         JOIN annotations a ON a.tenant_id = e.tenant_id AND a.episode_id = e.id AND a.run_id = u.id
       WHERE u.tenant_id = $1 AND u.id = $2 AND a.not_produced IS NULL
       ORDER BY e.id, a.layer LIMIT $3) AS found`,
    [tenant_id, run_id, maxRows],
  );
  return rows[0].json;
}

/** Returns the newest edit of the text of a layer; null if there is none. */
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

/** Lists the edits of the text of a layer, newest first, at most `limit`, only those before the id `before`. */
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

/** Returns the newest edit of each layer of an episode. */
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

/** Adds an edit; search finds the episode by this text from now on, if it is annotated in the layer. */
export async function insertEdit(
  { sql, tenant_id }: TenantScope,
  row: Omit<AnnotationEditRow, 'tenant_id'>,
): Promise<void> {
  await sql.insert(annotationEdits).values({ ...row, tenant_id });
  await sql
    .update(annotations)
    .set({
      words: raw`to_tsvector('simple', left(${row.text}, 20000))`,
      sentences: raw`text_sentences(left(${row.text}, 20000))`,
      not_produced: null,
    })
    .where(
      and(
        eq(annotations.tenant_id, tenant_id),
        eq(annotations.episode_id, row.episode_id),
        eq(annotations.layer, row.layer),
      ),
    );
}

/** Returns those of the blob keys that an annotation refers to. */
export async function findReferencedArtifacts(
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
