import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { parseJson, toJson } from '#core';
import { judgedRows, runWorkRows } from '#store';
import { receiptsOf } from '#test/support/run-receipts';
import { openRunService, type RunService, type RunServiceOptions } from '#test/support/run-service';
import { haveServers, onServers, startPostgres } from '#test/support/servers';
import { availableDatabases, serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../bench/lerobot/generate-set.ts';
import { cancelRun, getRun, getRunReport, resumeRun, startRun } from '../../service/operations/index.ts';
import type { JudgeUnit, MeasureUnit } from '../steps/units.ts';
import { doRange } from '../threads/do-range.ts';
import { ThreadLost } from '../threads/step-thread.ts';
import { lookStep } from './runs/launch-run.ts';
import { measureStep } from './runs/measure-range.ts';
import { runKind } from './runs/run-kind.ts';
import { createEngine } from './start-engine.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-run-faults-'));
const numbers = join(place, 'numbers');
/** Number of episodes in `numbers`: few but long, so that a run has several units and can be stopped half-way. */
const episodes = 70;
const logs = join(place, 'logs');

beforeAll(async () => {
  for (const folder of [numbers, logs]) mkdirSync(folder, { recursive: true });
  await generateNumericSet(numbers, episodes, 6000);
  await writeTeleopMcap(logs, 7, () => {}, { episodes: 6, plan: {} });
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

let service: RunService;
const open = async (options: Omit<RunServiceOptions, 'roots'>) => {
  const opened = await openRunService({ roots: [place], ...options });
  onTestFinished(() => opened.close());
  service = opened;
};
/** One service for all tests of a group. */
const useService = (options: Omit<RunServiceOptions, 'roots'>) => {
  let opened: RunService;
  beforeAll(async () => {
    opened = await openRunService({ roots: [place], ...options });
    service = opened;
  });
  afterAll(() => opened.close());
};

const start = async (path: string) => {
  const { store, call, project_id } = service;
  return startRun(store, call, { project_id, source_id: await service.source(path) });
};
const runNow = (run_id: string) => getRun(service.store, service.call, { run_id });

/** Looks again and again; a test that waits in vain runs out of its time. */
async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    await wait(10);
  }
}

const unitsOf = async (run_id: string) => {
  const { rows } = await service.store.database.query(
    'SELECT place, state, attempt, measured_blob FROM run_units WHERE run_id = $1 ORDER BY place',
    [run_id],
  );
  return rows as { place: number; state: string; attempt: number; measured_blob: string | null }[];
};

describe.each(serviceDatabases)('a run on the %s database', (on) => {
  describe('with an engine at work', () => {
    useService({ on, patience_ms: 60_000 });

    test('that is cancelled stops, keeps what is done, and goes on from there', async () => {
      const { store, call } = service;
      const { id: run_id } = await start(numbers);
      await until(
        () => runNow(run_id),
        ({ episodes }) => episodes.measured > 0,
      );
      const cancelled = await cancelRun(store, call, { run_id });
      expect(cancelled).toMatchObject({ status: 'cancelled', stage: 'measure', error: null });
      const atWork = async () => {
        const { rows } = await store.database.query(
          "SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'run_units' AND state = 'active'",
        );
        return rows[0].n as number;
      };
      await until(atWork, (jobs) => jobs === 0);
      expect(await runNow(run_id)).toEqual(cancelled);
      const measured = (await unitsOf(run_id)).filter(({ state }) => state === 'measured');
      expect(measured.length).toBeGreaterThan(0);
      await resumeRun(store, call, { run_id });
      const ended = await service.ended(run_id);
      expect(ended).toMatchObject({
        status: 'succeeded',
        attempt: 2,
        episodes: { measured: episodes, judged: episodes },
      });
      const blobs = new Map(
        (await unitsOf(run_id)).map(({ place, measured_blob }) => [place, measured_blob]),
      );
      for (const { place, measured_blob } of measured) expect(blobs.get(place)).toBe(measured_blob);
      expect(new Set(await receiptsOf(service, run_id)).size).toBe(episodes);
    }, 60_000);

    test('waits for a blob store that is away, saying so, and goes on when it is back', async () => {
      const away = takeAway();
      const { id: run_id } = await start(numbers);
      const waiting = await until(
        () => runNow(run_id),
        (run) => run.waiting !== null,
      );
      expect(waiting).toMatchObject({ status: 'running', waiting: { code: 'storage_unavailable' } });
      away.bringBack();
      const ended = await service.ended(run_id);
      expect(ended).toMatchObject({ status: 'succeeded', waiting: null, episodes: { judged: episodes } });
      expect((await unitsOf(run_id)).every(({ attempt }) => attempt === 2)).toBe(true);
    }, 120_000);

    test('has no report while the blob store is away, and says that at once', async () => {
      const { store, call } = service;
      const { id: run_id } = await start(logs);
      expect(await service.ended(run_id)).toMatchObject({ status: 'succeeded' });
      const report = () =>
        getRunReport(store, call, { run_id, file: 'index.html' }, new AbortController().signal);
      const away = takeAway();
      await expect(report()).rejects.toMatchObject({ code: 'storage_unavailable' });
      away.bringBack();
      expect(await report()).toMatchObject({ content_type: 'text/html; charset=utf-8' });
    });
  });

  describe('whose steps are taken by hand', () => {
    useService({ on, works: false });

    test('that commits a unit twice counts it once', async () => {
      const { engine, ref, lease } = await looked(logs);
      const work = { database: service.store.database, tenant_id: ref.tenant_id, run_id: ref.run_id };
      const claim = async (worker: string) => {
        const claiming = { places: { from: 0, to: 0 }, state: 'waiting', worker, suspect: false } as const;
        return parseJson((await runWorkRows.claimUnits<MeasureUnit>(work, claiming)).units);
      };
      const first = await claim('one');
      const second = await claim('two');
      const measured = (unit: MeasureUnit) =>
        toJson([{ ...emptyRow, place: unit.place, attempt: unit.attempt }]);
      expect(await runWorkRows.commitMeasured(work, 'one', measured(first[0]))).toMatchObject({ units: 0 });
      expect(await runWorkRows.commitMeasured(work, 'two', measured(second[0]))).toMatchObject({ units: 1 });
      expect(await runWorkRows.commitMeasured(work, 'two', measured(second[0]))).toMatchObject({ units: 0 });
      lease.release();
      await engine.threads.close();
    });

    test('that commits a judged unit again, since it did not hear of it, has it once', async () => {
      const { engine, ref, lease } = await looked(logs);
      const work = { database: service.store.database, tenant_id: ref.tenant_id, run_id: ref.run_id };
      await service.store.database.query("UPDATE run_units SET state = 'measured'");
      const claiming = {
        places: { from: 0, to: 0 },
        state: 'measured',
        worker: 'one',
        suspect: false,
      } as const;
      const [{ place: at, attempt }] = parseJson(
        (await runWorkRows.claimUnits<JudgeUnit>(work, claiming)).units,
      );
      const counts = { codes: {}, rejections: {}, usable: 3 };
      const totals = { accept: 2, review: 1, reject: 0, compute_s: 0, counts };
      const units = toJson([{ place: at, attempt, state: 'judged' as const, receipts: [], ...totals }]);
      const commit = (worker: string) => judgedRows.commitJudgedUnits(work, worker, units);
      expect(await commit('two')).toMatchObject({ units: 0, before: 0 });
      expect(await commit('one')).toMatchObject({ units: 1, before: 0, accept: 2 });
      expect(await commit('one')).toMatchObject({ units: 0, before: 1, accept: 0 });
      expect(await commit('two')).toMatchObject({ units: 0, before: 0 });
      lease.release();
      await engine.threads.close();
    });

    test('under which a unit ends every process measures the others, ends, and is resumed for that unit', async () => {
      const { engine, ref, context, lease, units } = await looked(logs);
      const { run_id } = ref;
      await service.store.database.query('UPDATE run_units SET deaths = 2 WHERE run_id = $1 AND place = 1', [
        run_id,
      ]);
      await doRange(measureStep(engine, ref, context), { from: 0, to: units - 1 }, true);
      const states = await unitsOf(run_id);
      const expected = (of1: string) => states.map(({ place }) => (place === 1 ? of1 : 'measured'));
      expect(states.map(({ state }) => state)).toEqual(expected('failed'));
      expect(await runNow(run_id)).toMatchObject({
        ...{ status: 'failed', stage: 'measure', episodes: { unreadable: 0, judged: 0 } },
        error: { code: 'unfinished', message: expect.stringContaining('crashed the process') },
      });
      await resumeRun(service.store, service.call, { run_id });
      expect((await unitsOf(run_id)).map(({ state }) => state)).toEqual(expected('waiting'));
      expect(await runNow(run_id)).toMatchObject({ status: 'queued', stage: 'measure', error: null });
      lease.release();
      await engine.threads.close();
    });

    test.each([
      ['once is measured whole by another thread', 1, { stage: 'compare', status: 'running' }],
      ['twice over one unit ends with its name', 2, { stage: 'measure', status: 'failed' }],
    ])('whose thread dies %s', async (_, deaths, ended) => {
      const { engine, ref, context, lease, units } = await looked(logs);
      let left = deaths;
      const threads = Object.assign(Object.create(engine.threads), {
        // No recording is known that ends a thread and leaves the machine well.
        do: (...order: Parameters<typeof engine.threads.do>) =>
          left-- > 0 ? Promise.reject(new ThreadLost('out of memory', 2)) : engine.threads.do(...order),
      });
      await doRange(measureStep({ ...engine, threads }, ref, context), { from: 0, to: units - 1 }, false);
      const { rows } = await service.store.database.query(
        "SELECT place, error->>'code' AS code FROM run_units WHERE run_id = $1 AND state = 'failed'",
        [ref.run_id],
      );
      expect(rows).toEqual(deaths > 1 ? [{ place: 2, code: 'not_finished' }] : []);
      expect(await runNow(ref.run_id)).toMatchObject({
        ...ended,
        episodes: { measured: deaths > 1 ? 5 : 6 },
      });
      lease.release();
      await engine.threads.close();
    });
  });

  test('fails with its reason when a blob store stays away, and is resumed', async () => {
    await open({ on, patience_ms: 300 });
    const { store, call } = service;
    const { id: run_id } = await start(numbers);
    await until(
      () => runNow(run_id),
      ({ episodes }) => episodes.measured > 0,
    );
    const away = takeAway();
    const failed = await service.ended(run_id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'storage_unavailable' } });
    expect(failed.error?.advice).toMatch(/folder/);
    away.bringBack();
    const before = (await unitsOf(run_id)).filter(({ state }) => state !== 'waiting');
    await resumeRun(store, call, { run_id });
    const ended = await service.ended(run_id);
    expect(ended).toMatchObject({ status: 'succeeded', error: null, episodes: { judged: episodes } });
    const after = new Map((await unitsOf(run_id)).map(({ place, measured_blob }) => [place, measured_blob]));
    for (const { place, measured_blob } of before) expect(after.get(place)).toBe(measured_blob);
  }, 120_000);
});

describe.skipIf(!availableDatabases.includes('server'))('a run on a server that cuts its connections', () => {
  test('comes to its end with every episode once', async () => {
    await open({ on: 'server', patience_ms: 60_000 });
    const { database } = service.store;
    const { id: run_id } = await start(numbers);
    const over = (run: { status: string } | null) =>
      run !== null && run.status !== 'running' && run.status !== 'queued';
    let before = '';
    let left = 0;
    const run = await until(async () => {
      // On a machine that is busy enough a transaction lasts longer than any pause: what is cut for good gets nowhere.
      if (left-- > 0) await database.query(cutOthers).catch(() => {});
      await wait(150 * Math.random());
      const now = await runNow(run_id).catch(() => null);
      const state = JSON.stringify([now?.stage, now?.episodes]);
      if (now !== null && state !== before) left = cutsAtOnce;
      if (now !== null) before = state;
      return now;
    }, over);
    expect(run).toMatchObject({
      ...{ status: 'succeeded', error: null },
      episodes: { measured: episodes, judged: episodes },
    });
    expect(new Set(await receiptsOf(service, run_id)).size).toBe(episodes);
  }, 180_000);
});

describe.skipIf(!haveServers)(onServers('a run whose server goes away'), () => {
  test('waits for it and goes on', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    await open({ on: 'server', url: server.url, patience_ms: 60_000 });
    const { id: run_id } = await start(numbers);
    await until(
      () => runNow(run_id),
      ({ episodes }) => episodes.measured > 0,
    );
    await server.halt();
    await wait(1000);
    await server.resume();
    const run = await until(
      () => runNow(run_id).catch(() => null),
      (seen) => seen !== null && seen.status !== 'running',
    );
    expect(run).toMatchObject({ status: 'succeeded', episodes: { judged: episodes } });
  }, 180_000);
});

/** Between two steps forward. */
const cutsAtOnce = 3;

const cutOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid()`;

/** Makes the folder of blobs unusable, as an unmounted disk is. */
function takeAway(): { bringBack(): void } {
  const folder = join(service.store.data_folder, 'blobs');
  mkdirSync(folder, { recursive: true });
  renameSync(folder, `${folder}.away`);
  writeFileSync(folder, '');
  return {
    bringBack: () => {
      rmSync(folder);
      renameSync(`${folder}.away`, folder);
    },
  };
}

const emptyRow = {
  state: 'measured' as const,
  bytes: 1,
  episodes: 1,
  unreadable: 0,
  kinds: {},
  findings: [],
  error: null,
  measured_blob: null,
  pack_entry: null,
  shard_blob: null,
  compute_s: 0,
};

/** A run that has been looked at and is ready to be measured by hand. */
async function looked(path: string) {
  const { store } = service;
  const folder = join(store.data_folder, 'blobs');
  const engine = createEngine(store, { blobs: { kind: 'folder', folder }, worker: 'by hand', threads: 1 });
  onTestFinished(() => engine.models.close());
  const { id: run_id } = await start(path);
  const ref = { tenant_id: service.call.actor.tenant_id, run_id, attempt: 1 };
  await store.database.query("UPDATE runs SET status = 'running' WHERE id = $1", [run_id]);
  const { rows } = await store.database.query('SELECT * FROM runs WHERE id = $1', [run_id]);
  const { signal } = new AbortController();
  const lease = engine.watch.lease(runKind, ref);
  const context = { row: rows[0], signal, stop: signal, uncommitted: lease.uncommitted };
  await lookStep(engine, ref, context);
  return { engine, ref, context, lease, units: (await unitsOf(run_id)).length };
}
