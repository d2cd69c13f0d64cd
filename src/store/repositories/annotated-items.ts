import type { LayerId } from '#contract';
import type { RunError } from '../schema/runs.ts';
import type { JobWork } from './job-items.ts';
import { lockKinds } from './kind-lock.ts';

/** How often an episode may meet a fault that passes before it has failed: with pauses that double, ten minutes. */
export const mostFaults = 8;

/** An episode a worker has finished, as workers hand it over in JSON. */
export interface AnnotatedRow {
  readonly place: number;
  readonly attempt: number;
  /** `again`: what it met may pass. */
  readonly state: 'done' | 'failed' | 'again';
  readonly error: RunError | null;
  readonly compute_s: number;
  /** Of one that is done. */
  readonly id?: string;
  readonly input_hash?: string;
  readonly artifact_blob?: string;
  readonly artifact_offset?: number;
  readonly artifact_length?: number;
  readonly artifact_hash?: string;
  readonly media_type?: string;
  readonly counts?: Readonly<Record<string, number>>;
  readonly quality?: number | null;
  readonly quality_reason?: string | null;
}

export interface AnnotatedTotals {
  readonly done: number;
  readonly failed: number;
  /** To be tried again. */
  readonly again: readonly { readonly place: number; readonly faults: number }[];
  readonly compute_s: number;
  readonly last_episode: string | null;
}

/** What is the same for all annotations of a job. */
export interface Annotating extends JobWork {
  readonly project_id: string;
  readonly layer: LayerId;
  readonly run_id: string | null;
  readonly model: string | null;
  readonly config_hash: string;
  readonly price_usd_per_s: number;
}

/**
 * Writes down episodes that `worker` finished, and their annotations; those that were taken from it are left out. In a
 * transaction.
 */
export async function commitAnnotated(
  work: Annotating,
  worker: string,
  rows_json: string,
): Promise<AnnotatedTotals> {
  const { database, tenant_id, job_id, project_id, layer, run_id, model, config_hash, price_usd_per_s } =
    work;
  await lockKinds(work, project_id, 'keep');
  const { rows } = await database.query(
    `WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset($3::json) AS r (place int, attempt int, state text,
         error jsonb, compute_s float8, id text, input_hash text, artifact_blob text, artifact_offset bigint,
         artifact_length int, artifact_hash text, media_type text, counts jsonb, quality float8, quality_reason text)),
     told AS (
       UPDATE job_items i SET error = r.error, faults = i.faults + (r.state = 'again')::int,
         state = CASE WHEN r.state <> 'again' THEN r.state WHEN i.faults + 1 >= $5 THEN 'failed' ELSE 'waiting' END,
         worker = CASE WHEN r.state = 'again' THEN NULL ELSE i.worker END
       FROM r WHERE i.tenant_id = $1 AND i.job_id = $2 AND i.place = r.place AND i.attempt = r.attempt
         AND i.worker = $4 AND i.state = 'waiting'
       RETURNING i.place, i.state, i.faults, i.episode_id, r.compute_s),
     kept AS (
       INSERT INTO annotations AS a (tenant_id, id, project_id, episode_id, layer, stream_kind, job_id, run_id, model,
         config_hash, input_hash, artifact_blob, artifact_offset, artifact_length, artifact_hash, media_type, counts,
         quality, quality_reason, compute_s, cost_usd, produced_at)
       SELECT $1, r.id, $6, e.id, $7, e.stream_kind, $2, $8, $9, $10, r.input_hash, r.artifact_blob, r.artifact_offset,
         r.artifact_length, r.artifact_hash, r.media_type, r.counts, r.quality, r.quality_reason, r.compute_s,
         r.compute_s * $11::float8, now()
       FROM told JOIN r USING (place) JOIN episodes e ON e.tenant_id = $1 AND e.id = told.episode_id
       WHERE told.state = 'done' ORDER BY e.id
       ON CONFLICT (tenant_id, episode_id, layer) DO UPDATE SET ${renewed}
       RETURNING 1)
     SELECT count(*) FILTER (WHERE state = 'done')::int AS done, count(*) FILTER (WHERE state = 'failed')::int AS failed,
       coalesce(json_agg(json_build_object('place', place, 'faults', faults) ORDER BY place)
         FILTER (WHERE state = 'waiting'), '[]') AS again,
       coalesce(sum(compute_s), 0) AS compute_s,
       (array_agg(episode_id ORDER BY place DESC) FILTER (WHERE state = 'done'))[1] AS last_episode
     FROM told`,
    [
      ...[tenant_id, job_id, rows_json, worker, mostFaults, project_id, layer, run_id, model, config_hash],
      price_usd_per_s,
    ],
  );
  return rows[0];
}

const renewed = [
  'stream_kind',
  'job_id',
  'run_id',
  'model',
  'config_hash',
  'input_hash',
  'artifact_blob',
  'artifact_offset',
  'artifact_length',
  'artifact_hash',
  'media_type',
  'counts',
  'quality',
  'quality_reason',
  'compute_s',
  'cost_usd',
  'produced_at',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');
