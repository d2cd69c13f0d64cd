import type { JsonText } from '#core';
import type { Decision, LayerId } from '#core/api';
import type { Database, TenantScope } from '../database/database.ts';
import { and, desc, eq, inArray, lt } from '../drizzle.ts';
import { exportEpisodes, trainingExports } from '../schema/exports.ts';

export type ExportRow = typeof trainingExports.$inferSelect;

const rowCondition = (tenant_id: string, id: string) =>
  and(eq(trainingExports.tenant_id, tenant_id), eq(trainingExports.id, id));

/** Adds an export. */
export async function insertExport({ sql }: TenantScope, row: ExportRow): Promise<void> {
  await sql.insert(trainingExports).values(row);
}

/** Returns an export; null if the tenant has none with this id. */
export async function getExport({ sql, tenant_id }: TenantScope, id: string): Promise<ExportRow | null> {
  const [row] = await sql.select().from(trainingExports).where(rowCondition(tenant_id, id));
  return row ?? null;
}

/** Works like `getExport` and locks the row until the transaction ends. */
export async function lockExport({ sql, tenant_id }: TenantScope, id: string): Promise<ExportRow | null> {
  const [row] = await sql.select().from(trainingExports).where(rowCondition(tenant_id, id)).for('update');
  return row ?? null;
}

/** Changes an export and returns it. */
export async function updateExport(
  { sql, tenant_id }: TenantScope,
  id: string,
  change: Partial<ExportRow>,
): Promise<ExportRow> {
  const [row] = await sql.update(trainingExports).set(change).where(rowCondition(tenant_id, id)).returning();
  return row;
}

/** Deletes an export and its episode rows. */
export async function deleteExport({ sql, tenant_id }: TenantScope, id: string): Promise<void> {
  await sql
    .delete(exportEpisodes)
    .where(and(eq(exportEpisodes.tenant_id, tenant_id), eq(exportEpisodes.export_id, id)));
  await sql.delete(trainingExports).where(rowCondition(tenant_id, id));
}

/** Filter of `listExports`. */
export interface ExportQuery {
  readonly project_id: string;
  readonly status: ExportRow['status'] | null;
  /** Only exports older than this one. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists exports, newest first. */
export async function listExports({ sql, tenant_id }: TenantScope, query: ExportQuery): Promise<ExportRow[]> {
  const { project_id, status, before, limit } = query;
  return sql
    .select()
    .from(trainingExports)
    .where(
      and(
        eq(trainingExports.tenant_id, tenant_id),
        eq(trainingExports.project_id, project_id),
        status === null ? undefined : eq(trainingExports.status, status),
        before === null ? undefined : lt(trainingExports.id, before),
      ),
    )
    .orderBy(desc(trainingExports.id))
    .limit(limit);
}

/**
 * Returns a running or sealed export that uses a source, which therefore must not be deleted; null if there is none.
 */
export async function findBlockingExport(
  { sql, tenant_id }: TenantScope,
  source_id: string,
): Promise<Pick<ExportRow, 'id' | 'status'> | null> {
  const [row] = await sql
    .select({ id: trainingExports.id, status: trainingExports.status })
    .from(trainingExports)
    .where(
      and(
        eq(trainingExports.tenant_id, tenant_id),
        eq(trainingExports.source_id, source_id),
        inArray(trainingExports.status, ['queued', 'running', 'sealed']),
      ),
    )
    .limit(1);
  return row ?? null;
}

/** Selects the episodes of a dataset that are exported. */
export interface EpisodeChoice {
  readonly decisions: readonly Decision[];
  /** Ids of episodes; null: selected by decisions. */
  readonly named: readonly string[] | null;
  readonly slice_id: string | null;
  readonly curation_id: string | null;
  readonly without: readonly string[];
}

/** A dataset with episodes of a project. */
export interface EpisodeDataset {
  readonly source_id: string;
  readonly dataset_path: string;
  readonly format: string;
  readonly episodes: number;
}

/**
 * Lists the datasets of the episodes of a project, or only of the named episodes, of a slice, or of those a curation
 * plan keeps.
 */
export async function listEpisodeDatasets(
  database: Database,
  tenant_id: string,
  {
    project_id,
    named,
    slice_id,
    curation_id,
  }: Pick<EpisodeChoice, 'named' | 'slice_id' | 'curation_id'> & { readonly project_id: string },
): Promise<readonly EpisodeDataset[]> {
  const { rows } = await database.query(
    `SELECT source_id, dataset_path, format, count(*)::int AS episodes FROM episodes
     WHERE tenant_id = $1 AND project_id = $2 AND ($3::text[] IS NULL OR id IN (SELECT unnest($3::text[])))
       AND ($4::text IS NULL OR id IN (SELECT episode_id FROM slice_members WHERE tenant_id = $1 AND slice_id = $4))
       AND ($5::text IS NULL OR id IN (SELECT jsonb_array_elements_text(report->'kept') FROM curation_plans
         WHERE tenant_id = $1 AND id = $5))
     GROUP BY source_id, dataset_path, format ORDER BY source_id, dataset_path, format`,
    [tenant_id, project_id, named, slice_id, curation_id],
  );
  return rows as EpisodeDataset[];
}

/**
 * Freezes which episodes of the dataset are exported, with the reason for each dropped one. Returns the number of kept
 * and dropped episodes.
 */
export async function chooseEpisodes(
  database: Database,
  { tenant_id, id, source_id, dataset_path, dataset_format }: ExportRow,
  { decisions, named, slice_id, curation_id, without }: EpisodeChoice,
): Promise<{ readonly kept: number; readonly dropped: number }> {
  const { rows } = await database.query(
    `WITH plan AS (SELECT report FROM curation_plans WHERE tenant_id = $1 AND id = $10),
     plan_kept AS (SELECT jsonb_array_elements_text(report->'kept') AS id FROM plan),
     plan_dropped AS (
       SELECT d.id, 'curation, stage ' || d.stage || ' (' || d.strategy || '): ' || d.reason AS reason
       FROM plan, jsonb_to_recordset(report->'dropped') AS d (id text, stage int, strategy text, reason text)),
     chosen AS (
       INSERT INTO export_episodes (tenant_id, export_id, place, episode_id, name, source_index, decision, receipt_id,
         flags, dropped)
       SELECT $1, $2, row_number() OVER (ORDER BY e.index, e.name COLLATE "C") - 1, e.id, e.name, e.index,
         coalesce(e.review_decision, e.decision), e.receipt_id, e.flags,
         CASE
           WHEN e.id IN (SELECT unnest($8::text[])) THEN 'excluded by without'
           WHEN d.reason IS NOT NULL THEN d.reason
           WHEN $10::text IS NOT NULL AND e.id NOT IN (SELECT id FROM plan_kept)
             THEN 'added after the curation plan was created'
           WHEN $9::text IS NOT NULL AND e.id NOT IN
             (SELECT episode_id FROM slice_members WHERE tenant_id = $1 AND slice_id = $9) THEN 'not in the slice'
           WHEN $7::text[] IS NOT NULL AND e.id NOT IN (SELECT unnest($7::text[])) THEN 'not selected by episode_ids'
           WHEN $7::text[] IS NOT NULL OR coalesce(e.review_decision, e.decision) = ANY($6::text[]) THEN NULL
           WHEN coalesce(e.review_decision, e.decision) = 'reject' THEN 'rejected'
           WHEN coalesce(e.review_decision, e.decision) = 'review' THEN 'needs review'
           ELSE 'accepted, but only other decisions are selected'
         END
       FROM episodes e LEFT JOIN plan_dropped d ON d.id = e.id
       WHERE e.tenant_id = $1 AND e.source_id = $3 AND e.dataset_path = $4 AND e.format = $5
       RETURNING dropped)
     SELECT count(*) FILTER (WHERE dropped IS NULL)::int AS kept, count(dropped)::int AS dropped FROM chosen`,
    [
      tenant_id,
      id,
      source_id,
      dataset_path,
      dataset_format,
      decisions,
      named,
      without,
      slice_id,
      curation_id,
    ],
  );
  return rows[0] as { kept: number; dropped: number };
}

/** An exported episode that a locked slice holds out for evaluation. */
export interface HeldOutEpisode {
  readonly episode_id: string;
  readonly name: string;
  readonly slice_id: string;
}

/** Returns the exported episodes that are members of locked slices: the first `maxRows`, and their total number. */
export async function findHeldOutEpisodes(
  database: Database,
  { tenant_id, id }: Pick<ExportRow, 'tenant_id' | 'id'>,
  maxRows: number,
): Promise<{ readonly count: number; readonly episodes: readonly HeldOutEpisode[] }> {
  const { rows } = await database.query(
    `SELECT DISTINCT ON (e.place) e.episode_id, e.name, m.slice_id
     FROM export_episodes e
     JOIN slice_members m ON m.tenant_id = e.tenant_id AND m.episode_id = e.episode_id
     JOIN slices s ON s.tenant_id = m.tenant_id AND s.id = m.slice_id AND s.locked_at IS NOT NULL
     WHERE e.tenant_id = $1 AND e.export_id = $2 AND e.dropped IS NULL ORDER BY e.place, m.slice_id`,
    [tenant_id, id],
  );
  const episodes = rows
    .slice(0, maxRows)
    .map(({ episode_id, name, slice_id }) => ({ episode_id, name, slice_id }));
  return { count: rows.length, episodes: episodes as HeldOutEpisode[] };
}

/** An episode as passed to the thread that writes the export, with the location of its receipt. */
export interface ChosenRow {
  readonly name: string;
  readonly source_index: number;
  readonly decision: string;
  readonly flags: readonly string[];
  readonly dropped: string | null;
  /** Time range in seconds that a curation plan keeps; null: all. */
  readonly trim: { readonly from_s: number; readonly to_s: number } | null;
  readonly receipt_hash: string;
  readonly settings_hash: string;
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
  /** Locations of annotation artifacts; null if there are none. */
  readonly annotations: readonly ChosenAnnotation[] | null;
  /** Newest text written by a person for the dense text layer; null if there is none. */
  readonly written: string | null;
}

interface ChosenAnnotation {
  readonly layer: string;
  readonly blob: string;
  readonly offset: number;
  readonly length: number;
}

/** Returns the episodes of an export in dataset order as JSON text. */
export async function chosenAsJson(
  database: Database,
  { tenant_id, id, chosen }: Pick<ExportRow, 'tenant_id' | 'id' | 'chosen'>,
  layers: readonly LayerId[],
): Promise<JsonText<readonly ChosenRow[]>> {
  const { rows } = await database.query(
    `WITH trims AS (SELECT t.key AS id, t.value AS trim FROM curation_plans p, jsonb_each(p.report->'trims') AS t
       WHERE p.tenant_id = $1 AND p.id = $3)
     SELECT coalesce(json_agg(c ORDER BY place), '[]')::text AS chosen FROM (
       SELECT e.place, e.name, e.source_index, e.decision, e.flags, e.dropped, t.trim, r.content_hash AS receipt_hash,
         r.settings_hash, r.pack_blob, r."offset", r.length,
         (SELECT json_agg(json_build_object('layer', a.layer, 'blob', a.artifact_blob, 'offset', a.artifact_offset,
             'length', a.artifact_length) ORDER BY a.layer)
           FROM annotations a WHERE a.tenant_id = $1 AND a.episode_id = e.episode_id AND a.not_produced IS NULL AND a.layer = ANY($4)) AS annotations,
         (SELECT t.text FROM annotation_edits t WHERE t.tenant_id = $1 AND t.episode_id = e.episode_id
           AND t.layer = 'dense_text' ORDER BY t.id DESC LIMIT 1) AS written
       FROM export_episodes e JOIN receipts r ON r.tenant_id = e.tenant_id AND r.id = e.receipt_id
         LEFT JOIN trims t ON t.id = e.episode_id
       WHERE e.tenant_id = $1 AND e.export_id = $2) AS c`,
    [tenant_id, id, chosen.curation_id, [...layers]],
  );
  return rows[0].chosen as JsonText<readonly ChosenRow[]>;
}

/**
 * Returns the largest number of bytes and of episodes of the runs that last judged the episodes of an export, for
 * planning.
 */
export async function judgedBytes(
  database: Database,
  { tenant_id, id }: Pick<ExportRow, 'tenant_id' | 'id'>,
): Promise<{ readonly bytes: number; readonly episodes: number }> {
  const { rows } = await database.query(
    `SELECT coalesce(max(bytes_expected), 0)::float8 AS bytes, coalesce(max(episodes_expected), 0)::int AS episodes
     FROM runs WHERE tenant_id = $1 AND id IN (
       SELECT DISTINCT r.run_id FROM export_episodes e
       JOIN receipts r ON r.tenant_id = e.tenant_id AND r.id = e.receipt_id
       WHERE e.tenant_id = $1 AND e.export_id = $2)`,
    [tenant_id, id],
  );
  return rows[0] as { bytes: number; episodes: number };
}

/** Returns the ids of those exports that are not running. */
export async function findStoppedExports(
  database: Database,
  refs: readonly { readonly tenant_id: string; readonly export_id: string }[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT r.export_id FROM json_to_recordset($1::json) AS r (tenant_id text, export_id text)
     LEFT JOIN exports ON exports.tenant_id = r.tenant_id AND exports.id = r.export_id AND exports.status = 'running'
     WHERE exports.id IS NULL`,
    [JSON.stringify(refs)],
  );
  return new Set(rows.map(({ export_id }) => String(export_id)));
}
