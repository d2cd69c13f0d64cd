import type { JsonText } from '#core';
import type { JobLayerId, LayerId } from '#core/api';
import type { Kind } from '#core/episode';
import type { Database } from '../../database/database.ts';
import type { RunError } from '../../schema/runs.ts';
import { type Places, placedIn } from './places.ts';

/** A job being worked on. */
export interface JobWork {
  readonly database: Database;
  readonly tenant_id: string;
  readonly job_id: string;
}

/** Which episodes a job is to do. */
export interface ItemQuery {
  readonly project_id: string;
  readonly layer: JobLayerId;
  /** Null: all of the project. */
  readonly episode_ids: readonly string[] | null;
  /** Only those that this run judged last; null: whichever run. */
  readonly run_id: string | null;
  /** Kinds, by the streams, that can carry the layer. */
  readonly kinds: readonly Kind[];
  /** Those too that carry the layer already. */
  readonly force: boolean;
  /** But not those to which one of these jobs gave it, in the same way. */
  readonly done_by: readonly string[];
  readonly config_hash: string;
}

/** What was asked for, and what of it is to be done. */
export interface ItemTotals {
  /** Episodes that were asked for and can carry the layer, and those of them that do already. */
  readonly asked: number;
  readonly covered: number;
  /** Of those that are to be done. */
  readonly items: number;
  readonly duration_s: number;
  readonly cameras: number;
}

/**
 * Adds the episodes of a job, those whose numbers lie side by side next to each other. Places of a run's jobs are those
 * among all its episodes, so that they are the same in each of its layers.
 */
export async function insertItems(
  { database, tenant_id, job_id }: JobWork,
  { project_id, layer, episode_ids, run_id, kinds, force, done_by, config_hash }: ItemQuery,
): Promise<ItemTotals> {
  const { rows } = await database.query(
    `WITH all_of AS MATERIALIZED (
       SELECT e.id, e.shard_blob, e.shard_place, e.duration_s, e.cameras, e.stream_kind,
         row_number() OVER (ORDER BY shard_blob, shard_place, id) - 1 AS place
       FROM episodes e
       WHERE e.tenant_id = $1 AND e.project_id = $3 AND ($6::text[] IS NULL OR e.id = ANY($6))
         AND ($7::text IS NULL OR e.run_id = $7)),
     asked AS MATERIALIZED (
       SELECT e.*, a.id IS NOT NULL AND ${isCurrent} AND (NOT $8 OR (a.job_id = ANY($9) AND a.config_hash = $10)) AS covered
       FROM all_of e LEFT JOIN annotations a ON a.tenant_id = $1 AND a.episode_id = e.id AND a.layer = $4
       WHERE e.stream_kind = ANY($5)),
     wanted AS MATERIALIZED (SELECT * FROM asked WHERE NOT covered),
     added AS (
       INSERT INTO job_items (tenant_id, job_id, place, episode_id, state)
       SELECT $1, $2, CASE WHEN $7::text IS NULL THEN row_number() OVER (ORDER BY place) - 1 ELSE place END, id, 'waiting'
       FROM wanted)
     SELECT (SELECT count(*) FROM asked)::int AS asked, (SELECT count(*) FROM asked WHERE covered)::int AS covered,
       count(*)::int AS items, coalesce(sum(duration_s), 0) AS duration_s, coalesce(sum(cameras), 0)::int AS cameras
     FROM wanted`,
    [...[tenant_id, job_id, project_id, layer, kinds, episode_ids, run_id, force], ...[done_by, config_hash]],
  );
  return rows[0];
}

/** A review (`a`, of the layer $4) is over when a layer that it looked at was made again; nothing else ages. */
const isCurrent = `($4 <> 'annotation_review' OR NOT EXISTS (SELECT 1 FROM annotations n
         WHERE n.tenant_id = $1 AND n.episode_id = e.id AND n.layer <> $4 AND n.produced_at > a.produced_at))`;

/** Whether a project has an episode of these kinds that this run judged last. */
export async function anyEpisode(
  database: Database,
  tenant_id: string,
  { project_id, run_id, kinds }: { project_id: string; run_id: string; kinds: readonly Kind[] },
): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT EXISTS (SELECT 1 FROM episodes WHERE tenant_id = $1 AND project_id = $2 AND run_id = $3
       AND stream_kind = ANY($4)) AS any`,
    [tenant_id, project_id, run_id, kinds],
  );
  return rows[0].any;
}

/** Takes the episodes of a job back that nobody has seen. */
export async function deleteItems({ database, tenant_id, job_id }: JobWork): Promise<void> {
  await database.query('DELETE FROM job_items WHERE tenant_id = $1 AND job_id = $2', [tenant_id, job_id]);
}

/** Episodes of a job that are still to be done, in order. */
export async function listWaiting(
  { database, tenant_id, job_id }: JobWork,
  places: Places,
): Promise<{ readonly place: number; readonly deaths: number }[]> {
  const { placed, values } = placedIn(places, 3);
  const { rows } = await database.query(
    `SELECT place, deaths FROM job_items WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting' AND ${placed}
     ORDER BY place`,
    [tenant_id, job_id, ...values],
  );
  return rows;
}

/** Work of several jobs on the same episodes: a place means the same one in each. */
export interface SharedWork {
  readonly database: Database;
  readonly tenant_id: string;
  readonly job_ids: readonly string[];
}

/** What a worker has taken. */
export interface ClaimedItems<Item> {
  /** In order, each episode once. */
  readonly items: JsonText<readonly Item[]>;
  /** By job: `[place, attempt][]` of what was still to be done there; none of a job where that was nothing. */
  readonly attempts: Readonly<Record<string, readonly (readonly [place: number, attempt: number])[]>>;
}

export interface ClaimItemsOptions {
  readonly worker: string;
  readonly places: Places;
  /** Until `releaseItems` it counts as a death. */
  readonly suspect: boolean;
  /** Layers whose artifacts the items are to name, where the episodes carry them. */
  readonly outputs_of: readonly LayerId[];
}

/** Takes episodes that are still to be done: whoever took them before can commit them no more. */
export async function claimItems<Item>(
  { database, tenant_id, job_ids }: SharedWork,
  { worker, places, suspect, outputs_of }: ClaimItemsOptions,
): Promise<ClaimedItems<Item>> {
  const { placed, values } = placedIn(places, 5);
  const outputs = `(SELECT json_object_agg(a.layer, json_build_object('blob', a.artifact_blob,
       'offset', a.artifact_offset, 'length', a.artifact_length, 'hash', a.artifact_hash))
     FROM annotations a WHERE a.tenant_id = $1 AND a.episode_id = c.episode_id AND a.layer = ANY($${5 + values.length}))`;
  const { rows } = await database.query(
    `WITH claimed AS (
       UPDATE job_items SET attempt = attempt + 1, worker = $3, deaths = deaths + $4
       WHERE tenant_id = $1 AND job_id = ANY($2) AND state = 'waiting' AND ${placed}
       RETURNING job_id, place, attempt, episode_id)
     SELECT
       (SELECT coalesce(json_agg(json_build_object('place', c.place, 'episode_id', c.episode_id,
           'shard_blob', e.shard_blob, 'shard_place', e.shard_place,
           'pack_blob', r.pack_blob, 'offset', r."offset", 'length', r.length, 'source_id', e.source_id,
           'dataset_path', e.dataset_path, 'dataset', ${datasetOf('e')}, 'index', e.index, 'start_ns', e.start_ns,
           'outputs', ${outputs_of.length === 0 ? 'NULL' : outputs}) ORDER BY c.place), '[]')::text
         FROM (SELECT DISTINCT place, episode_id FROM claimed) AS c
         LEFT JOIN episodes e ON e.tenant_id = $1 AND e.id = c.episode_id
         LEFT JOIN receipts r ON r.tenant_id = $1 AND r.id = e.receipt_id) AS items,
       (SELECT coalesce(json_object_agg(job_id, taken), '{}') FROM (
         SELECT job_id, json_agg(json_build_array(place, attempt) ORDER BY place) AS taken
         FROM claimed GROUP BY job_id) AS own) AS attempts`,
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

/** Unlike any other dataset of any run. */
const datasetOf = (episode: string): string =>
  `${episode}.run_id || ' ' || ${episode}.format || ' ' || ${episode}.dataset_path`;

/** Where the episodes that a worker has taken were found. */
export interface FoundRecordings {
  readonly source_ids: readonly string[];
  /** By dataset, as items name it: how a reader opens it again. */
  readonly datasets: Readonly<Record<string, unknown>>;
}

export async function findRecordings(
  { database, tenant_id, job_ids }: SharedWork,
  worker: string,
  places: Places,
): Promise<FoundRecordings> {
  const { placed, values } = placedIn(places, 4);
  const { rows } = await database.query(
    `WITH taken AS (SELECT DISTINCT episode_id FROM job_items
       WHERE tenant_id = $1 AND job_id = ANY($2) AND worker = $3 AND state = 'waiting' AND ${placed}),
     found AS (SELECT DISTINCT e.source_id, e.run_id, e.format, e.dataset_path
       FROM taken JOIN episodes e ON e.tenant_id = $1 AND e.id = taken.episode_id),
     known AS (SELECT DISTINCT ON (dataset) ${datasetOf('f')} AS dataset, d.claim
       FROM found f JOIN run_datasets d
         ON d.tenant_id = $1 AND d.run_id = f.run_id AND d.format = f.format AND d.path = f.dataset_path)
     SELECT (SELECT coalesce(json_agg(DISTINCT source_id), '[]') FROM found) AS source_ids,
       (SELECT coalesce(json_object_agg(dataset, claim), '{}') FROM known) AS datasets`,
    [tenant_id, job_ids, worker, ...values],
  );
  return rows[0];
}

/** Gives back what a living worker had taken and not finished. */
export async function releaseItems(
  { database, tenant_id, job_id }: JobWork,
  worker: string,
  places: Places,
  suspect: boolean,
): Promise<void> {
  const { placed, values } = placedIn(places, 5);
  await database.query(
    `UPDATE job_items SET worker = NULL, deaths = greatest(0, deaths - $4)
     WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting' AND worker = $3 AND ${placed}`,
    [tenant_id, job_id, worker, suspect ? 1 : 0, ...values],
  );
}

/** Whether a worker holds an episode of a job that is still to be done. */
export async function anyHeld({ database, tenant_id, job_id }: JobWork): Promise<boolean> {
  const { rows } = await database.query(
    `SELECT EXISTS (SELECT 1 FROM job_items WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting'
       AND worker IS NOT NULL) AS held`,
    [tenant_id, job_id],
  );
  return rows[0].held;
}

/** Ends episodes that are still to be done; gives how many. */
export async function endWaiting(
  { database, tenant_id, job_id }: JobWork,
  state: 'failed' | 'skipped',
  error: RunError | null,
  places: Places | null,
): Promise<number> {
  const { placed, values } = places === null ? { placed: 'true', values: [] } : placedIn(places, 5);
  const { rowCount } = await database.query(
    `UPDATE job_items SET state = $3, error = coalesce($4::jsonb, error)
     WHERE tenant_id = $1 AND job_id = $2 AND state = 'waiting' AND ${placed}`,
    [tenant_id, job_id, state, error === null ? null : JSON.stringify(error), ...values],
  );
  return rowCount ?? 0;
}

export interface JobFailure {
  readonly job_id: string;
  readonly episode_id: string;
  readonly error: RunError;
}

/** The first episodes of each job that failed, with the reason. */
export async function listFailures(
  database: Database,
  tenant_id: string,
  job_ids: readonly string[],
  most: number,
): Promise<JobFailure[]> {
  const { rows } = await database.query(
    `SELECT j.id AS job_id, f.episode_id, f.error FROM unnest($2::text[]) AS j (id)
     CROSS JOIN LATERAL (SELECT episode_id, error FROM job_items
       WHERE tenant_id = $1 AND job_id = j.id AND state = 'failed' ORDER BY place LIMIT $3) AS f`,
    [tenant_id, job_ids, most],
  );
  return rows;
}
