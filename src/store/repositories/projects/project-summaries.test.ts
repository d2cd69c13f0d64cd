import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import { summariseEpisodes } from './project-summaries.ts';
import { getTargetTotals, sampleUsable } from './target-facts.ts';

const tenant = 'tnt_summed';
const project = 'prj_summed';

describe.each(availableDatabases)(
  'a summary of more episodes than are counted at once, on the %s database',
  (on) => {
    let store: TestStore;
    beforeAll(async () => {
      store = await openTestStore({ on });
      await store.database.query(
        `INSERT INTO episodes (tenant_id, id, project_id, source_id, run_id, receipt_id, dataset_path, name, index, format,
         kind, decision, score, graded_fraction, duration_s, cameras, outcome, flags, robot, task, review_decision, created_at,
         updated_at)
       SELECT $1, 'ep_' || lpad(i::text, 6, '0'), $2, 'src_' || CASE WHEN i < 300 THEN 0 ELSE 1 + i % 3 END, 'run_1',
         'rcp_' || i, '', 'episode ' || i, i, 'mcap', (ARRAY['teleop', 'drive-log'])[1 + i % 2],
         (ARRAY['accept', 'review', 'reject', 'accept'])[1 + i % 4], CASE WHEN i % 10 > 0 THEN (i * 37 % 9001) / 10000.0 END,
         1, i / 10.0, 1, (ARRAY['unknown', 'success', 'failure'])[1 + i % 3],
         (ARRAY['{}', '{black_video}', '{black_video,jerky_motion}'])[1 + i % 3]::text[],
         CASE WHEN i % 4 > 0 THEN 'robot ' || i % 4 END, CASE WHEN i % 5 > 0 THEN 'task ' || i % 700 END,
         CASE WHEN i % 50 = 0 THEN 'reject' END, now(), now()
       FROM generate_series(1, 9500) AS i`,
        [tenant, project],
      );
      await store.database.query(
        `INSERT INTO receipts (tenant_id, id, episode_id, run_id, content_hash, settings_hash, pack_blob, "offset", length,
         created_at)
       SELECT tenant_id, receipt_id, id, run_id, md5(id), '', '', 0, 0, now() FROM episodes`,
      );
    });
    afterAll(() => store.close());

    const scope = () => ({ sql: store.database.sql, tenant_id: tenant });
    const summary = (filter: Parameters<typeof summariseEpisodes>[2] = {}) =>
      summariseEpisodes(scope(), project, filter);

    test('says the same of all, kept as counts, as of what passes a filter that lets all pass', async () => {
      const kept = await summary();
      expect(kept).toEqual(await summary({ min_duration_s: 0 }));
      const { rows } = await store.database.query(
        `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY score) AS median, count(DISTINCT task)::int AS tasks,
         count(*) FILTER (WHERE coalesce(review_decision, decision) = 'accept')::int AS accepted,
         count(*) FILTER (WHERE coalesce(review_decision, decision) = 'reject')::int AS rejected,
         sum(duration_s::numeric) AS duration_s FROM episodes`,
      );
      const [{ median, tasks, duration_s, accepted, rejected }] = rows;
      expect(kept).toMatchObject({ accepted, rejected });
      expect(kept).toMatchObject({ episodes: 9500, median_score: median, tasks, duration_s, sources: 4 });
      expect(kept).toMatchObject({ unscored: 950, reviewed: 190, lowest_score: 0, highest_score: 0.9 });
      expect(kept.score_histogram).toHaveLength(20);
      expect(kept.score_histogram.reduce((sum, episodes) => sum + episodes)).toBe(9500 - 950);
    });

    test('counts what passes a filter, and nothing where nothing does', async () => {
      const { rows } = await store.database.query(
        `SELECT count(*)::int AS episodes, percentile_disc(0.5) WITHIN GROUP (ORDER BY score) AS median_score
       FROM episodes WHERE decision = 'accept' AND score <= 0.6`,
      );
      expect(await summary({ decision: ['accept'], max_score: 0.6 })).toMatchObject(rows[0]);
      expect(await summary({ source_id: [] })).toMatchObject({ episodes: 0, median_score: null, robots: [] });
      const elsewhere = await summariseEpisodes({ ...scope(), tenant_id: 'tnt_other' }, project, {});
      expect(elsewhere).toMatchObject({ episodes: 0, duration_s: 0, median_score: null, kinds: [] });
    });

    test('samples each source by its share, never what was rejected, and the same again', async () => {
      const sample = await sampleUsable(scope(), project, 32);
      expect(sample).toHaveLength(32);
      expect(await sampleUsable(scope(), project, 32)).toEqual(sample);
      const { rows } = await store.database.query(
        `SELECT source_id, coalesce(review_decision, decision) <> 'reject' AS usable, count(*)::int AS n
       FROM episodes WHERE id = ANY($1) GROUP BY 1, 2 ORDER BY 1`,
        [sample.map(({ id }) => id)],
      );
      expect(rows.every(({ usable }) => usable)).toBe(true);
      expect(rows.map(({ source_id, n }) => [source_id, n])).toEqual([
        ['src_0', 2],
        ['src_1', 10],
        ['src_2', 10],
        ['src_3', 10],
      ]);
      const { usable } = await getTargetTotals(scope(), project);
      expect(await sampleUsable(scope(), project, 20_000)).toHaveLength(usable);
    });
  },
);
