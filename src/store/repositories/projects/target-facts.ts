import type { TenantScope } from '../../database/database.ts';
import { sql as raw } from '../../drizzle.ts';

/**
 * Totals over the episodes of a project for a training target. Decisions of persons have priority over those of the
 * machine.
 */
export interface TargetTotals {
  readonly episodes: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Counts over episodes that are not rejected. */
  readonly usable: number;
  readonly usable_s: number;
  readonly instructed: number;
  readonly tasks: number;
  readonly with_outcome: number;
}

/** Returns the totals of a project for a training target. */
export async function getTargetTotals(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<TargetTotals> {
  const { rows } = await sql.execute<Record<keyof TargetTotals, number>>(raw`
    SELECT coalesce(sum(episodes), 0)::int AS episodes, coalesce(sum(accepted), 0)::int AS accepted,
      coalesce(sum(rejected), 0)::int AS rejected, coalesce(sum(episodes - rejected), 0)::int AS usable,
      coalesce(sum(usable_s), 0)::float8 AS usable_s, coalesce(sum(instructed), 0)::int AS instructed,
      (SELECT count(*)::int FROM project_shares WHERE tenant_id = ${tenant_id} AND project_id = ${project_id}
        AND facet = 'task' AND usable > 0) AS tasks,
      coalesce(sum(with_outcome), 0)::int AS with_outcome
    FROM project_counts WHERE tenant_id = ${tenant_id} AND project_id = ${project_id}`);
  return rows[0];
}

/** A sampled episode with the location of its receipt and numbers. */
export interface SampledEpisode {
  readonly id: string;
  readonly duration_s: number;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly content_hash: string;
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Samples at most `maxRows` episodes that are not rejected, from each source in proportion to its number of them. The
 * sample is always the same: within a source, episodes are taken by the hash of their id, for which there is an index.
 */
export async function sampleUsable(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  maxRows: number,
): Promise<SampledEpisode[]> {
  const { rows } = await sql.execute<Record<string, unknown> & SampledEpisode>(raw`
    WITH shares AS (
      SELECT key AS source_id, usable, sum(usable) OVER (ORDER BY key) AS upto, sum(usable) OVER () AS total
      FROM project_shares
      WHERE tenant_id = ${tenant_id} AND project_id = ${project_id} AND facet = 'source' AND usable > 0),
    wanted AS (
      SELECT source_id, CASE WHEN total <= ${maxRows} THEN usable
        ELSE ceil(upto * ${maxRows} / total) - ceil((upto - usable) * ${maxRows} / total) END AS n FROM shares)
    SELECT e.id, e.duration_s, e.shard_blob, e.shard_place, r.content_hash, r.pack_blob, r."offset"::float8 AS "offset", r.length
    FROM wanted, LATERAL (
      SELECT id, duration_s, shard_blob, shard_place, receipt_id FROM episodes
      WHERE tenant_id = ${tenant_id} AND source_id = wanted.source_id
        AND coalesce(review_decision, decision) <> 'reject'
      ORDER BY md5(id) LIMIT wanted.n::bigint) AS e
    JOIN receipts r ON r.tenant_id = ${tenant_id} AND r.id = e.receipt_id
    ORDER BY e.id`);
  return rows;
}
