import type { JsonText } from '#core';
import type { SetVerdict } from '#core/api';
import { type Finding, type Kind, type Severity, severities } from '#core/episode';
import type { UnitCounts } from '../schema/runs.ts';
import type { RunWork } from './run-work.ts';

type Kinds = Partial<Record<Kind, number>>;

/** Totals of a dataset of a run. */
export interface DatasetResult {
  readonly place: number;
  readonly kinds: Kinds;
  readonly episodes: number;
  readonly unreadable: number;
}

/** Returns the totals of the units of each dataset, in order. */
export async function datasetResults({ database, tenant_id, run_id }: RunWork): Promise<DatasetResult[]> {
  const { rows } = await database.query(
    `WITH u AS (SELECT dataset, sum(episodes)::int AS episodes, sum(unreadable)::int AS unreadable FROM run_units
         WHERE tenant_id = $1 AND run_id = $2 GROUP BY dataset),
     k AS (SELECT dataset, kind, sum(n::int)::int AS n FROM run_units, jsonb_each_text(kinds) AS each (kind, n)
         WHERE tenant_id = $1 AND run_id = $2 GROUP BY dataset, kind),
     kinds AS (SELECT dataset, json_object_agg(kind, n) AS kinds FROM k GROUP BY dataset)
     SELECT d.place, coalesce(kinds.kinds, '{}') AS kinds, coalesce(u.episodes, 0) AS episodes,
       coalesce(u.unreadable, 0) AS unreadable
     FROM run_datasets d LEFT JOIN u ON u.dataset = d.place LEFT JOIN kinds ON kinds.dataset = d.place
     WHERE d.tenant_id = $1 AND d.run_id = $2 ORDER BY d.place`,
    [tenant_id, run_id],
  );
  return rows;
}

/**
 * Combines the findings of each dataset in its row: from opening it, from comparing its episodes, of units that could not be
 * read, and of episodes. Called once per run, since a second call would add them again.
 */
export async function gatherFindings({ database, tenant_id, run_id }: RunWork): Promise<void> {
  await database.query(
    `UPDATE run_datasets d SET findings = d.findings || d.compared
       || coalesce((SELECT jsonb_agg(u.error ORDER BY u.place) FROM run_units u
           WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.dataset = d.place AND u.error IS NOT NULL), '[]')
       || coalesce((SELECT jsonb_agg(f.one ORDER BY u.place, f.n) FROM run_units u,
             jsonb_array_elements(u.findings) WITH ORDINALITY AS f (one, n)
           WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.dataset = d.place), '[]')
     WHERE d.tenant_id = $1 AND d.run_id = $2`,
    [tenant_id, run_id],
  );
}

/** Stores the totals and the majority kind of a dataset. */
export async function setDatasetResult(
  { database, tenant_id, run_id }: RunWork,
  { place, kinds, episodes, unreadable }: DatasetResult,
  kind: Kind | null,
): Promise<void> {
  await database.query(
    `UPDATE run_datasets SET kind = $4, kinds = $5, episodes = $6, unreadable = $7
     WHERE tenant_id = $1 AND run_id = $2 AND place = $3`,
    [tenant_id, run_id, place, kind, JSON.stringify(kinds), episodes, unreadable],
  );
}

/** Facts, findings and counts of a dataset, for the verdict on it. */
export interface DatasetEvidence<Facts> {
  readonly place: number;
  readonly facts: Facts;
  readonly findings: readonly Finding[];
  readonly unreadable: number;
  /** Counts of its judged units. */
  readonly counts: readonly UnitCounts[];
}

/** Returns the evidence for the verdicts on all datasets of a run, in order. Read it after `gatherFindings`. */
export async function datasetEvidence<Facts>({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<DatasetEvidence<Facts>[]> {
  const { rows } = await database.query(
    `SELECT d.place, d.facts, d.findings, d.unreadable, coalesce((SELECT json_agg(u.counts) FROM run_units u
         WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.dataset = d.place AND u.counts IS NOT NULL), '[]') AS counts
     FROM run_datasets d WHERE d.tenant_id = $1 AND d.run_id = $2 ORDER BY d.place`,
    [tenant_id, run_id],
  );
  return rows;
}

/** Stores the verdict on a dataset as a whole. */
export async function setUsability(
  { database, tenant_id, run_id }: RunWork,
  place: number,
  usability: SetVerdict,
): Promise<void> {
  await database.query(
    `UPDATE run_datasets SET usability = $4 WHERE tenant_id = $1 AND run_id = $2 AND place = $3`,
    [tenant_id, run_id, place, JSON.stringify(usability)],
  );
}

/** Returns the facts of each dataset of a run, in order. */
export async function datasetFacts<Facts>({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<{ readonly place: number; readonly facts: Facts }[]> {
  const { rows } = await database.query(
    `SELECT place, facts FROM run_datasets WHERE tenant_id = $1 AND run_id = $2 ORDER BY place`,
    [tenant_id, run_id],
  );
  return rows;
}

/** A dataset of a run with its results. */
export interface DatasetRow<Facts> {
  readonly place: number;
  readonly path: string;
  readonly format: string;
  readonly facts: Facts;
  readonly evidence: readonly string[];
  readonly kind: Kind | null;
  readonly kinds: Kinds;
  readonly episodes: number;
  readonly unreadable: number;
  readonly findings: readonly Finding[];
}

/** Lists the datasets of a run in order. */
export async function listDatasets<Facts>({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<DatasetRow<Facts>[]> {
  const { rows } = await database.query(
    `SELECT place, path, format, facts, evidence, kind, kinds, episodes, unreadable, findings FROM run_datasets
     WHERE tenant_id = $1 AND run_id = $2 ORDER BY place`,
    [tenant_id, run_id],
  );
  return rows;
}

/** Returns judged units with the locations of their measurements and receipts as JSON text, in order. */
export async function judgedAsJson<Unit>({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<JsonText<readonly Unit[]>> {
  const { rows } = await database.query(
    `SELECT coalesce(json_agg(json_build_object('dataset', dataset, 'measured_blob', measured_blob, 'pack_entry', pack_entry,
       'shard_blob', shard_blob, 'receipts', receipts) ORDER BY place), '[]')::text AS json
     FROM run_units WHERE tenant_id = $1 AND run_id = $2 AND state = 'judged'`,
    [tenant_id, run_id],
  );
  return rows[0].json;
}

/** Returns those of the keys that a row of the run refers to, and the keys of its notes. */
export async function findReferencedBlobs(
  { database, tenant_id, run_id }: RunWork,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query(
    `SELECT key FROM run_units, unnest(ARRAY[measured_blob, shard_blob]) AS key
     WHERE tenant_id = $1 AND run_id = $2 AND key = ANY($3)
     UNION
     SELECT one->>0 FROM run_units, jsonb_array_elements(receipts) AS one
     WHERE tenant_id = $1 AND run_id = $2 AND one->>0 = ANY($3)
     UNION
     SELECT note->>'key' FROM runs, jsonb_array_elements(coalesce(notes, '[]')) AS note
     WHERE tenant_id = $1 AND id = $2`,
    [tenant_id, run_id, keys],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Copies datasets and measured units, as not judged yet, from another run, which a rescore judges again. */
export async function copyMeasured(
  { database, tenant_id, run_id }: RunWork,
  base_run_id: string,
): Promise<void> {
  await database.query(
    `INSERT INTO run_datasets (tenant_id, run_id, place, path, format, claim, root, facts, evidence, kind, kinds,
       findings, compared, episodes, unreadable)
     SELECT tenant_id, $2, place, path, format, claim, root, facts, evidence, kind, kinds, findings, compared,
       episodes, unreadable FROM run_datasets WHERE tenant_id = $1 AND run_id = $3`,
    [tenant_id, run_id, base_run_id],
  );
  await database.query(
    `INSERT INTO run_units (tenant_id, run_id, place, dataset, unit, state, attempt, episodes, unreadable, kinds,
       findings, measured_blob, pack_entry, shard_blob, compute_s, error)
     SELECT tenant_id, $2, place, dataset, unit, CASE state WHEN 'judged' THEN 'measured' ELSE state END, 0, episodes,
       unreadable, kinds, findings, measured_blob, pack_entry, shard_blob, 0, error
     FROM run_units WHERE tenant_id = $1 AND run_id = $3`,
    [tenant_id, run_id, base_run_id],
  );
}

/**
 * Makes the failed units of a run wait for measuring again, and returns the totals of unreadable episodes and bytes they were
 * counted with.
 */
export async function reopenUnits({
  database,
  tenant_id,
  run_id,
}: RunWork): Promise<{ readonly unreadable: number; readonly bytes: number }> {
  const { rows } = await database.query(
    `WITH given AS (SELECT place, unreadable, (unit->>'bytes')::float8 AS bytes FROM run_units
         WHERE tenant_id = $1 AND run_id = $2 AND state = 'failed'),
     open AS (UPDATE run_units u SET state = 'waiting', deaths = 0, unreadable = 0, error = NULL FROM given
         WHERE u.tenant_id = $1 AND u.run_id = $2 AND u.place = given.place)
     SELECT coalesce(sum(unreadable), 0)::int AS unreadable, coalesce(sum(bytes), 0) AS bytes FROM given`,
    [tenant_id, run_id],
  );
  return rows[0];
}

/** Findings of a run as a whole, and the severities that differ from the stored ones, by place of the dataset and code. */
export interface FindingOptions {
  readonly runFindings: readonly Finding[];
  readonly severities: Readonly<Record<number, Readonly<Record<string, Severity>>>>;
}

/**
 * Returns up to `limit` findings of a run from index `from`, worst first; of equal severity those of the run as a whole
 * first, then by dataset.
 */
export async function pageFindings(
  { database, tenant_id, run_id }: RunWork,
  { runFindings, severities: changed }: FindingOptions,
  { from, limit }: { readonly from: number; readonly limit: number },
): Promise<Finding[]> {
  const { rows } = await database.query(
    `WITH own AS (SELECT -1 AS place, f.one, f.n FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS f (one, n)
       UNION ALL
       SELECT d.place, f.one, f.n FROM run_datasets d, jsonb_array_elements(d.findings) WITH ORDINALITY AS f (one, n)
         WHERE d.tenant_id = $1 AND d.run_id = $2),
     judged AS (SELECT place, one, n, coalesce($4::jsonb -> place::text ->> (one->>'code'), one->>'severity') AS severity FROM own)
     SELECT one || jsonb_build_object('severity', severity) AS one FROM judged
     ORDER BY array_position($5::text[], severity) DESC, place, n OFFSET $6 LIMIT $7`,
    [tenant_id, run_id, JSON.stringify(runFindings), JSON.stringify(changed), severities, from, limit],
  );
  return rows.map(({ one }) => one);
}
