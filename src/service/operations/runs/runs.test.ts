import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { newId } from '#core';
import {
  type JoinedService,
  joinRunService,
  openRunService,
  type RunService,
} from '#test/support/run-service';
import { callAs } from '#test/support/service-call';
import { serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../../bench/lerobot/generate-set.ts';
import {
  cancelRun,
  getRun,
  getRunReport,
  listRunFindings,
  listRuns,
  planRun,
  rescoreProject,
  resumeRun,
  setDataKind,
  setReadinessSettings,
  startRun,
  streamRun,
} from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-run-cases-'));
const numbers = join(place, 'numbers');
const logs = join(place, 'logs');
const episodes = 12;
const { signal: never } = new AbortController();

beforeAll(async () => {
  for (const folder of [numbers, logs]) mkdirSync(folder, { recursive: true });
  await generateNumericSet(numbers, episodes);
  await writeTeleopMcap(logs, 7, () => {}, { episodes: 6, plan: {} });
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(serviceDatabases)('runs on the %s database', (on) => {
  /** Nobody works here, so that what is queued stays so. */
  let idle: RunService;
  let busy: JoinedService;
  beforeAll(async () => {
    idle = await openRunService({ on, roots: [place], works: false });
    busy = await joinRunService({ on, roots: [place] });
  });
  afterAll(() => idle.close());

  const start = async (service: JoinedService, path: string) => {
    const { store, call, project_id } = service;
    return startRun(store, call, { project_id, source_id: await service.source(path) });
  };

  test('a plan is the same each time, and tells what would be read', async () => {
    const { store, call, project_id } = idle;
    const source_id = await idle.source(numbers);
    const plan = await planRun(store, call, { project_id, source_id });
    expect(await planRun(store, call, { project_id, source_id })).toEqual(plan);
    expect(plan).toMatchObject({
      episodes,
      layers: ['metadata', 'captions', 'segments'],
      estimate: { cost_usd: 0 },
    });
    expect(plan.datasets).toMatchObject([{ path: '.', format: 'lerobot', episodes, cameras: [] }]);
    expect(plan.steps.map(({ id }) => id)).toEqual(['look', 'measure', 'compare', 'judge', 'annotate']);
  });

  test('a plan changes with the recordings and with the settings, and then is not started', async () => {
    const { store, call, project_id } = idle;
    const copy = join(place, `copy-${on}`);
    cpSync(logs, copy, { recursive: true });
    const source_id = await idle.source(copy);
    const { plan_hash } = await planRun(store, call, { project_id, source_id });
    appendFileSync(join(copy, 'episode_003.mcap'), 'more');
    const changed = startRun(store, call, { project_id, source_id, plan_hash });
    await expect(changed).rejects.toMatchObject({ code: 'plan_changed' });
    const now = await planRun(store, call, { project_id, source_id });
    const checks = { signal_sync: { weight_factor: 2 } };
    await setReadinessSettings(store, call, { project_id, checks });
    const unsettled = startRun(store, call, { project_id, source_id, plan_hash: now.plan_hash });
    await expect(unsettled).rejects.toMatchObject({ code: 'plan_changed' });
    const { plan_hash: last } = await planRun(store, call, { project_id, source_id });
    const run = await startRun(store, call, { project_id, source_id, plan_hash: last });
    expect(run).toMatchObject({ status: 'queued', plan_hash: last });
  });

  test('a source has one run under way: starting again answers that one', async () => {
    const { store, call, project_id } = idle;
    const run = await start(idle, numbers);
    const { source_id } = run;
    expect(await startRun(store, call, { project_id, source_id })).toEqual(run);
    const cancelled = await cancelRun(store, call, { run_id: run.id });
    expect(cancelled).toMatchObject({ status: 'cancelled', attempt: 1 });
    const next = await startRun(store, call, { project_id, source_id });
    expect(next.id).not.toBe(run.id);
    await expect(resumeRun(store, call, { run_id: run.id })).rejects.toMatchObject({ code: 'conflict' });
    await cancelRun(store, call, { run_id: next.id });
    expect(await resumeRun(store, call, { run_id: run.id })).toMatchObject({ status: 'queued', attempt: 2 });
    const { items } = await listRuns(store, call, { project_id, source_id, limit: 1 });
    expect(items.map(({ id }) => id)).toEqual([next.id]);
  });

  test('lists page by page, newest first', async () => {
    const { store, call, project_id } = idle;
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listRuns(store, call, { project_id, limit: 2, cursor });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(ids.length).toBeGreaterThan(2);
    expect(ids).toEqual([...ids].sort().reverse());
    const queued = await listRuns(store, call, { project_id, limit: 500, status: 'queued' });
    expect(queued.items.every(({ status }) => status === 'queued')).toBe(true);
  });

  test('another tenant, and nobody, has a run: the answer is the same', async () => {
    const { store } = idle;
    const run = await start(idle, numbers);
    const stranger = callAs('admin');
    const of = { run_id: run.id, project_id: run.project_id, source_id: run.source_id, limit: 1, file: 'x' };
    const nobody = { ...of, run_id: newId('run'), project_id: newId('prj') };
    const calls = [
      getRun,
      cancelRun,
      resumeRun,
      listRunFindings,
      listRuns,
      planRun,
      startRun,
      rescoreProject,
    ];
    for (const use of calls as ((...args: unknown[]) => Promise<unknown>)[]) {
      const theirs = await use(store, stranger, of).catch((error) => error);
      const none = (await use(store, idle.call, nobody).catch((error) => error)) as Error;
      expect(theirs, use.name).toMatchObject({ code: 'not_found', message: none.message });
    }
    for (const use of [getRunReport, streamRun] as ((...args: unknown[]) => Promise<unknown>)[]) {
      await expect(use(store, stranger, of, never)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test('a role below engineer may look on only', async () => {
    const { store, call, project_id } = idle;
    const reviewer = callAs('reviewer', call.actor.tenant_id);
    const of = { run_id: newId('run'), project_id, source_id: newId('src') };
    const calls = [planRun, startRun, cancelRun, resumeRun, rescoreProject];
    for (const use of calls as ((...args: unknown[]) => Promise<unknown>)[]) {
      await expect(use(store, reviewer, of), use.name).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect((await listRuns(store, reviewer, { project_id, limit: 1 })).items.length).toBe(1);
  });

  test('a stream tells everything once, in order, and goes on after any of its events', async () => {
    const { store, call } = busy;
    const run = await start(busy, logs);
    const all = await take(streamRun(store, call, { run_id: run.id }, never));
    const ids = all.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(all.at(-1)).toMatchObject({ event: 'run', data: { status: 'succeeded', stage: 'done' } });
    const stages = all
      .filter(({ event }) => event === 'run')
      .map(({ data }) => (data as { stage: string }).stage);
    expect([...new Set(stages)]).toEqual(['look', 'measure', 'compare', 'judge', 'annotate', 'done']);
    const kept = all.filter(({ event }) => event !== 'progress');
    for (const [at, { id }] of kept.entries()) {
      const rest = await take(streamRun(store, call, { run_id: run.id, last_event_id: id }, never));
      expect(rest).toEqual(kept.slice(at + 1));
    }
    const wrong = streamRun(store, call, { run_id: run.id, last_event_id: 'first' }, never);
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test('a stream that its reader leaves ends', async () => {
    const { store, call } = idle;
    const run = await start(idle, numbers);
    const gone = new AbortController();
    const stream = await streamRun(store, call, { run_id: run.id }, gone.signal);
    expect((await stream.next()).value).toMatchObject({ event: 'run', data: { id: run.id } });
    const next = stream.next();
    gone.abort();
    expect((await next).done).toBe(true);
  });

  test('an episode that is judged again keeps its id; each run keeps its own receipt', async () => {
    const { store, call, project_id } = busy;
    const first = await busy.ended((await start(busy, numbers)).id);
    const { source_id } = first;
    const idsOf = async () => {
      const { rows } = await store.database.query(
        'SELECT id FROM episodes WHERE source_id = $1 ORDER BY name',
        [source_id],
      );
      return rows.map(({ id }) => id);
    };
    const ids = await idsOf();
    const second = await busy.ended((await startRun(store, call, { project_id, source_id })).id);
    const { items } = await rescoreProject(store, call, { project_id, source_id });
    const third = await busy.ended(items[0].id);
    expect([second.status, third.status]).toEqual(['succeeded', 'succeeded']);
    expect(await idsOf()).toEqual(ids);
    const { rows } = await store.database.query(
      'SELECT run_id, count(*)::int AS n FROM receipts WHERE episode_id = ANY($1) GROUP BY run_id ORDER BY run_id',
      [ids],
    );
    expect(rows).toEqual([first, second, third].map(({ id }) => ({ run_id: id, n: episodes })));
    const { rows: units } = await store.database.query(
      'SELECT DISTINCT measured_blob FROM run_units WHERE run_id = ANY($1)',
      [[second.id, third.id]],
    );
    expect(units).toHaveLength(1);
  });

  test('what was measured as one kind is not judged again as another', async () => {
    const { store, call, project_id } = busy;
    const { source_id } = await busy.ended((await start(busy, numbers)).id);
    await setDataKind(store, call, { project_id, kind: 'teleop' });
    const rescored = rescoreProject(store, call, { project_id, source_id });
    await expect(rescored).rejects.toMatchObject({ code: 'not_ready' });
    await setDataKind(store, call, { project_id, kind: null });
  });

  test('a report is there once the run is, and has no other files', async () => {
    const { store, call } = busy;
    const run = await busy.ended((await start(busy, numbers)).id);
    const page = (file: string) => getRunReport(store, call, { run_id: run.id, file }, never);
    // Two who ask first at once get one report.
    const [index, again] = await Promise.all([page('index.html'), page('index.html')]);
    expect(Buffer.from(index.bytes).toString()).toMatch(/^<!doctype html>/);
    expect(again).toEqual(index);
    expect((await page('assets/core.js')).content_type).toMatch(/^text\/javascript/);
    for (const file of ['nothing.html', '../receipts/x', '', 'data'])
      await expect(page(file), file).rejects.toMatchObject({ code: 'not_found' });
    const queued = await start(idle, numbers);
    const early = getRunReport(idle.store, idle.call, { run_id: queued.id, file: 'index.html' }, never);
    await expect(early).rejects.toMatchObject({ code: 'not_ready' });
  });
});

async function take<T>(stream: Promise<AsyncGenerator<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of await stream) all.push(one);
  return all;
}
