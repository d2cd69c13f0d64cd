import type { JsonText } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { Finding } from '#core/episode';
import type { Database } from '../database/database.ts';
import type { ExportRow } from './exports.ts';

/** Selects evidence: of a project in its current state, or as frozen by a queued bundle. */
export type EvidenceSelector =
  | { readonly tenant_id: string; readonly project_id: string }
  | { readonly tenant_id: string; readonly export_id: string };

/** The receipt of an episode, the index of its dataset, and its annotation layers. */
export interface EvidenceRow {
  readonly receipt_hash: string;
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
  /** Index in the list of datasets; null if the dataset is unknown now. */
  readonly dataset: number | null;
  /** Layers with output. */
  readonly layers: readonly LayerId[];
  /** Location of its captions; null if it has none. */
  readonly captions: BlobExtent | null;
  /** Reason why the captions layer has no output; null if it has, or was not run. */
  readonly captions_reason: string | null;
  /** SHA-256 of the captions. */
  readonly captions_hash: string | null;
  /** Location of the review of its annotations; null if there is none. */
  readonly review: BlobExtent | null;
}

interface BlobExtent {
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

/** Facts and findings of a dataset. */
export interface EvidenceDataset<Facts = unknown> {
  readonly facts: Facts;
  readonly findings: readonly Pick<Finding, 'code' | 'severity'>[];
}

/** Returns the SQL expression for the location of the artifact of a layer among the annotations `a` of an episode. */
const artifactExtent = (layer: JobLayerId): string =>
  `(json_agg(json_build_object('pack_blob', a.artifact_blob, 'offset', a.artifact_offset, 'length', a.artifact_length))
            FILTER (WHERE a.layer = '${layer}' AND a.not_produced IS NULL))->0`;
const artifactHash = (layer: JobLayerId): string =>
  `min(a.artifact_hash) FILTER (WHERE a.layer = '${layer}')`;

/**
 * Returns the SQL of the tables `chosen` (place, episode_id, receipt_id), `rows` and `datasets`, and its values.
 * Annotations are looked up per episode: the planner does not know the length of a list that was just frozen and would
 * join everything with everything.
 */
function evidenceTables(of: EvidenceSelector): { readonly sql: string; readonly values: readonly string[] } {
  const chosen =
    'export_id' in of
      ? 'SELECT place, episode_id, receipt_id FROM export_episodes WHERE tenant_id = $1 AND export_id = $2'
      : `SELECT (row_number() OVER (ORDER BY source_id, dataset_path, format, index, name COLLATE "C") - 1)::int AS place,
           id AS episode_id, receipt_id FROM episodes WHERE tenant_id = $1 AND project_id = $2`;
  const sql = `WITH chosen AS (${chosen}),
    judged AS (
      SELECT c.place, r.content_hash AS receipt_hash, r.pack_blob, r."offset", r.length, r.run_id, e.dataset_path,
        e.format, coalesce(l.layers, '{}') AS layers, l.captions, l.captions_reason, l.captions_hash, l.review, l.review_hash
      FROM chosen c
      JOIN receipts r ON r.tenant_id = $1 AND r.id = c.receipt_id
      JOIN episodes e ON e.tenant_id = $1 AND e.id = c.episode_id
      CROSS JOIN LATERAL (
        SELECT array_agg(a.layer ORDER BY a.layer) FILTER (WHERE a.layer <> 'annotation_review' AND a.not_produced IS NULL) AS layers,
          min(a.not_produced) FILTER (WHERE a.layer = 'captions') AS captions_reason,
          ${artifactExtent('captions')} AS captions, ${artifactHash('captions')} AS captions_hash,
          ${artifactExtent('annotation_review')} AS review, ${artifactHash('annotation_review')} AS review_hash
        FROM annotations a WHERE a.tenant_id = $1 AND a.episode_id = c.episode_id) l),
    datasets AS (
      SELECT (row_number() OVER (ORDER BY d.run_id, d.place) - 1)::int AS number, d.run_id, d.path, d.format, d.facts,
        d.findings
      FROM run_datasets d WHERE d.tenant_id = $1
        AND (d.run_id, d.path, d.format) IN (SELECT run_id, dataset_path, format FROM judged)),
    rows AS (
      SELECT j.place, j.receipt_hash, j.pack_blob, j."offset", j.length, j.layers, j.captions, j.captions_reason, j.captions_hash, j.review, j.review_hash, d.number AS dataset
      FROM judged j LEFT JOIN datasets d ON d.run_id = j.run_id AND d.path = j.dataset_path AND d.format = j.format)`;
  return { sql, values: [of.tenant_id, 'export_id' in of ? of.export_id : of.project_id] };
}

/** Returns the number of episodes and a hash that changes with any of their receipts, layers and datasets. */
export async function evidenceState(
  database: Database,
  of: EvidenceSelector,
): Promise<{ readonly episodes: number; readonly hash: string }> {
  const { sql, values } = evidenceTables(of);
  const { rows } = await database.query(
    `${sql} SELECT count(*)::int AS episodes, encode(sha256(convert_to(coalesce(
       string_agg(r.receipt_hash || ' ' || array_to_string(r.layers, ',') || ' ' || coalesce(r.captions_hash, '') || ' ' || coalesce(r.captions_reason, '') || ' ' || coalesce(r.review_hash, '') || ' ' || coalesce(md5(d.facts::text || d.findings::text), ''),
         E'\\n' ORDER BY r.place), ''), 'UTF8')), 'hex') AS hash
     FROM rows r LEFT JOIN datasets d ON d.number = r.dataset`,
    values,
  );
  return rows[0] as { episodes: number; hash: string };
}

/** Returns the episodes in order and their datasets as JSON text. */
export async function evidenceAsJson<Facts>(
  database: Database,
  of: EvidenceSelector,
): Promise<{
  readonly episodes: JsonText<readonly EvidenceRow[]>;
  readonly datasets: JsonText<readonly EvidenceDataset<Facts>[]>;
}> {
  const { sql, values } = evidenceTables(of);
  const { rows } = await database.query(
    `${sql} SELECT (SELECT coalesce(json_agg(r ORDER BY r.place), '[]')::text FROM rows r) AS episodes,
       (SELECT coalesce(json_agg(json_build_object('facts', facts, 'findings', findings) ORDER BY number), '[]')::text
        FROM datasets) AS datasets`,
    values,
  );
  return rows[0] as Awaited<ReturnType<typeof evidenceAsJson<Facts>>>;
}

/** Records the current episodes and receipts of a project as those of a queued bundle, in order, and returns their number. */
export async function freezeEvidence(
  database: Database,
  { tenant_id, id, project_id }: Pick<ExportRow, 'tenant_id' | 'id' | 'project_id'>,
): Promise<number> {
  const { rowCount } = await database.query(
    `INSERT INTO export_episodes (tenant_id, export_id, place, episode_id, name, source_index, decision, receipt_id, flags)
     SELECT tenant_id, $3, row_number() OVER (ORDER BY source_id, dataset_path, format, index, name COLLATE "C") - 1,
       id, name, index, coalesce(review_decision, decision), receipt_id, flags
     FROM episodes WHERE tenant_id = $1 AND project_id = $2`,
    [tenant_id, project_id, id],
  );
  return rowCount ?? 0;
}

/** Returns the id of the oldest queued, running or sealed bundle of a project with the same inputs; null if there is none. */
export async function findBundle(
  database: Database,
  { tenant_id, project_id }: { readonly tenant_id: string; readonly project_id: string },
  input_hash: string,
): Promise<string | null> {
  const { rows } = await database.query(
    `SELECT id FROM exports WHERE tenant_id = $1 AND project_id = $2 AND certification->>'input_hash' = $3
       AND status IN ('queued', 'running', 'sealed') ORDER BY id LIMIT 1`,
    [tenant_id, project_id, input_hash],
  );
  return rows[0]?.id ?? null;
}
