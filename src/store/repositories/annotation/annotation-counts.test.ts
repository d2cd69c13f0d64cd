import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJson } from '#core';
import { addAnnotations } from '#test/support/annotation-rows';
import { addEpisodes } from '#test/support/episode-rows';
import { availableDatabases, openTestStore, type TestStore } from '#test/support/service-store';
import { upsertEpisodes } from '../judged-episodes.ts';
import { commitAnnotated, lockKinds } from './annotated-items.ts';

const owner = { tenant_id: 'tnt_counted', project_id: 'prj_counted' };
const { tenant_id, project_id } = owner;

describe.each(availableDatabases)('counts of annotations, on the %s database', (on) => {
  let store: TestStore;
  let episodes: string[];
  beforeAll(async () => {
    store = await openTestStore({ on });
    const kinds = ['teleop', 'drive-log', 'state-only'] as const;
    const rows = Array.from({ length: 60 }, (_, index) => ({ kind: kinds[index % 3] }));
    episodes = await addEpisodes(store, tenant_id, project_id, rows);
  });
  afterAll(() => store.close());

  const run = (text: string, values: unknown[] = []) => store.database.query(text, values);
  const kept = `SELECT layer, stream_kind, episodes::int, not_produced::int, assessed::int, round(quality::numeric, 6) AS quality
    FROM annotation_counts WHERE tenant_id = $1 AND project_id = $2 AND episodes + not_produced > 0 ORDER BY 1, 2`;
  // By the episodes' kinds, whatever the annotations say.
  const counted = `SELECT a.layer, e.stream_kind, (count(*) - count(a.not_produced))::int AS episodes,
      count(a.not_produced)::int AS not_produced, count(a.quality)::int AS assessed,
      round(coalesce(sum(a.quality), 0)::numeric, 6) AS quality
    FROM annotations a JOIN episodes e ON e.tenant_id = a.tenant_id AND e.id = a.episode_id
    WHERE a.tenant_id = $1 AND a.project_id = $2 GROUP BY 1, 2 ORDER BY 1, 2`;

  const agree = async (): Promise<number> => {
    const [ours, truth] = [
      await run(kept, [tenant_id, project_id]),
      await run(counted, [tenant_id, project_id]),
    ];
    expect(ours.rows).toEqual(truth.rows);
    return truth.rows.length;
  };
  const locked = (to: 'keep' | 'change', work: () => Promise<unknown>) =>
    store.database.transaction(async () => {
      await lockKinds({ database: store.database, tenant_id }, project_id, to);
      await work();
    });
  const add = (layer: 'metadata' | 'segments', from: number, qualities: (number | null)[]) =>
    locked('keep', () => addAnnotations(store, owner, { layer, qualities }, episodes.slice(from)));
  const filled = (count: number, quality: number | null) => Array.from({ length: count }, () => quality);
  const setKind = (kind: string, from: number, to: number) =>
    locked('change', () =>
      run(
        `UPDATE episodes SET kind = $3, derived_kind = NULL
         WHERE tenant_id = $1 AND project_id = $2 AND index >= $4 AND index < $5`,
        [tenant_id, project_id, kind, from, to],
      ),
    );

  test('follow what is added, produced again and removed', async () => {
    await add('metadata', 0, filled(30, 0.7));
    expect(await agree()).toBe(3);
    await add('metadata', 15, [...filled(10, null), ...filled(20, 0.1)]);
    await add('segments', 5, [0.2, null, 1]);
    expect(await agree()).toBe(6);
    await run(
      `UPDATE annotations SET not_produced = 'nothing to say' WHERE tenant_id = $1 AND quality IS NULL`,
      [tenant_id],
    );
    await agree();
    await run('DELETE FROM annotations WHERE tenant_id = $1 AND quality < 0.5', [tenant_id]);
    await agree();
  });

  test('follow the kind of an episode that is judged as another', async () => {
    await setKind('egocentric', 0, 10);
    await agree();
    await run(`UPDATE episodes SET derived_kind = 'teleop' WHERE tenant_id = $1 AND index < 4`, [tenant_id]);
    await agree();
    const [{ n }] = (
      await run(`SELECT sum(episodes)::int AS n FROM annotation_counts WHERE stream_kind = 'egocentric'`)
    ).rows;
    expect(n).toBeGreaterThan(0);
  });

  test('are not kept of what was rolled back', async () => {
    const undone = store.database.transaction(async () => {
      await add('segments', 20, filled(20, 0.5));
      await setKind('aerial-flight', 20, 40);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await agree();
  });

  test('hold when many write at once, and kinds change meanwhile', async () => {
    const parts = Array.from({ length: 10 }, (_, part) => part * 5);
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        parts.flatMap((from, part) => [
          add('metadata', from, filled(8, part / 10)),
          add('segments', from, filled(6, part % 2 === 0 ? 0.3 : null)),
          setKind(part % 2 === 0 ? 'teleop' : 'drive-log', from, from + 5),
        ]),
      );
      await agree();
    }
  });

  test('hold when a run judges an episode as another kind while a worker commits its annotation', async () => {
    const [episode_id] = episodes.slice(-1);
    await run(
      `INSERT INTO job_items (tenant_id, job_id, place, episode_id, state, attempt, worker)
       VALUES ($1, 'job_1', 0, $2, 'waiting', 1, 'w')`,
      [tenant_id, episode_id],
    );
    const { database } = store;
    const outside = AsyncLocalStorage.snapshot();
    let judged: Promise<unknown> = Promise.resolve();
    await database.transaction(async () => {
      const totals = await commitAnnotated({ ...work, database }, 'w', { done, undone: toJson([]) });
      expect(totals).toMatchObject({ done: 1, compute_s: 3, gpu_s: 3, device_note: 'webgpu: no adapter' });
      judged = outside(() => database.transaction(() => judge(episode_id, 'vision-asset')));
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await judged;
    await agree();
    const { rows } = await run(
      'SELECT stream_kind, device, cost_usd, classes, not_produced FROM annotations WHERE id = $1',
      ['ann_1'],
    );
    // What an accelerator computed costs what a second of it does.
    const made = { classes: ['cup'], not_produced: 'nothing to say' };
    expect(rows).toEqual([{ stream_kind: 'vision-asset', device: 'gpu', cost_usd: 6, ...made }]);
  });

  /** As a run does it. */
  const judge = async (id: string, kind: string) => {
    const { rows } = await run('SELECT to_json(e) AS was FROM episodes e WHERE tenant_id = $1 AND id = $2', [
      tenant_id,
      id,
    ]);
    const [{ was }] = rows;
    const receipt = { receipt_id: 'rcp_1', content_hash: '', settings_hash: '', pack_blob: '' };
    const episode = { ...was, ...receipt, kind, derived_kind: null, offset: 0, length: 0 };
    const judging = { database: store.database, tenant_id, run_id: 'run_2', project_id };
    await upsertEpisodes({ ...judging, source_id: was.source_id }, toJson([episode]));
  };
});

const work = {
  ...owner,
  layer: 'captions',
  ...{ job_id: 'job_1', run_id: null, price_usd_per_s: 0.5 },
  gpu_price_usd_per_s: 2,
  token_prices: { prompt_usd_per_mtok: 0, completion_usd_per_mtok: 0 },
} as const;
const done = toJson([
  {
    ...{ place: 0, attempt: 1, compute_s: 3, quality: 0.5, counts: {} },
    ...{ device: 'gpu' as const, device_note: 'webgpu: no adapter' },
    ...{ artifact_blob: 'b', artifact_offset: 0, artifact_length: 0, artifact_hash: '', id: 'ann_1' },
    ...{ model: null, models: [], config_hash: '' },
    ...{
      prompt_tokens: 0,
      completion_tokens: 0,
      input_hash: '',
      parts: [],
      said: null,
      classes: ['cup'],
      not_produced: 'nothing to say',
      media_type: '',
      quality_reason: null,
    },
  },
]);
