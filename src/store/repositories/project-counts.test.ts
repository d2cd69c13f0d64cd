import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestStore, type TestStore, testDatabases } from '../../../test/support/service-store.ts';

const tenant = 'tnt_counted';
const project = 'prj_counted';

describe.each(testDatabases)('counts of episodes, on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());

  const run = (text: string, values: unknown[] = []) => store.database.query(text, values);

  const add = (from: number, to: number, kind: string, decision: string) =>
    run(
      `INSERT INTO episodes (tenant_id, id, project_id, source_id, run_id, receipt_id, dataset_path, name, index, format,
         kind, decision, score, graded_fraction, duration_s, cameras, outcome, flags, created_at, updated_at)
       SELECT $1, 'ep_' || i || '_' || gen_random_uuid(), $2, 'src_1', 'run_1', 'rcp_' || i, '', 'episode ' || i, i, 'mcap', $5, $6, 0.5, 1, i, 2,
         'unknown', '{}', now(), now()
       FROM generate_series($3::int, $4::int) AS i
       ON CONFLICT (tenant_id, source_id, dataset_path, format, name) DO UPDATE SET kind = excluded.kind,
         decision = excluded.decision, duration_s = excluded.duration_s, cameras = excluded.cameras`,
      [tenant, project, from, to, kind, decision],
    );

  const kept = `SELECT stream_kind, decision, episodes::int, reviewed::int, cameras::int, duration_s
    FROM project_counts WHERE tenant_id = $1 AND project_id = $2 AND episodes > 0 ORDER BY 1, 2`;
  const counted = `SELECT stream_kind, decision, count(*)::int AS episodes, count(review_decision)::int AS reviewed,
      sum(cameras)::int AS cameras, sum(duration_s) AS duration_s
    FROM episodes WHERE tenant_id = $1 AND project_id = $2 GROUP BY 1, 2 ORDER BY 1, 2`;

  const agree = async (): Promise<number> => {
    const [ours, truth] = [await run(kept, [tenant, project]), await run(counted, [tenant, project])];
    expect(ours.rows).toEqual(truth.rows);
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
