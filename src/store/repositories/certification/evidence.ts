import type { JsonText } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { Finding } from '#core/episode';
import type { Database } from '../../database/database.ts';
import type { ExportRow } from '../exports.ts';

/** Whose evidence: that of a project now, or as a queued bundle has frozen it. */
export type EvidenceOf =
  | { readonly tenant_id: string; readonly project_id: string }
  | { readonly tenant_id: string; readonly export_id: string };

/** An episode's receipt, its dataset by its place among these, and the layers of annotation that it carries. */
export interface EvidenceRow {
  readonly receipt_hash: string;
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
  /** Place in the list of datasets; null: what is known of the dataset is gone. */
  readonly dataset: number | null;
  readonly layers: readonly LayerId[];
  /** Where its captions lie; null: it has none. */
  readonly captions: BlobExtent | null;
  /** SHA-256 of them. */
  readonly captions_hash: string | null;
  /** Where the review of its annotations lies; null: nobody reviewed them. */
  readonly review: BlobExtent | null;
}

interface BlobExtent {
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

/** What a run has found of a dataset. */
export interface EvidenceDataset<Facts = unknown> {
  readonly facts: Facts;
  readonly findings: readonly Pick<Finding, 'code'>[];
}

/** Where a layer's artifact lies, among the annotations `a` of an episode. */
const extentOf = (layer: JobLayerId): string =>
  `(json_agg(json_build_object('pack_blob', a.artifact_blob, 'offset', a.artifact_offset, 'length', a.artifact_length))
            FILTER (WHERE a.layer = '${layer}'))->0`;
const hashOf = (layer: JobLayerId): string => `min(a.artifact_hash) FILTER (WHERE a.layer = '${layer}')`;

/**
 * Tables `chosen` (place, episode_id, receipt_id), `rows` and `datasets`, with the values that they take. Annotations are
 * looked up episode by episode: of a list that was frozen just now the planner knows no length, and would pair all with all.
 */
function evidenceTables(of: EvidenceOf): { readonly sql: string; readonly values: readonly string[] } {
  const chosen =
    'export_id' in of
      ? 'SELECT place, episode_id, receipt_id FROM export_episodes WHERE tenant_id = $1 AND export_id = $2'
      : `SELECT (row_number() OVER (ORDER BY source_id, dataset_path, format, index, name COLLATE "C") - 1)::int AS place,
           id AS episode_id, receipt_id FROM episodes WHERE tenant_id = $1 AND project_id = $2`;
  const sql = `WITH chosen AS (${chosen}),
    judged AS (
      SELECT c.place, r.content_hash AS receipt_hash, r.pack_blob, r."offset", r.length, r.run_id, e.dataset_path,
        e.format, coalesce(l.layers, '{}') AS layers, l.captions, l.captions_hash, l.review, l.review_hash
      FROM chosen c
      JOIN receipts r ON r.tenant_id = $1 AND r.id = c.receipt_id
      JOIN episodes e ON e.tenant_id = $1 AND e.id = c.episode_id
      CROSS JOIN LATERAL (
        SELECT array_agg(a.layer ORDER BY a.layer) FILTER (WHERE a.layer <> 'annotation_review') AS layers,
          ${extentOf('captions')} AS captions, ${hashOf('captions')} AS captions_hash,
          ${extentOf('annotation_review')} AS review, ${hashOf('annotation_review')} AS review_hash
        FROM annotations a WHERE a.tenant_id = $1 AND a.episode_id = c.episode_id) l),
    datasets AS (
      SELECT (row_number() OVER (ORDER BY d.run_id, d.place) - 1)::int AS number, d.run_id, d.path, d.format, d.facts,
        d.findings
      FROM run_datasets d WHERE d.tenant_id = $1
        AND (d.run_id, d.path, d.format) IN (SELECT run_id, dataset_path, format FROM judged)),
    rows AS (
      SELECT j.place, j.receipt_hash, j.pack_blob, j."offset", j.length, j.layers, j.captions, j.captions_hash, j.review, j.review_hash, d.number AS dataset
      FROM judged j LEFT JOIN datasets d ON d.run_id = j.run_id AND d.path = j.dataset_path AND d.format = j.format)`;
  return { sql, values: [of.tenant_id, 'export_id' in of ? of.export_id : of.project_id] };
}

/** How many episodes, and a hash that changes with any of their receipts, layers and datasets. */
export async function evidenceState(
  database: Database,
  of: EvidenceOf,
): Promise<{ readonly episodes: number; readonly hash: string }> {
  const { sql, values } = evidenceTables(of);
  const { rows } = await database.query(
    `${sql} SELECT count(*)::int AS episodes, encode(sha256(convert_to(coalesce(
       string_agg(r.receipt_hash || ' ' || array_to_string(r.layers, ',') || ' ' || coalesce(r.captions_hash, '') || ' ' || coalesce(r.review_hash, '') || ' ' || coalesce(md5(d.facts::text || d.findings::text), ''),
         E'\\n' ORDER BY r.place), ''), 'UTF8')), 'hex') AS hash
     FROM rows r LEFT JOIN datasets d ON d.number = r.dataset`,
    values,
  );
  return rows[0] as { episodes: number; hash: string };
}

/** The episodes in order and their datasets, as JSON that the database has written. */
export async function evidenceAsJson<Facts>(
  database: Database,
  of: EvidenceOf,
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

/** Freezes which receipts a queued bundle is of; answers how many. */
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

/** A bundle of a project that is made of the same, or is being made; null: there is none. */
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
