import type { ComputeDevice } from '#core/api';
import type { Database } from '../database/database.ts';

/** Ratio of measured to planned compute time of comparable jobs or runs of one tenant. */
export interface MeasuredRate {
  readonly work: string;
  readonly family: string;
  readonly size_class: number | null;
  readonly device: ComputeDevice;
  /** Whether the jobs were part of runs, where layers share the decoding. */
  readonly in_run: boolean;
  readonly samples: number;
  /** Sum of their planned seconds. It is their weight, because fixed costs dominate the time of short work. */
  readonly planned_s: number;
  /** 10th, 50th and 90th percentile, weighted by planned time. */
  readonly low: number;
  readonly median: number;
  readonly high: number;
  /** Seconds since 1970 when the newest of them ended. */
  readonly newest_s: number;
}

/** Maximum numbers of jobs and runs, the newest ones, that rates are computed from. */
const maxJobs = 200;
const maxRuns = 50;
/**
 * Jobs and runs with a higher ratio of failed to finished episodes are ignored, because a failure takes little time.
 */
const maxFailedShare = 0.1;
/**
 * Ratios are limited to this value and its inverse, so that one odd measurement cannot make estimates exceed every
 * budget.
 */
const maxRatio = 100;

const estimateColumns = `estimate->>'work' AS work, estimate->>'family' AS family,
       (estimate->>'size_class')::int AS size_class`;
const planned = `(estimate->>'planned_s')::float8`;
const isMeasured = `tenant_id = $1 AND estimate IS NOT NULL AND status IN ('succeeded', 'partial')
        AND compute_s > 0 AND ${planned} > 0`;
const sameWork = 'work, family, size_class, device, in_run';

/** SQL of the rates of the tenant $1 as a JSON array, ordered so that equal rates give equal text. */
export const measuredRatesSql = `(WITH measured AS (
     (SELECT ${estimateColumns}, CASE WHEN gpu_s > 0 THEN 'gpu' ELSE 'cpu' END AS device, run_id IS NOT NULL AS in_run,
        compute_s, ${planned} * (done + failed) / greatest(total, done + failed) AS planned_s, finished_at
      FROM jobs WHERE ${isMeasured} AND done > 0 AND failed <= ${maxFailedShare} * done
      ORDER BY finished_at DESC LIMIT ${maxJobs})
     UNION ALL
     (SELECT ${estimateColumns}, 'cpu', false, compute_s, ${planned}, finished_at
      FROM runs WHERE ${isMeasured} AND episodes_judged > 0 AND episodes_unreadable <= ${maxFailedShare} * episodes_judged
      ORDER BY finished_at DESC LIMIT ${maxRuns})),
   bounded AS (
     SELECT *, least(${maxRatio}, greatest(1.0 / ${maxRatio}, compute_s / planned_s)) AS ratio FROM measured),
   placed AS (
     SELECT *, sum(planned_s) OVER (PARTITION BY ${sameWork} ORDER BY ratio, finished_at
         ROWS UNBOUNDED PRECEDING) AS reached, sum(planned_s) OVER (PARTITION BY ${sameWork}) AS whole FROM bounded),
   rates AS (
     SELECT ${sameWork}, count(*)::int AS samples, max(whole) AS planned_s,
       min(ratio) FILTER (WHERE reached >= 0.1 * whole) AS low,
       min(ratio) FILTER (WHERE reached >= 0.5 * whole) AS median,
       min(ratio) FILTER (WHERE reached >= 0.9 * whole) AS high, extract(epoch FROM max(finished_at)) AS newest_s
     FROM placed GROUP BY ${sameWork})
   SELECT coalesce(json_agg(r ORDER BY work, size_class, device, in_run), '[]') FROM rates r)`;

/** Returns the ratios of measured to planned time of a tenant's newest 200 jobs and 50 runs, one per kind of work. */
export async function readMeasuredRates(
  database: Database,
  tenant_id: string,
): Promise<readonly MeasuredRate[]> {
  const { rows } = await database.query(`SELECT ${measuredRatesSql} AS rates`, [tenant_id]);
  return rows[0].rates;
}
