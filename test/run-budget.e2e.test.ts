import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { flatPrices } from '#core/api';
import { operations } from '#core/api/operations';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { errorCodesOf } from '../src/core/api/openapi-errors.ts';
import { openRunService, type RunService } from './support/run-service.ts';
import { type ServedRuns, serveRuns } from './support/served-runs.ts';
import { serviceDatabases } from './support/service-store.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-run-budget-'));
const sets = [join(place, 'one'), join(place, 'two')] as const;
beforeAll(async () => {
  for (const set of sets) await generateNumericSet(set, 60);
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

let service: RunService;
let served: ServedRuns;
afterEach(async () => {
  await served?.close();
  await service?.close();
});

test('the contract says of every operation that queues a run that it may be refused with 402', () => {
  for (const id of ['start_run', 'resume_run', 'rescore_project']) {
    const row = operations.rows.find((operation) => operation.id === id);
    expect(errorCodesOf(row!), id).toContain('budget_exceeded');
  }
});

describe.each(serviceDatabases)('a run under a weekly cap, on the %s database', (on) => {
  const open = async (works: boolean) => {
    service = await openRunService({ on, roots: [place], prices: flatPrices(2), works });
    served = await serveRuns(service);
  };
  const ask: ServedRuns['ask'] = (...asked) => served.ask(...asked);
  const cap = (cap_usd: number | null) => ask('PUT', 'budget', { cap_usd }, 'admin');
  const start = (source_id: string, more = {}) =>
    ask('POST', `projects/${service.project_id}/runs`, { source_id, ...more });
  const runs = async () => (await ask('GET', `projects/${service.project_id}/runs`)).body.items;
  const reserved = async () => (await ask('GET', 'budget')).body.reserved_usd;

  test('is refused when it is started, leaves nothing behind, and starts once there is room', async () => {
    await open(true);
    const source_id = await service.source(sets[0]);
    await cap(0.0001);
    const refused = await start(source_id);
    expect(refused).toMatchObject({ status: 402, body: { code: 'budget_exceeded', cap_usd: 0.0001 } });
    const plan = await ask('POST', `projects/${service.project_id}/runs/plan`, { source_id });
    expect(await start(source_id, { plan_hash: plan.body.plan_hash })).toMatchObject({ status: 402 });
    expect([await runs(), await reserved()]).toEqual([[], 0]);
    await cap(refused.body.estimate_usd);
    const started = await start(source_id);
    expect(started.status).toBe(202);
    expect(await service.ended(started.body.id)).toMatchObject({ status: 'succeeded' });
    expect(await reserved()).toBe(0);
  }, 60_000);

  test('takes its room from others at once, and is answered as it is when it is asked for again', async () => {
    await open(false);
    const sources = [await service.source(sets[0]), await service.source(sets[1])];
    await cap(0.0001);
    const { estimate_usd } = (await start(sources[0])).body;
    await cap(1.5 * estimate_usd);
    const answers = await Promise.all(sources.map((source_id) => start(source_id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 402]);
    expect(await reserved()).toBeCloseTo(estimate_usd, 6);
    const { body: queued } = answers.find(({ status }) => status === 202)!;
    expect(await start(queued.source_id)).toMatchObject({ status: 202, body: { id: queued.id } });
    await ask('POST', `runs/${queued.id}/cancel`);
    expect(await reserved()).toBe(0);
  });

  test('is refused when it is resumed, and stays as it was', async () => {
    await open(false);
    const { id } = (await start(await service.source(sets[0]))).body;
    await ask('POST', `runs/${id}/cancel`);
    await cap(0.0001);
    expect(await ask('POST', `runs/${id}/resume`)).toMatchObject({
      status: 402,
      body: { code: 'budget_exceeded' },
    });
    expect((await runs())[0]).toMatchObject({ id, status: 'cancelled' });
    await cap(null);
    expect(await ask('POST', `runs/${id}/resume`)).toMatchObject({ status: 202 });
    await service.begin();
    expect(await service.ended(id)).toMatchObject({ status: 'succeeded' });
    expect(await reserved()).toBe(0);
  }, 60_000);
});
