import type { JsonText } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { Kind } from '#core/episode';
import type { Database } from '../../database/database.ts';
import type { RunError } from '../../schema/runs.ts';
import { pictureCount } from './annotation-inputs.ts';

/** Identifies a running job. */
export interface JobWork {
  readonly database: Database;
  readonly tenant_id: string;
  readonly job_id: string;
}

/** Selects the episodes of a job. */
export interface ItemQuery {
  readonly project_id: string;
  readonly layer: JobLayerId;
  /** Null: all episodes of the project. */
  readonly episode_ids: readonly string[] | null;
  /** Only episodes last judged by this run; null: by any run. */
  readonly run_id: string | null;
  /** Stream kinds to which the layer applies. */
  readonly kinds: readonly Kind[];
  /** Also episodes that are already annotated in the layer. */
  readonly force: boolean;
  /** Except episodes annotated by one of these jobs with the same settings. */
  readonly done_by: readonly string[];
  readonly config_hash: string;
}

/** Totals of the selected episodes. */
export interface ItemTotals {
  /** Selected episodes to which the layer applies, and those of them that already have its output. */
  readonly asked: number;
  readonly covered: number;
  /** Totals of the episodes to annotate. */
  readonly items: number;
  readonly duration_s: number;
  readonly cameras: number;
  readonly pictures: number;
  /** Mean size of their pictures in megapixels; null if unknown. */
  readonly picture_mpx: number | null;
}

/**
 * Adds the selected episodes that are not annotated yet (with `force` all but those of `done_by`) to a job, ordered by the
 * position of their numbers in shards, and returns the totals. In jobs of a run, places count all episodes of the run, so that
 * they are equal in all its layers.
 */
export async function insertItems(
  { database, tenant_id, job_id }: JobWork,
  { project_id, layer, episode_ids, run_id, kinds, force, done_by, config_hash }: ItemQuery,
): Promise<ItemTotals> {
  const { rows } = await database.query(
    `WITH all_of AS MATERIALIZED (
       SELECT e.id, e.shard_blob, e.shard_place, e.duration_s, e.cameras, e.pictures, e.picture_mpx, e.stream_kind,
         row_number() OVER (ORDER BY shard_blob, shard_place, id) - 1 AS place
       FROM episodes e
       WHERE e.tenant_id = $1 AND e.project_id = $3 AND ($6::text[] IS NULL OR e.id = ANY($6))
         AND ($7::text IS NULL OR e.run_id = $7)),
     asked AS MATERIALIZED (
       SELECT e.*, a.id IS NOT NULL AND ($8 OR a.not_produced IS NULL) AND ${isCurrentCondition} AND (NOT $8 OR a.job_id IN (SELECT id FROM jobs j WHERE j.tenant_id = $1 AND j.id = ANY($9) AND j.config_hash = $10)) AS covered
       FROM all_of e LEFT JOIN annotations a ON a.tenant_id = $1 AND a.episode_id = e.id AND a.layer = $4
       WHERE e.stream_kind = ANY($5)),
     wanted AS MATERIALIZED (SELECT * FROM asked WHERE NOT covered),
     added AS (
       INSERT INTO job_items (tenant_id, job_id, place, episode_id, state)
       SELECT $1, $2, CASE WHEN $7::text IS NULL THEN row_number() OVER (ORDER BY place) - 1 ELSE place END, id, 'waiting'
       FROM wanted)
     SELECT (SELECT count(*) FROM asked)::int AS asked, (SELECT count(*) FROM asked WHERE covered)::int AS covered,
       count(*)::int AS items, coalesce(sum(duration_s), 0) AS duration_s, coalesce(sum(cameras), 0)::int AS cameras,
       coalesce(sum(${pictureCount}), 0)::float8 AS pictures, avg(picture_mpx) AS picture_mpx
     FROM wanted`,
    [...[tenant_id, job_id, project_id, layer, kinds, episode_ids, run_id, force], ...[done_by, config_hash]],
  );
  return rows[0];
}

/**
 * Condition that an annotation is current. A review (`a`, of the layer $4) is outdated when a layer that it examined
 * was annotated again; other layers do not become outdated.
 */
const isCurrentCondition = `($4 <> 'annotation_review' OR NOT EXISTS (SELECT 1 FROM annotations n
         WHERE n.tenant_id = $1 AND n.episode_id = e.id AND n.layer <> $4 AND n.produced_at > a.produced_at))`;

/** Returns true if a project has an episode of one of these stream kinds that was last judged by the run. */
export async function hasEpisodes(
  database: Database,
  tenant_id: string,
  { project_id, run_id, stream_kinds }: { project_id: string; run_id: string; stream_kinds: readonly Kind[] },
): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT EXISTS (SELECT 1 FROM episodes WHERE tenant_id = $1 AND project_id = $2 AND run_id = $3
       AND stream_kind = ANY($4)) AS any`,
    [tenant_id, project_id, run_id, stream_kinds],
  );
  return rows[0].any;
}

/** Deletes all items of a job; only for a job that no worker has seen yet. */
export async function deleteItems({ database, tenant_id, job_id }: JobWork): Promise<void> {
  await database.query('DELETE FROM job_items WHERE tenant_id = $1 AND job_id = $2', [tenant_id, job_id]);
}

/** Returns the items of a job that are still to be annotated, in order, with their number of crashed workers. */
export async function listWaiting(
  { database, tenant_id, job_id }: JobWork,
  places: Places,
): Promise<{ readonly place: number; readonly deaths: number }[]> {
  const { placed, values } = placeCondition(places, 3);
  const { rows } = await database.query(
    `SELECT place, deaths FROM job_items WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting' AND ${placed}
     ORDER BY place`,
    [tenant_id, job_id, ...values],
  );
  return rows;
}

/** Identifies jobs that share episodes: a place means the same episode in each of them. */
export interface SharedWork {
  readonly database: Database;
  readonly tenant_id: string;
  readonly job_ids: readonly string[];
}

/** Items claimed by a worker. */
export interface ClaimedItems<Item> {
  /** Items in order, each episode once. */
  readonly items: JsonText<readonly Item[]>;
  /** Claimed `[place, attempt]` pairs by job; jobs without claimed items are missing. */
  readonly attempts: Readonly<Record<string, readonly (readonly [place: number, attempt: number])[]>>;
  /** Jobs with claimed items that were tried before without any outcome, because their process stopped. */
  readonly interrupted: readonly string[];
}

/** Options of `claimItems`. */
export interface ClaimItemsOptions {
  readonly worker: string;
  readonly places: Places;
  /** Counts each item as a crash until `releaseItems` is called. */
  readonly suspect: boolean;
  /** Layers whose artifacts are included in the items, where the episodes have them. */
  readonly outputs_of: readonly LayerId[];
}

/**
 * Claims the waiting items at some places for a worker and returns them with what it needs to annotate them; workers that
 * claimed them before can no longer commit them.
 */
export async function claimItems<Item>(
  { database, tenant_id, job_ids }: SharedWork,
  { worker, places, suspect, outputs_of }: ClaimItemsOptions,
): Promise<ClaimedItems<Item>> {
  const { placed, values } = placeCondition(places, 5);
  const outputs = `(SELECT json_object_agg(a.layer, json_build_object('blob', a.artifact_blob,
       'offset', a.artifact_offset, 'length', a.artifact_length, 'hash', a.artifact_hash))
     FROM annotations a WHERE a.tenant_id = $1 AND a.episode_id = c.episode_id AND a.not_produced IS NULL AND a.layer = ANY($${5 + values.length}))`;
  const { rows } = await database.query(
    `WITH claimed AS (
       UPDATE job_items SET attempt = attempt + 1, worker = $3, deaths = deaths + $4
       WHERE tenant_id = $1 AND job_id = ANY($2) AND state = 'waiting' AND ${placed}
       RETURNING job_id, place, attempt, episode_id, attempt - 1 > faults AS interrupted)
     SELECT
       (SELECT coalesce(json_agg(json_build_object('place', c.place, 'episode_id', c.episode_id,
           'shard_blob', e.shard_blob, 'shard_place', e.shard_place,
           'pack_blob', r.pack_blob, 'offset', r."offset", 'length', r.length, 'source_id', e.source_id,
           'dataset_path', e.dataset_path, 'dataset', ${datasetKey('e')}, 'index', e.index, 'start_ns', e.start_ns,
           'outputs', ${outputs_of.length === 0 ? 'NULL' : outputs}) ORDER BY c.place), '[]')::text
         FROM (SELECT DISTINCT place, episode_id FROM claimed) AS c
         LEFT JOIN episodes e ON e.tenant_id = $1 AND e.id = c.episode_id
         LEFT JOIN receipts r ON r.tenant_id = $1 AND r.id = e.receipt_id) AS items,
       (SELECT coalesce(json_object_agg(job_id, taken), '{}') FROM (
         SELECT job_id, json_agg(json_build_array(place, attempt) ORDER BY place) AS taken
         FROM claimed GROUP BY job_id) AS own) AS attempts,
       (SELECT coalesce(json_agg(DISTINCT job_id), '[]') FROM claimed WHERE interrupted) AS interrupted`,
    [
      tenant_id,
      job_ids,
      worker,
      suspect ? 1 : 0,
      ...values,
      ...(outputs_of.length === 0 ? [] : [outputs_of]),
    ],
  );
  return rows[0];
}

/** Returns the SQL expression that identifies the dataset of an episode among all runs. */
const datasetKey = (episode: string): string =>
  `${episode}.run_id || ' ' || ${episode}.format || ' ' || ${episode}.dataset_path`;

/** Sources and datasets of claimed items. */
export interface FoundRecordings {
  readonly source_ids: readonly string[];
  /** Data by which a reader opens each dataset again, by dataset key. */
  readonly datasets: Readonly<Record<string, unknown>>;
}

/** Returns the sources and datasets of the waiting items that a worker has claimed. */
export async function findRecordings(
  { database, tenant_id, job_ids }: SharedWork,
  worker: string,
  places: Places,
): Promise<FoundRecordings> {
  const { placed, values } = placeCondition(places, 4);
  const { rows } = await database.query(
    `WITH taken AS (SELECT DISTINCT episode_id FROM job_items
       WHERE tenant_id = $1 AND job_id = ANY($2) AND worker = $3 AND state = 'waiting' AND ${placed}),
     found AS (SELECT DISTINCT e.source_id, e.run_id, e.format, e.dataset_path
       FROM taken JOIN episodes e ON e.tenant_id = $1 AND e.id = taken.episode_id),
     known AS (SELECT DISTINCT ON (dataset) ${datasetKey('f')} AS dataset, d.claim
       FROM found f JOIN run_datasets d
         ON d.tenant_id = $1 AND d.run_id = f.run_id AND d.format = f.format AND d.path = f.dataset_path)
     SELECT (SELECT coalesce(json_agg(DISTINCT source_id), '[]') FROM found) AS source_ids,
       (SELECT coalesce(json_object_agg(dataset, claim), '{}') FROM known) AS datasets`,
    [tenant_id, job_ids, worker, ...values],
  );
  return rows[0];
}

/**
 * Releases the waiting items at some places that a worker has claimed, so that others can take them; with `suspect` it takes
 * back the crash that `claimItems` counted.
 */
export async function releaseItems(
  { database, tenant_id, job_id }: JobWork,
  worker: string,
  places: Places,
  suspect: boolean,
): Promise<void> {
  const { placed, values } = placeCondition(places, 5);
  await database.query(
    `UPDATE job_items SET worker = NULL, deaths = greatest(0, deaths - $4)
     WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting' AND worker = $3 AND ${placed}`,
    [tenant_id, job_id, worker, suspect ? 1 : 0, ...values],
  );
}

/** Returns true if a worker has claimed a waiting item of the job. */
export async function hasClaimedItems({ database, tenant_id, job_id }: JobWork): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT EXISTS (SELECT 1 FROM job_items WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting'
       AND worker IS NOT NULL) AS held`,
    [tenant_id, job_id],
  );
  return rows[0].held;
}

/** Ends the waiting items at some places (null: all) as failed or skipped, and returns their number. */
export async function endWaiting(
  { database, tenant_id, job_id }: JobWork,
  state: 'failed' | 'skipped',
  error: RunError | null,
  places: Places | null,
): Promise<number> {
  const { placed, values } = places === null ? { placed: 'true', values: [] } : placeCondition(places, 5);
  const { rowCount } = await database.query(
    `UPDATE job_items SET state = $3, error = coalesce($4::jsonb, error)
     WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting' AND ${placed}`,
    [tenant_id, job_id, state, error === null ? null : JSON.stringify(error), ...values],
  );
  return rowCount ?? 0;
}

/** A failed episode of a job. */
export interface JobFailure {
  readonly job_id: string;
  readonly episode_id: string;
  readonly error: RunError;
}

/** Returns the first failed episodes of each job with their errors, at most `maxRows` per job. */
export async function listFailures(
  database: Database,
  tenant_id: string,
  job_ids: readonly string[],
  maxRows: number,
): Promise<JobFailure[]> {
  const { rows } = await database.query(
    `SELECT j.id AS job_id, f.episode_id, f.error FROM unnest($2::text[]) AS j (id)
     CROSS JOIN LATERAL (SELECT episode_id, error FROM job_items
       WHERE tenant_id = $1 AND job_id = j.id AND state = 'failed' ORDER BY place LIMIT $3) AS f`,
    [tenant_id, job_ids, maxRows],
  );
  return rows;
}

/** Places of units or episodes: an inclusive range, or a list. */
export type Places = { readonly from: number; readonly to: number } | { readonly places: readonly number[] };

/**
 * Returns a SQL condition that the column `place` is in a range or list, with parameters from `$n` on, and their values. There
 * are two forms, because one with an OR would read all rows.
 */
export function placeCondition(
  places: Places,
  n: number,
): { readonly placed: string; readonly values: readonly unknown[] } {
  if ('places' in places) return { placed: `place = ANY($${n})`, values: [places.places] };
  return { placed: `place BETWEEN $${n} AND $${n + 1}`, values: [places.from, places.to] };
}
