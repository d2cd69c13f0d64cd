import type { JsonText } from '#core';
import type { ComputeDevice, JobLayerId } from '#core/api';
import type { StoredPart } from '../../schema/annotations.ts';
import type { RunError } from '../../schema/runs.ts';
import type { JobWork } from './job-items.ts';
import { lockKinds } from './kind-lock.ts';

/** How often an episode may meet a fault that passes before it has failed: with pauses that double, ten minutes. */
export const mostFaults = 8;

/** Episodes that a worker has finished, as it hands them over. */
export interface AnnotatedRows {
  readonly done: JsonText<readonly DoneRow[]>;
  readonly undone: JsonText<readonly UndoneRow[]>;
}

export interface ItemRow {
  readonly place: number;
  readonly attempt: number;
  readonly compute_s: number;
  /** Where its models were computed, and what was to compute them and does not, with the reason. */
  readonly device: ComputeDevice;
  readonly device_note: string | null;
  /** Of a vision endpoint. */
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

export interface DoneRow extends ItemRow {
  readonly id: string;
  readonly input_hash: string;
  readonly artifact_blob: string;
  readonly artifact_offset: number;
  readonly artifact_length: number;
  readonly artifact_hash: string;
  readonly media_type: string;
  /** What it says in words; null: it is no text. */
  readonly said: string | null;
  /** What lies beside it, in the same blob. */
  readonly parts: readonly StoredPart[];
  readonly counts: Readonly<Record<string, number>>;
  readonly quality: number | null;
  readonly quality_reason: string | null;
}

export interface UndoneRow extends ItemRow {
  /** `again`: what it met may pass. */
  readonly state: 'failed' | 'again';
  readonly error: RunError;
}

export interface AnnotatedTotals {
  readonly done: number;
  readonly failed: number;
  /** To be tried again. */
  readonly again: readonly { readonly place: number; readonly faults: number }[];
  readonly compute_s: number;
  /** Of `compute_s`: with models on an accelerator. */
  readonly gpu_s: number;
  readonly device_note: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly last_episode: string | null;
}

/** What is the same for all annotations of a job. */
export interface Annotating extends JobWork {
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly run_id: string | null;
  readonly model: string | null;
  readonly config_hash: string;
  readonly price_usd_per_s: number;
  readonly gpu_price_usd_per_s: number;
  /** A million tokens of the model that it asks. */
  readonly token_prices: {
    readonly prompt_usd_per_mtok: number;
    readonly completion_usd_per_mtok: number;
  };
}

/**
 * Writes down episodes that `worker` finished, and their annotations; those that were taken from it are left out. One
 * that is done is no item of the job any more: its annotation says so. In a transaction.
 */
export async function commitAnnotated(
  work: Annotating,
  worker: string,
  { done, undone }: AnnotatedRows,
): Promise<AnnotatedTotals> {
  const { database, tenant_id, job_id, project_id, layer, run_id, model, config_hash } = work;
  const { price_usd_per_s, gpu_price_usd_per_s, token_prices } = work;
  await lockKinds(work, project_id, 'keep');
  const { rows } = await database.query(
    `WITH d AS MATERIALIZED (SELECT * FROM json_to_recordset($3::json) AS r (place int, attempt int, compute_s float8,
         device text, device_note text, prompt_tokens float8, completion_tokens float8, id text, input_hash text, artifact_blob text, artifact_offset bigint, artifact_length int, artifact_hash text,
         media_type text, said text, parts jsonb, counts jsonb, quality float8, quality_reason text)),
     u AS MATERIALIZED (SELECT * FROM json_to_recordset($12::json) AS r (place int, attempt int, compute_s float8,
         device text, device_note text, prompt_tokens float8, completion_tokens float8, state text, error jsonb)),
     done AS (
       DELETE FROM job_items i USING d
       WHERE i.tenant_id = $1 AND i.job_id = $2 AND i.place = d.place AND i.attempt = d.attempt
         AND i.worker = $4 AND i.state = 'waiting' AND ${spanOf('d')}
       RETURNING i.episode_id, i.faults, d.*),
     undone AS (
       UPDATE job_items i SET error = u.error, faults = i.faults + (u.state = 'again')::int,
         state = CASE WHEN u.state = 'again' AND i.faults + 1 < $5 THEN 'waiting' ELSE 'failed' END,
         worker = CASE WHEN u.state = 'again' THEN NULL ELSE i.worker END
       FROM u
       WHERE i.tenant_id = $1 AND i.job_id = $2 AND i.place = u.place AND i.attempt = u.attempt
         AND i.worker = $4 AND i.state = 'waiting' AND ${spanOf('u')}
       RETURNING i.place, i.state, i.faults, i.episode_id, u.compute_s, u.device, u.device_note, u.prompt_tokens,
         u.completion_tokens),
     told AS (
       SELECT place, 'done' AS state, faults, episode_id, compute_s, device, device_note, prompt_tokens, completion_tokens
       FROM done
       UNION ALL SELECT * FROM undone),
     kept AS (
       INSERT INTO annotations AS a (tenant_id, id, project_id, episode_id, layer, stream_kind, job_id, run_id, model,
         config_hash, input_hash, artifact_blob, artifact_offset, artifact_length, artifact_hash, media_type, words, parts, counts,
         quality, quality_reason, compute_s, device, cost_usd, produced_at)
       SELECT $1, d.id, $6, e.id, $7, e.stream_kind, $2, $8, $9, $10, d.input_hash, d.artifact_blob, d.artifact_offset,
         d.artifact_length, d.artifact_hash, d.media_type, ${words}, coalesce(d.parts, '[]'), d.counts, d.quality, d.quality_reason, d.compute_s,
         coalesce(d.device, 'cpu'), d.compute_s * CASE WHEN d.device = 'gpu' THEN $15::float8 ELSE $11::float8 END + (coalesce(d.prompt_tokens, 0) * $13::float8 + coalesce(d.completion_tokens, 0) * $14::float8) / 1e6, now()
       FROM done d JOIN episodes e ON e.tenant_id = $1 AND e.id = d.episode_id ORDER BY e.id
       ON CONFLICT (tenant_id, episode_id, layer) DO UPDATE SET ${renewed}
       RETURNING 1)
     SELECT count(*) FILTER (WHERE state = 'done')::int AS done, count(*) FILTER (WHERE state = 'failed')::int AS failed,
       coalesce(json_agg(json_build_object('place', place, 'faults', faults) ORDER BY place)
         FILTER (WHERE state = 'waiting'), '[]') AS again,
       coalesce(sum(compute_s), 0) AS compute_s, coalesce(sum(compute_s) FILTER (WHERE device = 'gpu'), 0) AS gpu_s,
       max(device_note) AS device_note, coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
       coalesce(sum(completion_tokens), 0) AS completion_tokens,
       (array_agg(episode_id ORDER BY place DESC) FILTER (WHERE state = 'done'))[1] AS last_episode
     FROM told`,
    [
      ...[tenant_id, job_id, done, worker, mostFaults, project_id, layer, run_id, model, config_hash],
      ...[price_usd_per_s, undone, token_prices.prompt_usd_per_mtok, token_prices.completion_usd_per_mtok],
      gpu_price_usd_per_s,
    ],
  );
  return rows[0];
}

/** A person's text counts before what the machine says now. */
const words = `to_tsvector('simple', coalesce((SELECT left(p.text, 20000) FROM annotation_edits p
  WHERE p.tenant_id = $1 AND p.episode_id = e.id AND p.layer = $7 ORDER BY p.id DESC LIMIT 1), d.said))`;

/** Between the first and the last place of these rows, so that what else the job holds is not looked at. */
const spanOf = (rows: 'd' | 'u'): string =>
  `i.place BETWEEN (SELECT min(place) FROM ${rows}) AND (SELECT max(place) FROM ${rows})`;

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
  'words',
  'parts',
  'counts',
  'quality',
  'quality_reason',
  'compute_s',
  'device',
  'cost_usd',
  'produced_at',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');
