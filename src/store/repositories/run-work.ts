import { type JsonText, toJson } from '#core';
import type { Finding, Kind } from '#core/episode';
import type { Database } from '../database/database.ts';
import type { PackEntry } from '../schema/runs.ts';
import { type Places, placeCondition } from './annotation/job-items.ts';

/** Identifies a running run. */
export interface RunWork {
  readonly database: Database;
  readonly tenant_id: string;
  readonly run_id: string;
}

/** A measured unit, as workers send it in JSON. */
export interface MeasuredRow {
  readonly place: number;
  readonly attempt: number;
  readonly state: 'measured' | 'failed';
  readonly bytes: number;
  readonly episodes: number;
  readonly unreadable: number;
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly findings: readonly Finding[];
  readonly error: Finding | null;
  readonly measured_blob: string | null;
  readonly pack_entry: PackEntry | null;
  readonly shard_blob: string | null;
  readonly compute_s: number;
}

/** Totals of units. */
export interface Totals {
  readonly units: number;
  readonly episodes: number;
  readonly unreadable: number;
  readonly bytes: number;
  readonly compute_s: number;
}

/** Deletes the units and datasets of an earlier look (listing), before those of a new one are added. */
export async function clearLook({ database, tenant_id, run_id }: RunWork): Promise<void> {
  for (const table of ['run_units', 'run_datasets']) {
    await database.query(`DELETE FROM ${table} WHERE tenant_id = $1 AND run_id = $2`, [tenant_id, run_id]);
  }
}

/** A unit found by listing. */
interface FoundUnit {
  readonly place: number;
  readonly dataset: number;
  readonly unit: object;
}

/** Adds units to a run, in the state `waiting`. */
export async function insertUnits(
  { database, tenant_id, run_id }: RunWork,
  units: JsonText<readonly FoundUnit[]>,
): Promise<void> {
  await database.query(
    `INSERT INTO run_units (tenant_id, run_id, place, dataset, unit, state, attempt, episodes, unreadable, kinds,
       findings, compute_s)
     SELECT $1, $2, place, dataset, unit, 'waiting', 0, 0, 0, '{}', '[]', 0
     FROM json_to_recordset($3::json) AS u (place int, dataset int, unit jsonb)`,
    [tenant_id, run_id, units],
  );
}

/** A dataset found by listing. */
interface FoundDataset {
  readonly place: number;
  readonly path: string;
  readonly format: string;
  readonly recognised: object;
  readonly root: string;
  readonly facts: object;
  readonly evidence: readonly string[];
  readonly findings: readonly Finding[];
}

/** Adds datasets that were found to a run, without results. */
export async function insertDatasets(
  { database, tenant_id, run_id }: RunWork,
  datasets: JsonText<readonly FoundDataset[]>,
): Promise<void> {
  await database.query(
    `INSERT INTO run_datasets (tenant_id, run_id, place, path, format, claim, root, facts, evidence, findings, kinds,
       compared, episodes, unreadable)
     SELECT $1, $2, place, path, format, recognised, root, facts, evidence, findings, '{}', '[]', 0, 0
     FROM json_to_recordset($3::json) AS d (place int, path text, format text, recognised jsonb, root text, facts jsonb,
       evidence jsonb, findings jsonb)`,
    [tenant_id, run_id, datasets],
  );
}

/** Returns the datasets of a run as JSON text for worker threads, in order. */
export async function datasetsAsJson<Dataset>({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<JsonText<readonly Dataset[]>> {
  const { rows } = await database.query(
    `SELECT coalesce(json_agg(json_build_object('place', place, 'path', path, 'format', format, 'recognised', claim,
       'root', root, 'facts', facts) ORDER BY place), '[]')::text AS json
     FROM run_datasets WHERE tenant_id = $1 AND run_id = $2`,
    [tenant_id, run_id],
  );
  return rows[0].json;
}

/** States of unfinished units. */
type OpenState = 'waiting' | 'measured';

/** Returns the units at some places that wait for measuring, in order, with the number of crashed workers of each. */
export async function listWaiting(
  { database, tenant_id, run_id }: RunWork,
  places: Places,
): Promise<{ readonly place: number; readonly deaths: number }[]> {
  const { placed, values } = placeCondition(places, 3);
  const { rows } = await database.query(
    `SELECT place, deaths FROM run_units WHERE tenant_id = $1 AND run_id = $2 AND state = 'waiting' AND ${placed}
     ORDER BY place`,
    [tenant_id, run_id, ...values],
  );
  return rows;
}

/** Options of `claimUnits`. */
export interface ClaimUnitsOptions {
  readonly places: Places;
  readonly state: OpenState;
  readonly worker: string;
  /** Counts each unit as a crash until `clearSuspicion` is called. */
  readonly suspect: boolean;
}

/**
 * Claims the units at some places that are in a state for a worker and returns them as JSON text, in order, with their number;
 * workers that claimed them before can no longer commit them.
 */
export async function claimUnits<Unit>(
  { database, tenant_id, run_id }: RunWork,
  { places, state, worker, suspect }: ClaimUnitsOptions,
): Promise<{ readonly units: JsonText<readonly Unit[]>; readonly count: number }> {
  const { placed, values } = placeCondition(places, 6);
  const { rows } = await database.query(
    `WITH claimed AS (
       UPDATE run_units SET attempt = attempt + 1, worker = $4, deaths = deaths + $5
       WHERE tenant_id = $1 AND run_id = $2 AND state = $3 AND ${placed}
       RETURNING place, dataset, attempt, unit, measured_blob, pack_entry, shard_blob)
     SELECT count(*)::int AS count, coalesce(json_agg(${unitJson[state]} ORDER BY place), '[]')::text AS units FROM claimed`,
    [tenant_id, run_id, state, worker, suspect ? 1 : 0, ...values],
  );
  return rows[0];
}

/** Takes back the crash that `claimUnits` counted for the waiting units at some places, because the process is alive. */
export async function clearSuspicion(
  { database, tenant_id, run_id }: RunWork,
  places: Places,
): Promise<void> {
  const { placed, values } = placeCondition(places, 3);
  await database.query(
    `UPDATE run_units SET deaths = deaths - 1
     WHERE tenant_id = $1 AND run_id = $2 AND state = 'waiting' AND deaths > 0 AND ${placed}`,
    [tenant_id, run_id, ...values],
  );
}

const unitJson = {
  waiting: `json_build_object('place', place, 'dataset', dataset, 'attempt', attempt, 'unit', unit)`,
  measured: `json_build_object('place', place, 'dataset', dataset, 'attempt', attempt, 'measured_blob', measured_blob,
    'pack_entry', pack_entry, 'shard_blob', shard_blob)`,
} as const;

/** Stores units that `worker` measured and returns their totals; units that were reassigned to another worker are ignored. */
export async function commitMeasured(
  { database, tenant_id, run_id }: RunWork,
  worker: string,
  units: JsonText<readonly MeasuredRow[]>,
): Promise<Totals> {
  const { rows } = await database.query(
    `WITH r AS (SELECT * FROM json_to_recordset($4::json) AS r (place int, attempt int, state text, bytes bigint,
         episodes int, unreadable int, kinds jsonb, findings jsonb, error jsonb, measured_blob text, pack_entry jsonb,
         shard_blob text, compute_s float8)),
     done AS (
       UPDATE run_units u SET state = r.state, episodes = r.episodes, unreadable = r.unreadable, kinds = r.kinds,
         findings = r.findings, error = r.error, measured_blob = r.measured_blob,
         pack_entry = r.pack_entry, shard_blob = r.shard_blob, compute_s = u.compute_s + r.compute_s
       FROM r WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.place = r.place AND u.attempt = r.attempt
         AND u.worker = $3 AND u.state = 'waiting'
       RETURNING r.episodes, r.unreadable, r.bytes, r.compute_s)
     SELECT count(*)::int AS units, coalesce(sum(episodes), 0)::int AS episodes,
       coalesce(sum(unreadable), 0)::int AS unreadable, coalesce(sum(bytes), 0)::float8 AS bytes,
       coalesce(sum(compute_s), 0) AS compute_s FROM done`,
    [tenant_id, run_id, worker, units],
  );
  return rows[0];
}

/** Returns true if any unit of the run is in this state. */
export async function hasUnitsInState(
  { database, tenant_id, run_id }: RunWork,
  state: OpenState,
): Promise<boolean> {
  const { rows } = await database.query(
    'SELECT EXISTS (SELECT 1 FROM run_units WHERE tenant_id = $1 AND run_id = $2 AND state = $3) AS any',
    [tenant_id, run_id, state],
  );
  return rows[0].any;
}

/** Returns the errors of failed units that have this code, in order. */
export async function listErrors({ database, tenant_id, run_id }: RunWork, code: string): Promise<Finding[]> {
  const { rows } = await database.query(
    `SELECT error FROM run_units WHERE tenant_id = $1 AND run_id = $2 AND state = 'failed' AND error->>'code' = $3
     ORDER BY place`,
    [tenant_id, run_id, code],
  );
  return rows.map(({ error }) => error);
}

/**
 * Returns the packs of a run (blobs with the measurements of several units) as JSON text, each with the row locations
 * of its measured units, in the order of the units.
 */
export async function packsAsJson<Pack>({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<JsonText<readonly Pack[]>> {
  const { rows } = await database.query(
    `SELECT coalesce(json_agg(json_build_object('blob', measured_blob, 'units', units) ORDER BY first), '[]')::text AS json
     FROM (SELECT measured_blob, min(place) AS first,
         json_agg(json_build_object('place', place, 'dataset', dataset, 'rows', pack_entry->'rows') ORDER BY place) AS units
       FROM run_units WHERE tenant_id = $1 AND run_id = $2 AND state = 'measured' GROUP BY measured_blob) AS packs`,
    [tenant_id, run_id],
  );
  return rows[0].json;
}

/** Returns the size of each unit in a state, in order, for dividing them into ranges. */
export async function listUnitSizes(
  { database, tenant_id, run_id }: RunWork,
  state: OpenState,
): Promise<{ readonly place: number; readonly episodes: number; readonly bytes: number }[]> {
  const size = state === 'measured' ? 'episodes' : "(unit->>'expected_episodes')::int";
  const { rows } = await database.query(
    `SELECT place, ${size} AS episodes, coalesce((unit->>'bytes')::float8, 0) AS bytes FROM run_units WHERE tenant_id = $1 AND run_id = $2 AND state = $3 ORDER BY place`,
    [tenant_id, run_id, state],
  );
  return rows;
}

/** Stores the findings of comparing the episodes of each dataset, by dataset number; those of other datasets stay. */
export async function setCompared(
  { database, tenant_id, run_id }: RunWork,
  findings: readonly (readonly [dataset: number, findings: readonly Finding[]])[],
): Promise<void> {
  await database.query(
    `UPDATE run_datasets d SET compared = c.one->1 FROM jsonb_array_elements($3::jsonb) AS c (one)
     WHERE d.tenant_id = $1 AND d.run_id = $2 AND d.place = (c.one->>0)::int`,
    [tenant_id, run_id, toJson(findings)],
  );
}
