import type { JsonText } from '#core';
import type { Decision, DroppedCount, LayerId } from '#core/api';
import { type DropStage, dropStages } from '#core/api/bounds';
import type { Kind } from '#core/episode';
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

/** Returns an export as `getExport` does, and locks its row until the transaction ends; null if it is missing. */
export async function lockExport({ sql, tenant_id }: TenantScope, id: string): Promise<ExportRow | null> {
  const [row] = await sql.select().from(trainingExports).where(rowCondition(tenant_id, id)).for('update');
  return row ?? null;
}

/** Changes columns of an export and returns the changed row. */
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

/** Lists the exports of a project that match the query, newest first. */
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

/** Returns a queued, running or sealed export that uses a source, which therefore must not be deleted; null if there is none. */
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
 * Lists the datasets of the episodes of a project, with the number of these; only of episodes that are named, in the slice,
 * and kept by the curation plan, as far as these are not null.
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

/** Number of kept and dropped episodes of an export, and why they were dropped. */
export interface ChoiceCounts {
  readonly kept: number;
  readonly dropped: number;
  readonly dropped_by: readonly DroppedCount[];
}

/** The dataset and purpose of an export, which decide with its `EpisodeChoice` which episodes it has. */
export type ExportDataset = Pick<
  ExportRow,
  'tenant_id' | 'source_id' | 'dataset_path' | 'dataset_format' | 'purpose'
>;

/**
 * Common table expressions of a query over all episodes of a dataset: `staged` has the stage of `dropStages` that leaves
 * each out (null: exported), with the parameters of `stagedParameters`. A member of a locked slice counts as held out only
 * if everything else in the request selects it.
 */
const stagedEpisodes = `plan AS (SELECT report FROM curation_plans WHERE tenant_id = $1 AND id = $9),
     plan_kept AS (SELECT jsonb_array_elements_text(report->'kept') AS id FROM plan),
     plan_dropped AS (
       SELECT d.id, d.strategy, 'curation, stage ' || d.stage || ' (' || d.strategy || '): ' || d.reason AS reason
       FROM plan, jsonb_to_recordset(report->'dropped') AS d (id text, stage int, strategy text, reason text)),
     held AS (
       SELECT m.episode_id, min(s.name) AS slice FROM slices s
       JOIN slice_members m ON m.tenant_id = s.tenant_id AND m.slice_id = s.id
       WHERE s.tenant_id = $1 AND s.locked_at IS NOT NULL AND $10 GROUP BY m.episode_id),
     staged AS (
       SELECT e.*, coalesce(e.review_decision, e.decision) AS decided, d.reason, h.slice,
         CASE
           WHEN e.id IN (SELECT unnest($7::text[])) THEN 'without'
           WHEN $9::text IS NOT NULL AND e.id NOT IN (SELECT id FROM plan_kept)
             AND (d.strategy IS DISTINCT FROM 'held_out' OR h.slice IS NULL) THEN 'curation'
           WHEN $8::text IS NOT NULL AND e.id NOT IN
             (SELECT episode_id FROM slice_members WHERE tenant_id = $1 AND slice_id = $8) THEN 'slice'
           WHEN $6::text[] IS NOT NULL AND e.id NOT IN (SELECT unnest($6::text[])) THEN 'episode_ids'
           WHEN $6::text[] IS NULL AND NOT coalesce(e.review_decision, e.decision) = ANY($5::text[]) THEN 'decision'
           WHEN h.slice IS NOT NULL THEN 'held_out'
         END AS stage
       FROM episodes e LEFT JOIN plan_dropped d ON d.id = e.id LEFT JOIN held h ON h.episode_id = e.id
       WHERE e.tenant_id = $1 AND e.source_id = $2 AND e.dataset_path = $3 AND e.format = $4)`;

const stagedParameters = (
  { tenant_id, source_id, dataset_path, dataset_format, purpose }: ExportDataset,
  { decisions, named, slice_id, curation_id, without }: EpisodeChoice,
) => [
  ...[tenant_id, source_id, dataset_path, dataset_format, decisions, named, without, slice_id, curation_id],
  purpose === 'training',
];

/**
 * Records for each episode of a dataset whether an export has it, with the stage and reason for each dropped one, and returns
 * the counts. Episodes that locked slices hold out are dropped unless the export is for evaluation.
 */
export async function chooseEpisodes(
  database: Database,
  row: ExportRow,
  choice: EpisodeChoice,
): Promise<ChoiceCounts> {
  const { rows } = await database.query(
    `WITH ${stagedEpisodes},
     chosen AS (
       INSERT INTO export_episodes (tenant_id, export_id, place, episode_id, name, source_index, decision, receipt_id,
         flags, stage, dropped)
       SELECT $1, $11, row_number() OVER (ORDER BY index, name COLLATE "C") - 1, id, name, index, decided, receipt_id,
         flags, stage,
         CASE stage
           WHEN 'without' THEN 'excluded by without'
           WHEN 'curation' THEN coalesce(reason, 'added after the curation plan was created')
           WHEN 'slice' THEN 'not in the slice'
           WHEN 'episode_ids' THEN 'not selected by episode_ids'
           WHEN 'decision' THEN CASE decided WHEN 'reject' THEN 'rejected' WHEN 'review' THEN 'needs review'
             ELSE 'accepted, but only other decisions are selected' END
           WHEN 'held_out' THEN 'reserved for evaluation by the locked slice ' || slice
         END
       FROM staged
       RETURNING stage)
     SELECT stage, count(*)::int AS episodes FROM chosen GROUP BY stage`,
    [...stagedParameters(row, choice), row.id],
  );
  const counts = new Map(rows.map(({ stage, episodes }) => [stage as DropStage | null, Number(episodes)]));
  const dropped_by = dropStages.flatMap((stage) => {
    const episodes = counts.get(stage);
    return episodes === undefined ? [] : [{ stage, episodes }];
  });
  const dropped = dropped_by.reduce((sum, { episodes }) => sum + episodes, 0);
  return { kept: counts.get(null) ?? 0, dropped, dropped_by };
}

/** An episode that an export has, with the locations of its receipt and numbers. */
export interface ChosenReceipt {
  readonly name: string;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

/** Lists the receipts of at most `maxRows` episodes that `chooseEpisodes` would keep, always the same ones. Changes nothing. */
export async function listChosenReceipts(
  database: Database,
  dataset: ExportDataset,
  choice: EpisodeChoice,
  maxRows: number,
): Promise<ChosenReceipt[]> {
  const { rows } = await database.query(
    `WITH ${stagedEpisodes}
     SELECT s.name, s.shard_blob, s.shard_place, r.pack_blob, r."offset"::float8 AS "offset", r.length
     FROM staged s JOIN receipts r ON r.tenant_id = s.tenant_id AND r.id = s.receipt_id
     WHERE s.stage IS NULL ORDER BY md5(s.id) LIMIT $11`,
    [...stagedParameters(dataset, choice), maxRows],
  );
  return rows as ChosenReceipt[];
}

/** Returns the distinct kinds of data, derived from streams, of the episodes that `chooseEpisodes` would keep. */
export async function listChosenKinds(
  database: Database,
  dataset: ExportDataset,
  choice: EpisodeChoice,
): Promise<Kind[]> {
  const { rows } = await database.query(
    `WITH ${stagedEpisodes} SELECT DISTINCT stream_kind AS kind FROM staged WHERE stage IS NULL`,
    stagedParameters(dataset, choice),
  );
  return rows.map(({ kind }) => kind as Kind);
}

/** Returns the duration of the longest episode that `chooseEpisodes` would keep; 0 if it would keep none. */
export async function longestChosen_s(
  database: Database,
  dataset: ExportDataset,
  choice: EpisodeChoice,
): Promise<number> {
  const { rows } = await database.query(
    `WITH ${stagedEpisodes} SELECT coalesce(max(duration_s), 0)::float8 AS longest_s FROM staged WHERE stage IS NULL`,
    stagedParameters(dataset, choice),
  );
  return Number(rows[0].longest_s);
}

/** Facts about a dataset from the run that last judged one of its episodes. */
export interface JudgedDataset {
  readonly declared_rate_hz: number | null;
  /** Cameras that it declares and has no file of. */
  readonly absent_cameras: readonly string[];
}

/**
 * Returns the rate and the missing cameras of a dataset according to the run that last judged one of its episodes; null if
 * that run was deleted.
 */
export async function getJudgedDataset(
  database: Database,
  { tenant_id, source_id, dataset_path, dataset_format }: Omit<ExportDataset, 'purpose'>,
): Promise<JudgedDataset | null> {
  const { rows } = await database.query(
    `SELECT (d.facts->>'declared_rate_hz')::float8 AS declared_rate_hz, coalesce((
         SELECT f.one->'evidence'->'cameras' FROM jsonb_array_elements(d.findings) AS f (one)
         WHERE f.one->>'code' = 'camera_without_files' LIMIT 1), '[]') AS absent_cameras
     FROM run_datasets d WHERE d.tenant_id = $1 AND d.path = $3 AND d.format = $4 AND d.run_id = (
       SELECT max(run_id) FROM episodes
       WHERE tenant_id = $1 AND source_id = $2 AND dataset_path = $3 AND format = $4)`,
    [tenant_id, source_id, dataset_path, dataset_format],
  );
  return (rows[0] as JudgedDataset | undefined) ?? null;
}

/** An episode that a locked slice holds out for evaluation. */
export interface HeldOutEpisode {
  readonly episode_id: string;
  readonly name: string;
  readonly slice_id: string;
}

/**
 * Returns the first `maxRows` episodes of an export that are members of locked slices, each with one of these slices, and
 * their total number. `which`: those that it keeps, or those that it was asked for and dropped for this reason.
 */
export async function findHeldOutEpisodes(
  database: Database,
  { tenant_id, id }: Pick<ExportRow, 'tenant_id' | 'id'>,
  which: 'kept' | 'dropped',
  maxRows: number,
): Promise<{ readonly count: number; readonly episodes: readonly HeldOutEpisode[] }> {
  const { rows } = await database.query(
    `SELECT DISTINCT ON (e.place) e.episode_id, e.name, m.slice_id
     FROM export_episodes e
     JOIN slice_members m ON m.tenant_id = e.tenant_id AND m.episode_id = e.episode_id
     JOIN slices s ON s.tenant_id = m.tenant_id AND s.id = m.slice_id AND s.locked_at IS NOT NULL
     WHERE e.tenant_id = $1 AND e.export_id = $2
       AND CASE WHEN $3 THEN e.dropped IS NULL ELSE e.stage = 'held_out' END
     ORDER BY e.place, m.slice_id`,
    [tenant_id, id, which === 'kept'],
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
  /** Stage that dropped it; null if it is exported, and in exports of older versions. */
  readonly stage: DropStage | null;
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

/** Returns all episodes of an export, dropped ones included, in dataset order as JSON text, with their artifacts of `layers`. */
export async function chosenAsJson(
  database: Database,
  { tenant_id, id, chosen }: Pick<ExportRow, 'tenant_id' | 'id' | 'chosen'>,
  layers: readonly LayerId[],
): Promise<JsonText<readonly ChosenRow[]>> {
  const { rows } = await database.query(
    `WITH trims AS (SELECT t.key AS id, t.value AS trim FROM curation_plans p, jsonb_each(p.report->'trims') AS t
       WHERE p.tenant_id = $1 AND p.id = $3)
     SELECT coalesce(json_agg(c ORDER BY place), '[]')::text AS chosen FROM (
       SELECT e.place, e.name, e.source_index, e.decision, e.flags, e.dropped, e.stage, t.trim, r.content_hash AS receipt_hash,
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

/** Returns those of `layers`, in their order, that any kept episode of an export has annotations of, or text by people. */
export async function listAnnotatedLayers(
  database: Database,
  { tenant_id, id }: Pick<ExportRow, 'tenant_id' | 'id'>,
  layers: readonly LayerId[],
): Promise<LayerId[]> {
  const { rows } = await database.query(
    `WITH kept AS (SELECT episode_id FROM export_episodes WHERE tenant_id = $1 AND export_id = $2 AND dropped IS NULL)
     SELECT layer FROM annotations JOIN kept USING (episode_id) WHERE tenant_id = $1 AND not_produced IS NULL
     UNION SELECT layer FROM annotation_edits JOIN kept USING (episode_id) WHERE tenant_id = $1`,
    [tenant_id, id],
  );
  const found = new Set(rows.map(({ layer }) => String(layer)));
  return layers.filter((layer) => found.has(layer));
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

/** Returns the ids of those exports that are not running or missing. */
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
