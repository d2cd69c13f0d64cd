import type { JsonText } from '#core';
import type { Decision } from '#core/api';
import type { Kind } from '#core/episode';
import type { ReceiptsExtent, UnitCounts } from '../schema/runs.ts';
import { lockKinds } from './annotation/annotated-items.ts';
import type { RunWork } from './run-work.ts';

/** A judged or partly judged unit, as workers send it in JSON. */
export interface JudgedRow {
  readonly place: number;
  readonly attempt: number;
  /** `measured` while some of its episodes are not judged yet. */
  readonly state: 'judged' | 'measured';
  /** Receipts of the episodes judged so far. */
  readonly receipts: readonly ReceiptsExtent[];
  /** Counts over the episodes judged so far. */
  readonly counts: UnitCounts;
  /** Number of episodes by decision, once the unit is judged. */
  readonly accept: number;
  readonly review: number;
  readonly reject: number;
  readonly compute_s: number;
}

/** Totals of the units of a commit that are judged now. */
export interface JudgedTotals {
  /** Number of units that were still assigned to the worker. */
  readonly units: number;
  /** Number of units that the worker had committed before, if the answer to that commit was lost. */
  readonly before: number;
  readonly accept: number;
  readonly review: number;
  readonly reject: number;
  readonly compute_s: number;
}

/** An episode with its receipt, as workers send it in JSON; `id` is used if the episode is new. */
export interface JudgedEpisode {
  readonly id: string;
  readonly receipt_id: string;
  readonly dataset_path: string;
  readonly format: string;
  readonly name: string;
  readonly index: number;
  readonly kind: Kind;
  readonly derived_kind: Kind | null;
  readonly decision: Decision;
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly start_ns: string | null;
  readonly robot: string | null;
  readonly task: string | null;
  readonly cameras: number;
  readonly depth_cameras: number;
  /** Recorded pictures of all cameras, and their mean size in megapixels; null if unknown. */
  readonly pictures: number;
  readonly picture_mpx: number | null;
  readonly outcome: string;
  readonly flags: readonly string[];
  readonly objects: readonly string[];
  /** Vectors for search; empty if it was not described. */
  readonly vectors: readonly JudgedVectors[];
  /** Sample for curation; null if it was not sampled. */
  readonly sample: JudgedSample | null;
  readonly shard_blob: string | null;
  readonly shard_place: number | null;
  readonly content_hash: string;
  readonly settings_hash: string;
  readonly pack_blob: string;
  readonly offset: number;
  readonly length: number;
}

/** Result of one descriptor for an episode, or the reason why there is no vector. */
export interface JudgedVectors {
  readonly descriptor: string;
  readonly version: number;
  readonly layout?: string;
  readonly vector?: readonly number[];
  readonly reason?: string;
  readonly moments?: readonly {
    readonly from_s: number;
    readonly to_s: number;
    readonly vector: readonly number[];
  }[];
}

/** Sample that curation compares in addition to vectors, as created by `sampleEpisode`. */
export interface JudgedSample {
  readonly version: number;
  readonly content_hash: string | null;
  readonly idle: { readonly head_s: number; readonly tail_s: number } | null;
  readonly pairs: {
    readonly layout: string;
    readonly state_dims: number;
    readonly action_dims: number;
    readonly rows: number;
    /** Base64. */
    readonly states: string;
    readonly actions: string;
  } | null;
}

/** Values shared by all episodes of a run. */
export interface JudgedRun extends RunWork {
  readonly project_id: string;
  readonly source_id: string;
}

/** Stores judged and partly judged units that are still assigned to the worker, and returns their totals; others are ignored. */
export async function commitJudgedUnits(
  { database, tenant_id, run_id }: RunWork,
  worker: string,
  units: JsonText<readonly JudgedRow[]>,
): Promise<JudgedTotals> {
  const { rows } = await database.query(
    `WITH r AS (SELECT * FROM json_to_recordset($4::json) AS r (place int, attempt int, state text, receipts jsonb,
         counts jsonb, accept int, review int, reject int, compute_s float8)),
     done AS (
       UPDATE run_units u SET state = r.state, receipts = r.receipts, counts = r.counts,
         compute_s = u.compute_s + r.compute_s
       FROM r WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.place = r.place AND u.attempt = r.attempt
         AND u.worker = $3 AND u.state = 'measured'
       RETURNING r.state, r.accept, r.review, r.reject, r.compute_s),
     judged AS (SELECT * FROM done WHERE state = 'judged')
     SELECT (SELECT count(*) FROM done)::int AS units,
       (SELECT count(*) FROM run_units u JOIN r USING (place, attempt)
         WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.worker = $3 AND u.state = 'judged')::int AS before,
       coalesce(sum(accept), 0)::int AS accept,
       coalesce(sum(review), 0)::int AS review, coalesce(sum(reject), 0)::int AS reject,
       (SELECT coalesce(sum(compute_s), 0) FROM done) AS compute_s
     FROM judged`,
    [tenant_id, run_id, worker, units],
  );
  return rows[0];
}

const episodeColumns = `id text, receipt_id text, dataset_path text, format text, name text, index int, kind text,
  derived_kind text, decision text, score float8, graded_fraction float8, duration_s float8, start_ns text, robot text, task text,
  cameras int, depth_cameras int, pictures int, picture_mpx float8, outcome text, flags json, objects json, vectors jsonb, sample jsonb, shard_blob text, shard_place int, content_hash text, settings_hash text, pack_blob text,
  "offset" bigint, length int`;

/**
 * SQL that stores vectors, ordered by descriptor, so that comparing vectors of one descriptor reads few pages of
 * others.
 */
const embeddingsSql = `
     v AS MATERIALIZED (
       SELECT e.id, v.value AS made FROM r JOIN e USING (receipt_id), jsonb_array_elements(r.vectors) AS v
       ORDER BY v.value->>'descriptor'),
     fewer AS (
       DELETE FROM embedding_moments m USING v WHERE m.tenant_id = $1 AND m.episode_id = v.id
         AND m.descriptor = made->>'descriptor' AND m.part > jsonb_array_length(coalesce(made->'moments', '[]'))),
     whole AS (
       INSERT INTO embeddings (tenant_id, descriptor, episode_id, project_id, version, layout, vector, reason)
       SELECT $1, made->>'descriptor', id, $3, (made->>'version')::int, coalesce(made->>'layout', ''),
         (made->>'vector')::vector, made->>'reason'
       FROM v
       ON CONFLICT (tenant_id, descriptor, episode_id) DO UPDATE SET version = excluded.version,
         layout = excluded.layout, vector = excluded.vector, reason = excluded.reason),
     parts AS (
       INSERT INTO embedding_moments
         (tenant_id, descriptor, episode_id, part, project_id, version, layout, from_s, to_s, vector)
       SELECT $1, made->>'descriptor', id, place, $3, (made->>'version')::int, made->>'layout',
         (m->>'from_s')::float8, (m->>'to_s')::float8, (m->>'vector')::vector
       FROM v, jsonb_array_elements(coalesce(made->'moments', '[]')) WITH ORDINALITY AS m (m, place)
       ON CONFLICT (tenant_id, descriptor, episode_id, part) DO UPDATE SET version = excluded.version,
         layout = excluded.layout, from_s = excluded.from_s, to_s = excluded.to_s, vector = excluded.vector)`;

const samplesSql = `
     sampled AS (
       INSERT INTO curation_samples (tenant_id, episode_id, project_id, version, content_hash, head_s, tail_s, layout,
         state_dims, action_dims, rows, states, actions)
       SELECT $1, e.id, $3, (s->>'version')::int, s->>'content_hash', (s->'idle'->>'head_s')::float8,
         (s->'idle'->>'tail_s')::float8, p->>'layout', (p->>'state_dims')::int, (p->>'action_dims')::int,
         (p->>'rows')::int, decode(p->>'states', 'base64'), decode(p->>'actions', 'base64')
       FROM (SELECT receipt_id, sample AS s, sample->'pairs' AS p FROM r WHERE sample->>'version' IS NOT NULL) AS made
         JOIN e USING (receipt_id)
       ON CONFLICT (tenant_id, episode_id) DO UPDATE SET version = excluded.version,
         content_hash = excluded.content_hash, head_s = excluded.head_s, tail_s = excluded.tail_s,
         layout = excluded.layout, state_dims = excluded.state_dims, action_dims = excluded.action_dims,
         rows = excluded.rows, states = excluded.states, actions = excluded.actions)`;

/** Columns that a later run updates of an existing episode. */
const updatedColumns = [
  'run_id',
  'receipt_id',
  'index',
  'kind',
  'derived_kind',
  'decision',
  'score',
  'graded_fraction',
  'duration_s',
  'start_ns',
  'robot',
  'task',
  'cameras',
  'depth_cameras',
  'pictures',
  'picture_mpx',
  'outcome',
  'flags',
  'objects',
  'shard_blob',
  'shard_place',
  'updated_at',
];

/**
 * Adds or updates the episodes of judged units with their receipts, vectors and samples in one statement; existing episodes
 * keep their id and reviews. Must run in a transaction.
 */
export async function upsertEpisodes(
  { database, tenant_id, run_id, project_id, source_id }: JudgedRun,
  episodes: JsonText<readonly JudgedEpisode[]>,
): Promise<void> {
  await lockKinds({ database, tenant_id }, project_id, 'change');
  await database.query(
    `WITH r AS MATERIALIZED (SELECT * FROM json_to_recordset($5::json) AS r (${episodeColumns})),
     e AS (
       INSERT INTO episodes (tenant_id, id, project_id, source_id, run_id, receipt_id, dataset_path, name, index, format,
         kind, derived_kind, decision, score, graded_fraction, duration_s, start_ns, robot, task, cameras, depth_cameras, pictures, picture_mpx, outcome, shard_blob,
         shard_place, flags, objects, created_at, updated_at)
       SELECT $1, id, $3, $4, $2, receipt_id, dataset_path, name, index, format, kind, derived_kind, decision, score,
         graded_fraction, duration_s, start_ns, robot, task, cameras, coalesce(depth_cameras, 0), coalesce(pictures, 0), picture_mpx, outcome, shard_blob, shard_place,
         ARRAY(SELECT json_array_elements_text(flags)), ARRAY(SELECT json_array_elements_text(objects)), now(), now()
       FROM r
       ON CONFLICT (tenant_id, source_id, dataset_path, format, name) DO UPDATE SET
         ${updatedColumns.map((column) => `${column} = excluded.${column}`).join(', ')}
       RETURNING id, receipt_id),
     ${embeddingsSql},
     ${samplesSql}
     INSERT INTO receipts (tenant_id, id, episode_id, run_id, content_hash, settings_hash, pack_blob, "offset", length,
         created_at)
       SELECT $1, r.receipt_id, e.id, $2, content_hash, settings_hash, pack_blob, "offset", length, now()
       FROM r JOIN e USING (receipt_id)
       ON CONFLICT (tenant_id, episode_id, run_id) DO UPDATE SET id = excluded.id,
         content_hash = excluded.content_hash, pack_blob = excluded.pack_blob, "offset" = excluded."offset",
         length = excluded.length`,
    [tenant_id, run_id, project_id, source_id, episodes],
  );
}
