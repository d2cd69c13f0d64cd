import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';

const tenant = 'tnt_counted';
const project = 'prj_counted';

describe.each(availableDatabases)('counts of episodes, on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());

  const run = (text: string, values: unknown[] = []) => store.database.query(text, values);

  const add = (from: number, to: number, kind: string, decision: string) =>
    run(
      `INSERT INTO episodes (tenant_id, id, project_id, source_id, run_id, receipt_id, dataset_path, name, index, format,
         kind, decision, score, graded_fraction, duration_s, cameras, outcome, flags, robot, task, created_at, updated_at)
       SELECT $1, 'ep_' || i || '_' || gen_random_uuid(), $2, 'src_' || i % 2, 'run_1', 'rcp_' || i, '', 'episode ' || i, i,
         (ARRAY['mcap', 'ulog'])[1 + i % 2], $5, $6, CASE WHEN i % 9 > 0 THEN (i * length($6) % 101) / 100.0 END, 1,
         CASE WHEN i % 23 = 0 THEN 'Infinity' ELSE i / 7.0 END, 2, (ARRAY['unknown', 'success'])[1 + i % 2],
         (ARRAY['{}', '{black_video}', '{black_video,jerky_motion}'])[1 + (i + length($5)) % 3]::text[],
         CASE WHEN i % 4 > 0 THEN 'robot ' || i % 4 END, (ARRAY['pour', ' ', '', NULL])[1 + i % 4], now(), now()
       FROM generate_series($3::int, $4::int) AS i
       ON CONFLICT (tenant_id, source_id, dataset_path, format, name) DO UPDATE SET kind = excluded.kind,
         decision = excluded.decision, score = excluded.score, flags = excluded.flags, duration_s = excluded.duration_s,
         cameras = excluded.cameras`,
      [tenant, project, from, to, kind, decision],
    );

  const kept = `SELECT stream_kind, decision, episodes::int, reviewed::int, cameras::int, duration_s, unscored::int,
      overruled::int, accepted::int, rejected::int, usable_s, instructed::int, with_outcome::int
    FROM project_counts WHERE tenant_id = $1 AND project_id = $2 AND episodes > 0 ORDER BY 1, 2`;
  const counted = `SELECT stream_kind, decision, count(*)::int AS episodes, count(review_decision)::int AS reviewed,
      sum(cameras)::int AS cameras, coalesce(sum(duration_s::numeric) FILTER (WHERE duration_s < 'Infinity'), 0) AS duration_s,
      count(*) FILTER (WHERE score IS NULL)::int AS unscored,
      count(*) FILTER (WHERE review_decision <> decision)::int AS overruled,
      count(*) FILTER (WHERE coalesce(review_decision, decision) = 'accept')::int AS accepted,
      count(*) FILTER (WHERE coalesce(review_decision, decision) = 'reject')::int AS rejected,
      coalesce(sum(duration_s::numeric) FILTER (WHERE u AND duration_s < 'Infinity'), 0) AS usable_s,
      count(*) FILTER (WHERE u AND trim(task) <> '')::int AS instructed,
      count(*) FILTER (WHERE u AND outcome <> 'unknown')::int AS with_outcome
    FROM (SELECT *, coalesce(review_decision, decision) <> 'reject' AS u FROM episodes) AS e
    WHERE tenant_id = $1 AND project_id = $2 GROUP BY 1, 2 ORDER BY 1, 2`;
  const keptShares = `SELECT facet, key, robot, episodes::int, usable::int FROM project_shares
    WHERE tenant_id = $1 AND project_id = $2 AND episodes > 0 ORDER BY facet, key COLLATE "C"`;
  const countedShares = `WITH ours AS (
      SELECT *, coalesce(review_decision, decision) <> 'reject' AS u FROM episodes WHERE tenant_id = $1 AND project_id = $2)
    SELECT facet, key, robot, count(*)::int AS episodes, (count(*) FILTER (WHERE u))::int AS usable FROM (
      SELECT 'outcome' AS facet, outcome AS key, NULL AS robot, u FROM ours
      UNION ALL SELECT 'robot', coalesce(robot_key, ''), robot, u FROM ours
      UNION ALL SELECT 'flag', unnest(flags), NULL, u FROM ours
      UNION ALL SELECT 'source', source_id, NULL, u FROM ours
      UNION ALL SELECT 'format', format, NULL, u FROM ours
      UNION ALL SELECT 'run', run_id, NULL, u FROM ours
      UNION ALL SELECT 'kinds', kind || ' ' || coalesce(derived_kind, kind), NULL, u FROM ours
      UNION ALL SELECT 'task', task_key, NULL, u AND trim(task) <> '' FROM ours WHERE task IS NOT NULL
      UNION ALL SELECT 'score', lpad(floor(score::numeric * 100)::text, 3, '0'), NULL, u FROM ours WHERE score IS NOT NULL
    ) AS each GROUP BY 1, 2, 3 ORDER BY facet, key COLLATE "C"`;

  const agree = async (): Promise<number> => {
    const [ours, truth] = [await run(kept, [tenant, project]), await run(counted, [tenant, project])];
    expect(ours.rows).toEqual(truth.rows);
    const [shares, trueShares] = [
      await run(keptShares, [tenant, project]),
      await run(countedShares, [tenant, project]),
    ];
    expect(shares.rows).toEqual(trueShares.rows);
    return truth.rows.length;
  };

  test('follow what is added, judged again, reviewed and removed', async () => {
    await add(1, 50, 'teleop', 'accept');
    expect(await agree()).toBe(1);
    await add(30, 80, 'teleop', 'review');
    await add(81, 90, 'drive-log', 'reject');
    expect(await agree()).toBe(3);
    await run(`UPDATE episodes SET review_decision = 'accept' WHERE tenant_id = $1 AND index % 7 = 0`, [
      tenant,
    ]);
    await run(`UPDATE episodes SET derived_kind = 'egocentric' WHERE tenant_id = $1 AND index < 5`, [tenant]);
    expect(await agree()).toBe(4);
    await run('DELETE FROM episodes WHERE tenant_id = $1 AND index < 40', [tenant]);
    expect(await agree()).toBe(2);
  });

  test('are not kept of what was rolled back', async () => {
    const undone = store.database.transaction(async () => {
      await add(200, 260, 'teleop', 'accept');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow();
    await agree();
  });

  test('are made of the episodes of an older data folder by its migration', async () => {
    const migration = readFileSync(
      new URL('../../migrations/0009_count_shares.sql', import.meta.url),
      'utf8',
    );
    await run('DELETE FROM project_shares');
    for (const statement of migration.split('--> statement-breakpoint').slice(-2)) await run(statement);
    expect(await agree()).toBeGreaterThan(0);
  });

  test('hold when many write at once', async () => {
    const parts = Array.from({ length: 12 }, (_, part) => 300 + part * 20);
    const kinds = ['teleop', 'drive-log', 'state-only'];
    await Promise.all(
      parts.flatMap((from, part) => [
        add(from, from + 19, kinds[part % 3], 'accept'),
        add(from + 10, from + 29, kinds[(part + 1) % 3], 'review'),
      ]),
    );
    await agree();
  });
});
