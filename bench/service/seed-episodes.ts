import { type Database, refreshStatistics } from '#store';

/** Ids of the rows that `seedEpisodes` makes: 26 characters of base32, counted. */
export const seededId = (prefix: string, number: number): string =>
  `${prefix}_01${number.toString(16).padStart(24, '0')}`;

/** Whose the episodes are. Nine more tenants have a tenth each, so that one tenant is not all there is. */
export const seededOwner = { tenant_id: seededId('tnt', 0), project_id: seededId('prj', 0) };
export const seededTask = (number: number): string => `Put item ${number} into the box and close the lid`;
const episodesPerSource = 5000;

const batch = 10_000;

/**
 * Episodes as runs leave them, as many as told, with what makes lists hard: scores, decisions and flags that go together, kinds
 * and robots that go with their source, few reviews, many tasks of which a few are common. The same on every database.
 */
export async function seedEpisodes(
  database: Database,
  episodes: number,
): Promise<{ slowest_batch_ms: number }> {
  await database.query(
    `INSERT INTO workspaces (tenant_id, id, name, use_case, created_at, updated_at)
     VALUES ($1, $2, 'bench', 'robotic-manipulation', now(), now())`,
    [seededOwner.tenant_id, seededId('ws', 0)],
  );
  await database.query(
    `INSERT INTO projects
       (tenant_id, id, workspace_id, name, target_profile, readiness_settings, created_at, updated_at)
     VALUES ($1, $2, $3, 'bench', 'vla', '{}', now(), now())`,
    [seededOwner.tenant_id, seededOwner.project_id, seededId('ws', 0)],
  );
  let slowest_batch_ms = 0;
  for (let from = 0; from < episodes; from += batch) {
    const took = await insertedIn(database, seededOwner, from, Math.min(batch, episodes - from));
    slowest_batch_ms = Math.max(slowest_batch_ms, took);
  }
  for (let other = 1; other < 10; other++) {
    const owner = { tenant_id: seededId('tnt', other), project_id: seededId('prj', other) };
    await insertedIn(
      database,
      owner,
      episodes * 2 + other * batch,
      Math.min(batch, Math.ceil(episodes / 10)),
    );
  }
  await refreshStatistics(database);
  if (database.kind === 'server') await database.query('VACUUM episodes');
  return { slowest_batch_ms };
}

/** Milliseconds that the insert takes beyond making the rows. */
async function insertedIn(
  database: Database,
  owner: typeof seededOwner,
  from: number,
  count: number,
): Promise<number> {
  const values = [owner.tenant_id, owner.project_id, from, from + count - 1, from / 100_000_000];
  return database.transaction(async () => {
    await database.query('SELECT setseed($1)', [values[4]]);
    await database.query(
      `CREATE TEMPORARY TABLE made (${columns}) ON COMMIT DROP AS ${rows}`,
      values.slice(0, 4),
    );
    const started = performance.now();
    await database.query(`INSERT INTO episodes (${columns}) SELECT * FROM made`);
    return performance.now() - started;
  });
}

const columns = `tenant_id, id, project_id, source_id, run_id, receipt_id, dataset_path, name, index, format, kind,
  decision, score, graded_fraction, duration_s, start_ns, robot, task, outcome, shard_blob, shard_place, flags,
  review_decision, reviewed_at, created_at, updated_at`;

const rows = `
  SELECT $1::text, 'ep_01' || hex, $2::text, 'src_01' || source_hex, 'run_01' || source_hex, 'rcp_01' || hex,
    'sets/set_' || i / 2000, 'episode_' || lpad((i % 2000)::text, 6, '0'), i % 2000, 'lerobot-v3',
    (ARRAY['teleop', 'teleop', 'teleop', 'state-only', 'drive-log'])[1 + source % 5],
    CASE WHEN score IS NULL THEN 'review' WHEN blocked OR score < 0.5 THEN 'reject'
      WHEN score >= 0.8 THEN 'accept' ELSE 'review' END,
    score, round((0.6 + 0.4 * c)::numeric, 3)::float8,
    round(exp(2.5 + 1.36 * (f + g + h + k - 2))::numeric, 3)::float8, (1760000000000000000 + i * 1000000000)::text,
    (ARRAY['so100', 'so100', 'aloha', 'ur5', 'franka', NULL])[1 + source % 6],
    'Put item ' || floor(power(d, 2) * 60)::int || ' into the box and close the lid',
    CASE WHEN b < 0.7 THEN 'unknown' WHEN b < 0.95 THEN 'success' ELSE 'failure' END,
    $1::text || '/shards/' || i / 500, i % 500, flags,
    CASE WHEN e < 0.03 THEN (ARRAY['accept', 'review', 'reject'])[1 + i % 3] END, CASE WHEN e < 0.03 THEN now() END,
    timestamptz '2026-11-01' + i * interval '10 ms', timestamptz '2026-11-01' + i * interval '10 ms'
  FROM (
    SELECT *, lpad(to_hex(i), 24, '0') AS hex, lpad(to_hex(source), 24, '0') AS source_hex, b < 0.02 AS blocked,
      CASE WHEN e < 0.995 THEN
        round((1 - power(a, 3) * 0.9 - cardinality(flags) * 0.02)::numeric, 6)::float8 END AS score
    FROM (
      SELECT *, i / ${episodesPerSource} AS source, array_remove(ARRAY[
        CASE WHEN a > 0.7 AND c < 0.6 THEN 'dropped_samples' END, CASE WHEN a > 0.85 AND d < 0.5 THEN 'jerky_motion' END,
        CASE WHEN b < 0.02 THEN 'black_video' END, CASE WHEN c < 0.01 THEN 'frozen_video' END,
        CASE WHEN d < 0.15 THEN 'instruction_short' END, CASE WHEN e < 0.002 THEN 'swapped_stamps' END], NULL) AS flags
      FROM (
        SELECT i, random() a, random() b, random() c, random() d, random() e,
          random() f, random() g, random() h, random() k
        FROM generate_series($3::bigint, $4::bigint) AS i
      ) AS chance
    ) AS flagged
  ) AS scored`;
