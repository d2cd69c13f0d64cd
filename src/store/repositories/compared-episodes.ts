import type { Decision } from '#core/api';
import type { Outcome } from '#core/episode';
import type { TenantScope } from '../database/database.ts';
import { sql as raw, type SQL } from '../drizzle.ts';

/**
 * An episode with its receipt. The columns are valid if the receipt is the newest; else the values are in the pack that
 * contains it.
 */
export interface ComparedRow {
  readonly id: string;
  readonly name: string;
  /** False if the values below belong to a later receipt. */
  readonly current: boolean;
  readonly decision: Decision;
  readonly score: number | null;
  readonly duration_s: number;
  readonly task: string | null;
  readonly robot: string | null;
  readonly outcome: Outcome['value'];
  readonly flags: readonly string[];
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

const comparedColumns = raw`e.id, e.name, e.receipt_id = r.id AS current, e.decision, e.score, e.duration_s, e.task, e.robot,
  e.outcome, e.flags, r.pack_blob, r."offset"::float8 AS "offset", r.length`;

/** Lists the episodes that a run judged, ordered by id, at most `limit`. */
export function listJudgedByRun(
  scope: TenantScope,
  { run_id, source_id, limit }: Readonly<Record<'run_id' | 'source_id', string>> & { readonly limit: number },
): Promise<ComparedRow[]> {
  const { tenant_id } = scope;
  return queryRows(
    scope,
    raw`SELECT ${comparedColumns} FROM episodes e
      JOIN receipts r ON r.tenant_id = e.tenant_id AND r.episode_id = e.id AND r.run_id = ${run_id}
      WHERE e.tenant_id = ${tenant_id} AND e.source_id = ${source_id} ORDER BY e.id LIMIT ${limit}`,
  );
}

/**
 * Lists the existing members of a slice with the receipts they had when the slice was created, ordered by id, at most
 * `limit`.
 */
export function listOfSlice(
  scope: TenantScope,
  { slice_id, limit }: { readonly slice_id: string; readonly limit: number },
): Promise<ComparedRow[]> {
  const { tenant_id } = scope;
  // Two runs may have sealed the same receipt; either can be used.
  return queryRows(
    scope,
    raw`SELECT ${comparedColumns} FROM slice_members m
      JOIN episodes e ON e.tenant_id = m.tenant_id AND e.id = m.episode_id
      CROSS JOIN LATERAL (
        SELECT * FROM receipts r WHERE r.tenant_id = m.tenant_id AND r.episode_id = m.episode_id
          AND r.content_hash = m.receipt_hash ORDER BY r.id = e.receipt_id DESC, r.id LIMIT 1) r
      WHERE m.tenant_id = ${tenant_id} AND m.slice_id = ${slice_id} ORDER BY e.id LIMIT ${limit}`,
  );
}

async function queryRows({ sql }: TenantScope, query: SQL): Promise<ComparedRow[]> {
  return (await sql.execute<ComparedRow & Record<string, unknown>>(query)).rows;
}
