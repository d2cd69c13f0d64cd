import type { JsonText } from '#core';
import type { ComputeDevice, JobLayerId, ModelUse } from '#core/api';
import type { Database } from '../../database/database.ts';
import type { StoredPart } from '../../schema/annotations.ts';
import type { RunError } from '../../schema/runs.ts';
import type { JobWork } from './job-items.ts';

/** Maximum number of transient faults of an episode before it fails: about ten minutes, with pauses that double. */
export const maxFaults = 8;

/** Finished episodes of a worker, as JSON text. */
export interface AnnotatedRows {
  readonly done: JsonText<readonly DoneRow[]>;
  readonly undone: JsonText<readonly UndoneRow[]>;
}

/** Fields shared by finished and unfinished episodes. */
export interface ItemRow {
  readonly place: number;
  readonly attempt: number;
  readonly compute_s: number;
  /** Device that computed its models, and the reason if another device was requested. */
  readonly device: ComputeDevice;
  readonly device_note: string | null;
  /** Tokens used of a vision endpoint. */
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** An annotated episode. */
export interface DoneRow extends ItemRow {
  readonly id: string;
  /** Names of the models and algorithms that ran, and each with its files and device. */
  readonly model: string | null;
  readonly models: readonly ModelUse[];
  /** Hash of the settings and of the models that ran. */
  readonly config_hash: string;
  readonly input_hash: string;
  readonly artifact_blob: string;
  readonly artifact_offset: number;
  readonly artifact_length: number;
  readonly artifact_hash: string;
  readonly media_type: string;
  /** Its text; null if the artifact is not text. */
  readonly said: string | null;
  /** Further parts in the same blob. */
  readonly parts: readonly StoredPart[];
  readonly counts: Readonly<Record<string, number>>;
  /** Classes of its labels; null for layers without classes. */
  readonly classes: readonly string[] | null;
  /** Reason why the layer has no output; null if it has. */
  readonly not_produced: string | null;
  readonly quality: number | null;
  readonly quality_reason: string | null;
}

/** An episode that could not be annotated. */
export interface UndoneRow extends ItemRow {
  /** `again`: the fault is transient. */
  readonly state: 'failed' | 'again';
  readonly error: RunError;
}

/** Totals of a commit. */
export interface AnnotatedTotals {
  readonly done: number;
  readonly failed: number;
  /** Episodes to be retried. */
  readonly again: readonly { readonly place: number; readonly faults: number }[];
  readonly compute_s: number;
  /** Part of `compute_s` with models on an accelerator. */
  readonly gpu_s: number;
  readonly device_note: string | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly last_episode: string | null;
}

/** Values shared by all annotations of a job. */
export interface AnnotationCommit extends JobWork {
  readonly project_id: string;
  readonly layer: JobLayerId;
  readonly run_id: string | null;
  readonly price_usd_per_s: number;
  readonly gpu_price_usd_per_s: number;
  /** Prices per million tokens of the model. */
  readonly token_prices: {
    readonly prompt_usd_per_mtok: number;
    readonly completion_usd_per_mtok: number;
  };
}

/**
 * Stores the episodes that `worker` finished with their annotations, and failures (transient ones are retried), and returns
 * the totals; episodes that were reassigned to another worker are left out.
 * A finished episode is removed from the job items. Must run in a transaction.
 */
export async function commitAnnotated(
  work: AnnotationCommit,
  worker: string,
  { done, undone }: AnnotatedRows,
): Promise<AnnotatedTotals> {
  const { database, tenant_id, job_id, project_id, layer, run_id } = work;
  const { price_usd_per_s, gpu_price_usd_per_s, token_prices } = work;
  await lockKinds(work, project_id, 'keep');
  const { rows } = await database.query(
    `WITH d AS MATERIALIZED (SELECT * FROM json_to_recordset($3::json) AS r (place int, attempt int, compute_s float8,
         device text, device_note text, prompt_tokens float8, completion_tokens float8, id text, model text, models jsonb, config_hash text, input_hash text, artifact_blob text, artifact_offset bigint, artifact_length int, artifact_hash text,
         media_type text, said text, parts jsonb, counts jsonb, classes json, not_produced text, quality float8, quality_reason text)),
     u AS MATERIALIZED (SELECT * FROM json_to_recordset($10::json) AS r (place int, attempt int, compute_s float8,
         device text, device_note text, prompt_tokens float8, completion_tokens float8, state text, error jsonb)),
     done AS (
       DELETE FROM job_items i USING d
       WHERE i.tenant_id = $1 AND i.job_id = $2 AND i.place = d.place AND i.attempt = d.attempt
         AND i.worker = $4 AND i.state = 'waiting' AND ${placeRange('d')}
       RETURNING i.episode_id, i.faults, d.*),
     undone AS (
       UPDATE job_items i SET error = u.error, faults = i.faults + (u.state = 'again')::int,
         state = CASE WHEN u.state = 'again' AND i.faults + 1 < $5 THEN 'waiting' ELSE 'failed' END,
         worker = CASE WHEN u.state = 'again' THEN NULL ELSE i.worker END
       FROM u
       WHERE i.tenant_id = $1 AND i.job_id = $2 AND i.place = u.place AND i.attempt = u.attempt
         AND i.worker = $4 AND i.state = 'waiting' AND ${placeRange('u')}
       RETURNING i.place, i.state, i.faults, i.episode_id, u.compute_s, u.device, u.device_note, u.prompt_tokens,
         u.completion_tokens),
     told AS (
       SELECT place, 'done' AS state, faults, episode_id, compute_s, device, device_note, prompt_tokens, completion_tokens
       FROM done
       UNION ALL SELECT * FROM undone),
     kept AS (
       INSERT INTO annotations AS a (tenant_id, id, project_id, episode_id, layer, stream_kind, job_id, run_id, model, models,
         config_hash, input_hash, artifact_blob, artifact_offset, artifact_length, artifact_hash, media_type, words, sentences, parts, counts,
         classes, not_produced, quality, quality_reason, compute_s, device, cost_usd, produced_at)
       SELECT $1, d.id, $6, e.id, $7, e.stream_kind, $2, $8, d.model, d.models, d.config_hash, d.input_hash, d.artifact_blob, d.artifact_offset,
         d.artifact_length, d.artifact_hash, d.media_type, to_tsvector('simple', ${textExpression}), text_sentences(${textExpression}), coalesce(d.parts, '[]'), d.counts, ${classesExpression}, CASE WHEN ${hasEdit} THEN NULL ELSE d.not_produced END, d.quality, d.quality_reason, d.compute_s,
         coalesce(d.device, 'cpu'), d.compute_s * CASE WHEN d.device = 'gpu' THEN $13::float8 ELSE $9::float8 END + (coalesce(d.prompt_tokens, 0) * $11::float8 + coalesce(d.completion_tokens, 0) * $12::float8) / 1e6, now()
       FROM done d JOIN episodes e ON e.tenant_id = $1 AND e.id = d.episode_id ORDER BY e.id
       ON CONFLICT (tenant_id, episode_id, layer) DO UPDATE SET ${updatedColumns}
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
      ...[tenant_id, job_id, done, worker, maxFaults, project_id, layer, run_id],
      ...[price_usd_per_s, undone, token_prices.prompt_usd_per_mtok, token_prices.completion_usd_per_mtok],
      gpu_price_usd_per_s,
    ],
  );
  return rows[0];
}

/** Text written by a person has priority over the text of the machine. */
const textExpression = `coalesce((SELECT left(p.text, 20000) FROM annotation_edits p
  WHERE p.tenant_id = $1 AND p.episode_id = e.id AND p.layer = $7 ORDER BY p.id DESC LIMIT 1), d.said)`;

/** Text written by a person makes the layer produced. */
const hasEdit = `EXISTS (SELECT 1 FROM annotation_edits p
  WHERE p.tenant_id = $1 AND p.episode_id = e.id AND p.layer = $7)`;

/** Classes as an array; JSON null and a missing member give null. */
const classesExpression = `CASE json_typeof(d.classes) WHEN 'array' THEN ARRAY(SELECT json_array_elements_text(d.classes)) END`;

/**
 * Returns the SQL condition that restricts a query to the range of places of these rows, so that other items of the job are
 * not read.
 */
const placeRange = (rows: 'd' | 'u'): string =>
  `i.place BETWEEN (SELECT min(place) FROM ${rows}) AND (SELECT max(place) FROM ${rows})`;

const updatedColumns = [
  'stream_kind',
  'job_id',
  'run_id',
  'model',
  'models',
  'config_hash',
  'input_hash',
  'artifact_blob',
  'artifact_offset',
  'artifact_length',
  'artifact_hash',
  'media_type',
  'words',
  'sentences',
  'parts',
  'counts',
  'classes',
  'not_produced',
  'quality',
  'quality_reason',
  'compute_s',
  'device',
  'cost_usd',
  'produced_at',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ');

/**
 * Locks the kinds of the episodes of a project until the transaction ends; in the embedded database, which runs transactions
 * one by one, it does nothing. `keep` is for writers that store a kind next to an annotation, `change` for writers that change
 * kinds and wait for all of those. Without it an annotation being written could be counted under an outdated kind, because the
 * trigger that propagates kinds does not see it yet. It is a separate statement, so that later statements see what was waited
 * for.
 */
export async function lockKinds(
  { database, tenant_id }: { readonly database: Database; readonly tenant_id: string },
  project_id: string,
  to: 'keep' | 'change',
): Promise<void> {
  // The embedded database runs transactions one by one.
  if (database.kind === 'embedded') return;
  const lock = to === 'keep' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await database.query(`SELECT ${lock}(hashtextextended($1, 0))`, [`kinds ${tenant_id} ${project_id}`]);
}
