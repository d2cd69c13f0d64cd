import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flatPrices } from '#core/api';
import { roundUsd } from '#engine/budget';
import type { Store } from '#store';
import { type JoinedService, joinRunService } from '#test/support/run-service';
import { serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../../bench/lerobot/generate-set.ts';
import {
  cancelJob,
  createWebhook,
  enqueueJob,
  getBudget,
  getCosts,
  getJob,
  type JobStreamEvent,
  listDeliveries,
  removeTarget,
  setBudget,
  startRun,
  streamJobs,
} from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-jobs-'));
const recordings = join(place, 'set');
/** More than one range of a job, and more rows than one shard holds. */
const episodes = 300;
beforeAll(() => generateNumericSet(recordings, episodes, 400));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(serviceDatabases)('jobs, on the %s database,', (on) => {
  let service: JoinedService;
  let priced: Store;
  let project_id: string;
  let ids: string[];
  beforeAll(async () => {
    service = await joinRunService({ on, roots: [place] });
    ({ project_id } = service);
    const { store, call } = service;
    // Not spread: the store keeps its queue behind a getter.
    priced = Object.create(store, { prices: { value: flatPrices(1) } });
    const source_id = await service.source(recordings);
    await service.ended((await startRun(store, call, { project_id, source_id })).id);
    ids = (await rows<{ id: string }>('SELECT id FROM episodes WHERE project_id = $1 ORDER BY id')).map(
      ({ id }) => id,
    );
  }, 120_000);

  async function rows<Row>(sql: string): Promise<Row[]> {
    return (await service.store.database.query(sql, [project_id])).rows;
  }
  const enqueue = async (more: Partial<Parameters<typeof enqueueJob>[2]> = {}) =>
    (await enqueueJob(priced, service.call, { project_id, layer: 'segments', force: true, ...more })).job;
  const ended = async (job_id: string) => {
    for (;;) {
      const job = await getJob(priced, service.call, { project_id, job_id });
      if (!['queued', 'running', 'cancelling'].includes(job.status)) return job;
      await wait(20);
    }
  };
  const forget = (where = '') => rows(`DELETE FROM annotations WHERE project_id = $1 ${where}`);

  it('annotate every episode once, and say what they took', async () => {
    await forget();
    const done = await ended((await enqueue()).id);
    expect(done).toMatchObject({
      status: 'succeeded',
      episodes: { total: episodes, done: episodes, failed: 0, skipped: 0 },
      narrowed_from: null,
      attempts: 1,
    });
    expect(done.compute_s).toBeGreaterThan(0);
    expect(done.measured_usd).toBeCloseTo(done.compute_s, 5);
    const [counted] = await rows<{ rows: number; episodes: number }>(
      `SELECT count(*)::int AS rows, count(DISTINCT episode_id)::int AS episodes FROM annotations
       WHERE project_id = $1 AND layer = 'segments'`,
    );
    expect(counted).toEqual({ rows: episodes, episodes });
    const budget = await getBudget(priced, service.call);
    expect(budget.reserved_usd).toBe(0);
    // A ledger has six places a row.
    expect(budget.spent_usd).toBeCloseTo(done.measured_usd, 4);
    const now = { ...service.call, now: new Date() };
    const { items } = await getCosts(priced, now, { group_by: 'layer' });
    expect(items.find(({ key }) => key === 'segments')?.amount_usd).toBe(budget.spent_usd);
  });

  it('are refused for what is there already, naming it, unless it is to be done again', async () => {
    await expect(enqueue({ force: false })).rejects.toMatchObject({
      code: 'already_produced',
      details: {
        already_produced: {
          layer: 'segments',
          episodes,
          recordings: expect.arrayContaining([
            { episode_id: ids[0], name: expect.any(String), produced_at: expect.stringMatching(/Z$/) },
          ]),
        },
      },
    });
    const before = await rows(
      'SELECT artifact_hash FROM annotations WHERE project_id = $1 ORDER BY episode_id',
    );
    expect(await ended((await enqueue()).id)).toMatchObject({ episodes: { done: episodes } });
    const after = await rows(
      'SELECT artifact_hash FROM annotations WHERE project_id = $1 ORDER BY episode_id',
    );
    expect(after).toEqual(before);
  });

  it('are narrowed to the episodes that need them', async () => {
    await forget(`AND episode_id IN (SELECT id FROM episodes WHERE project_id = $1 ORDER BY id LIMIT 7)`);
    const job = await enqueue({ force: false, episode_ids: ids.slice(0, 10) });
    expect(job).toMatchObject({ narrowed_from: 10, episodes: { total: 7 } });
    expect(await ended(job.id)).toMatchObject({ status: 'succeeded', episodes: { done: 7 } });
  });

  it('keep what is done when they are cancelled, and give back the rest', async () => {
    await forget();
    const job = await enqueue();
    for (let at = job; at.episodes.done === 0; await wait(5))
      at = await getJob(priced, service.call, { project_id, job_id: job.id });
    await cancelJob(priced, service.call, { project_id, job_id: job.id });
    const over = await ended(job.id);
    // It may have been as good as over.
    expect(['cancelled', 'succeeded']).toContain(over.status);
    const { done, skipped, total } = over.episodes;
    expect(done + skipped).toBe(total);
    const [{ kept }] = await rows<{ kept: number }>(
      'SELECT count(*)::int AS kept FROM annotations WHERE project_id = $1',
    );
    expect(kept).toBe(done);
    expect(await getBudget(priced, service.call)).toMatchObject({ reserved_usd: 0 });
    expect(await ended((await enqueue({ force: false })).id)).toMatchObject({
      status: 'succeeded',
      narrowed_from: skipped === 0 || done === 0 ? null : total,
    });
  });

  it('end partial where an episode cannot be annotated, with its reason', async () => {
    await service.store.database.query(
      `UPDATE episodes SET shard_place = 1000000 WHERE project_id = $1 AND id = ANY($2)`,
      [project_id, ids.slice(3, 5)],
    );
    const done = await ended((await enqueue({ episode_ids: ids.slice(0, 20) })).id);
    expect(done).toMatchObject({
      status: 'partial',
      episodes: { total: 20, done: 18, failed: 2 },
      failures: [{ error: { code: 'unreadable_input', advice: 'start a new run of its source' } }, {}],
    });
    expect(done.failures.map(({ episode_id }) => episode_id).sort()).toEqual(ids.slice(3, 5));
    const admin = { ...service.call, actor: { ...service.call.actor, role: 'admin' } } as const;
    const wanted = {
      name: 'failures',
      url: 'https://hooks.example.org/failed',
      events: ['job.failed'] as const,
    };
    const { id } = await createWebhook(priced, admin, { ...wanted, project_id });
    const all = await ended((await enqueue({ episode_ids: ids.slice(3, 5) })).id);
    expect(all).toMatchObject({ status: 'failed', error: { code: 'unreadable_input' } });
    const { items } = await listDeliveries(priced, admin, { kind: 'webhook', id }, { limit: 9 });
    expect(items.map(({ event }) => event)).toMatchObject([
      {
        type: 'job.failed',
        data: { job_id: all.id, error_code: 'unreadable_input', episodes: { failed: 2 } },
      },
    ]);
    await removeTarget(priced, admin, { kind: 'webhook', id });
    await service.store.database.query(
      `UPDATE episodes e SET shard_place = (SELECT count(*) FROM episodes o WHERE o.shard_blob = e.shard_blob AND o.index < e.index)
       WHERE project_id = $1 AND shard_place = 1000000`,
      [project_id],
    );
  });

  it('end where they turn out dearer than the budget leaves room for, and can be gone on with', async () => {
    await forget();
    const { spent_usd } = await getBudget(priced, service.call);
    const admin = { ...service.call, actor: { ...service.call.actor, role: 'admin' } } as const;
    const dear: Store = Object.create(service.store, { prices: { value: flatPrices(1e-5) } });
    const job = (await enqueueJob(dear, service.call, { project_id, layer: 'segments', force: false })).job;
    // The estimate holds by then; each second costs a thousand times as much as it says.
    await service.store.database.query('UPDATE jobs SET price_usd_per_s = 1000 WHERE id = $1', [job.id]);
    const cap_usd = roundUsd(spent_usd + job.reserved_usd + 0.5);
    await setBudget(priced, admin, { cap_usd });
    const over = await ended(job.id);
    expect(over).toMatchObject({ status: 'failed', error: { code: 'budget_exceeded' } });
    expect(over.episodes.done).toBeGreaterThan(0);
    expect(over.episodes.skipped).toBeGreaterThan(0);
    const budget = await getBudget(priced, service.call);
    expect(budget.reserved_usd).toBe(0);
    expect(budget.spent_usd).toBeLessThanOrEqual(cap_usd);
    await setBudget(priced, admin, { cap_usd: null });
    expect(await ended((await enqueue({ force: false })).id)).toMatchObject({ status: 'succeeded' });
  });

  it('tell of themselves, and a stream that comes back goes on where it was cut', async () => {
    const stop = new AbortController();
    const seen: JobStreamEvent[] = [];
    const job = await enqueue();
    const first = await streamJobs(priced, service.call, { project_id }, stop.signal);
    for await (const event of first) {
      seen.push(event);
      if (seen.length === 2) break;
    }
    expect(seen[0]).toMatchObject({ event: 'snapshot', data: { items: [{ id: job.id }] } });
    await ended(job.id);
    const last = seen.at(-1)!;
    const last_event_id = 'id' in last ? last.id : undefined;
    for await (const event of await streamJobs(
      priced,
      service.call,
      { project_id, last_event_id },
      stop.signal,
    )) {
      seen.push(event);
      if (event.event === 'job' && event.data.status === 'succeeded') break;
    }
    stop.abort();
    const places = seen.map((event) => ('id' in event ? Number(event.id) : 0));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBe(places.length);
    expect(seen.at(-1)).toMatchObject({ event: 'job', data: { id: job.id, status: 'succeeded' } });
    const bad = streamJobs(priced, service.call, { project_id, last_event_id: 'x' }, stop.signal);
    await expect(bad).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

it('jobs try episodes again whose numbers cannot be read for a while, and do the others meanwhile', async () => {
  const service = await joinRunService({ roots: [place] });
  const { store, call, project_id } = service;
  const source_id = await service.source(recordings);
  await service.ended((await startRun(store, call, { project_id, source_id })).id);
  const { rows } = await store.database.query(
    `SELECT shard_blob AS key, count(*)::int AS episodes FROM episodes WHERE project_id = $1
     GROUP BY 1 ORDER BY 2 LIMIT 1`,
    [project_id],
  );
  const shard = join(store.data_folder, 'blobs', rows[0].key);
  const bytes = readFileSync(shard);
  writeFileSync(shard, bytes.subarray(0, 100));
  const { job } = await enqueueJob(store, call, { project_id, layer: 'segments', force: true });
  const now = () => getJob(store, call, { project_id, job_id: job.id });
  let seen = await now();
  while (seen.attempts === 1 || seen.episodes.done < episodes - rows[0].episodes) {
    await wait(50);
    seen = await now();
  }
  expect(seen).toMatchObject({ status: 'running', episodes: { failed: 0 } });
  writeFileSync(shard, bytes);
  while (seen.status === 'running') {
    await wait(100);
    seen = await now();
  }
  expect(seen).toMatchObject({ status: 'succeeded', episodes: { done: episodes }, failures: [] });
}, 120_000);
