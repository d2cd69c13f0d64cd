import type { ComputeDevice } from '#core/api';
import type { Database } from '../database/database.ts';

/**
 * Ratio of measured to planned compute time of comparable jobs or runs of this installation. Only times are read, over
 * all tenants.
 */
export interface MeasuredRate {
  readonly work: string;
  readonly family: string;
  readonly size_class: number | null;
  readonly device: ComputeDevice;
  /** Whether the jobs were part of runs, where layers share the decoding. */
  readonly in_run: boolean;
  readonly samples: number;
  /** 10th, 50th and 90th percentile. */
  readonly low: number;
  readonly median: number;
  readonly high: number;
  /** Seconds since 1970 when the newest of them ended. */
  readonly newest_s: number;
}

/** Numbers of jobs and runs that are learned from, newest first. */
const maxJobs = 200;
const maxRuns = 50;

const estimateColumns = `estimate->>'work' AS work, estimate->>'family' AS family,
       (estimate->>'size_class')::int AS size_class`;
const isMeasured = `estimate IS NOT NULL AND status IN ('succeeded', 'partial')`;

/** SQL of the rates as a JSON array, ordered so that equal rates give equal text. */
export const measuredRatesSql = `(WITH measured AS (
     (SELECT ${estimateColumns}, CASE WHEN gpu_s > 0 THEN 'gpu' ELSE 'cpu' END AS device, run_id IS NOT NULL AS in_run,
        compute_s * total / greatest(1, done + failed) / (estimate->>'planned_s')::float8 AS ratio, finished_at
      FROM jobs WHERE ${isMeasured} AND compute_s > 0 AND (estimate->>'planned_s')::float8 > 0
      ORDER BY finished_at DESC LIMIT ${maxJobs})
     UNION ALL
     (SELECT ${estimateColumns}, 'cpu', false, compute_s / (estimate->>'planned_s')::float8, finished_at
      FROM runs WHERE ${isMeasured} AND compute_s > 0 AND (estimate->>'planned_s')::float8 > 0
      ORDER BY finished_at DESC LIMIT ${maxRuns})),
   rates AS (
     SELECT work, family, size_class, device, in_run, count(*)::int AS samples,
       percentile_cont(0.1) WITHIN GROUP (ORDER BY ratio) AS low,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY ratio) AS median,
       percentile_cont(0.9) WITHIN GROUP (ORDER BY ratio) AS high, extract(epoch FROM max(finished_at)) AS newest_s
     FROM measured GROUP BY work, family, size_class, device, in_run)
   SELECT coalesce(json_agg(r ORDER BY work, size_class, device, in_run), '[]') FROM rates r)`;

/** Reads the rates that were measured in this installation. */
export async function readMeasuredRates(database: Database): Promise<readonly MeasuredRate[]> {
  const { rows } = await database.query(`SELECT ${measuredRatesSql} AS rates`, []);
  return rows[0].rates;
}
