import { sql as raw } from 'drizzle-orm';
import type { TenantScope } from '../tenant-scope.ts';

/** What all episodes of a project come to for a training target. A person's decision wins over the machine's. */
export interface TargetTotals {
  readonly episodes: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Of those not rejected: */
  readonly usable: number;
  readonly usable_s: number;
  readonly instructed: number;
  readonly tasks: number;
  readonly with_outcome: number;
}

const decided = raw`coalesce(review_decision, decision)`;

export async function getTargetTotals(
  { sql, tenant_id }: TenantScope,
  project_id: string,
): Promise<TargetTotals> {
  const { rows } = await sql.execute<Record<keyof TargetTotals, number>>(raw`
    SELECT count(*)::int AS episodes,
      count(*) FILTER (WHERE ${decided} = 'accept')::int AS accepted,
      count(*) FILTER (WHERE ${decided} = 'reject')::int AS rejected,
      count(*) FILTER (WHERE ${decided} <> 'reject')::int AS usable,
      coalesce(sum(duration_s) FILTER (WHERE ${decided} <> 'reject' AND duration_s < 'Infinity'), 0) AS usable_s,
      count(*) FILTER (WHERE ${decided} <> 'reject' AND trim(coalesce(task, '')) <> '')::int AS instructed,
      count(DISTINCT task_key) FILTER (WHERE ${decided} <> 'reject' AND trim(coalesce(task, '')) <> '')::int AS tasks,
      count(*) FILTER (WHERE ${decided} <> 'reject' AND outcome <> 'unknown')::int AS with_outcome
    FROM episodes WHERE tenant_id = ${tenant_id} AND project_id = ${project_id}`);
  return rows[0];
}

/** An episode to look into, and where its receipt and its numbers lie. */
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

/** At most `most` of the episodes that were not rejected, evenly spread in the order they came; always the same ones. */
export async function sampleUsable(
  { sql, tenant_id }: TenantScope,
  project_id: string,
  most: number,
): Promise<SampledEpisode[]> {
  const { rows } = await sql.execute<Record<string, unknown> & SampledEpisode>(raw`
    SELECT e.id, e.duration_s, e.shard_blob, e.shard_place, r.content_hash, r.pack_blob, r."offset"::float8 AS "offset", r.length
    FROM (
      SELECT id, row_number() OVER (ORDER BY id) - 1 AS place, count(*) OVER () AS total
      FROM episodes
      WHERE tenant_id = ${tenant_id} AND project_id = ${project_id} AND ${decided} <> 'reject'
    ) p
    JOIN episodes e ON e.tenant_id = ${tenant_id} AND e.id = p.id
    JOIN receipts r ON r.tenant_id = ${tenant_id} AND r.id = e.receipt_id
    WHERE floor(p.place * ${most}::float8 / p.total) <> floor((p.place - 1) * ${most}::float8 / p.total)
      OR p.total <= ${most}
    ORDER BY e.id`);
  return rows;
}
