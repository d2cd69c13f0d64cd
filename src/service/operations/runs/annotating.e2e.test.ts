import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { flatPrices } from '#core/api';
import { openRunService, type RunService } from '#test/support/run-service';
import { serviceDatabases } from '#test/support/service-store';
import { generateNumericSet } from '../../../../bench/lerobot/generate-set.ts';
import {
  cancelJob,
  cancelRun,
  createProject,
  createSource,
  getAnnotationStatus,
  getBudget,
  getCosts,
  getJob,
  getProject,
  getRun,
  planRun,
  rescoreProject,
  resumeRun,
  setAnnotationSettings,
  setBudget,
  startRun,
} from '../index.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-annotating-'));
const few = join(place, 'few');
const ofFew = 30;
const many = join(place, 'many');
/** In several files, so that a run of them has several units and is found half way. */
const ofMany = 120;
const other = join(place, 'other');
const logs = join(place, 'logs');
/** US dollars a second. */
const price = 2;

beforeAll(async () => {
  for (const folder of [few, many, other, logs]) mkdirSync(folder, { recursive: true });
  await generateNumericSet(few, ofFew);
  await generateNumericSet(other, ofFew + 1);
  await generateNumericSet(many, ofMany, 750, 10);
  await writeTeleopMcap(logs, 7, () => {}, { episodes: 6, plan: {} });
}, 60_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(serviceDatabases)('a run that annotates, on the %s database', (on) => {
  let shared: RunService;
  /** With a project of its own for each test. */
  let service: RunService;
  const open = (works: boolean) => openRunService({ on, roots: [place], prices: flatPrices(price), works });
  beforeAll(async () => {
    shared = await open(true);
  }, 60_000);
  afterAll(() => shared?.close());
  beforeEach(async () => {
    const { store, call, project_id } = shared;
    const { workspace_id } = await getProject(store, call, { project_id });
    const name = expect.getState().currentTestName!.slice(-100);
    const project = await createProject(store, call, { workspace_id, name, target_profile: 'vla' });
    service = { ...shared, project_id: project.id };
  });
  afterEach(() => setBudget(shared.store, admin(), { cap_usd: null }));
  /** A service of its own in which nobody works. */
  const openIdle = async () => {
    service = await open(false);
    onTestFinished(() => service.close());
  };
  const start = async (path: string, project_id = service.project_id) => {
    const { store, call } = service;
    const source = await createSource(store, call, { project_id, kind: 'folder', path });
    return startRun(store, call, { project_id, source_id: source.id });
  };
  /** US dollars that a run is estimated to cost now, without its layers. */
  const estimateWithoutLayers = async (path: string) => {
    const { store, call, project_id } = service;
    const { id: source_id } = await createSource(store, call, { project_id, kind: 'folder', path });
    const modes = (mode: 'off' | 'in_run') => ({ metadata: mode, segments: mode, captions: mode });
    await setAnnotationSettings(store, call, { project_id, modes: modes('off') });
    const { estimate } = await planRun(store, call, { project_id, source_id });
    await setAnnotationSettings(store, call, { project_id, modes: modes('in_run') });
    return estimate.cost_usd;
  };
  const admin = () => ({ ...service.call, actor: { ...service.call.actor, role: 'admin' as const } });
  const cap = (cap_usd: number | null) => setBudget(service.store, admin(), { cap_usd });
  const rows = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await service.store.database.query(sql, values)).rows;
  const annotationsOf = (run_id: string) =>
    rows<{ layer: string; rows: number; episodes: number }>(
      `SELECT layer, count(*)::int AS rows, count(DISTINCT episode_id)::int AS episodes FROM annotations
       WHERE run_id = $1 GROUP BY layer ORDER BY layer`,
      [run_id],
    );
  const each = (layer: string, episodes: number) => ({ layer, rows: episodes, episodes });
  const chargesOf = (run_id: string) =>
    rows<{ layer: string; usd: number }>(
      `SELECT layer, sum(amount_usd + waived_usd)::float8 AS usd FROM charges WHERE purpose_id = $1 GROUP BY layer ORDER BY layer`,
      [run_id],
    );
  const openReservations = () => rows('SELECT * FROM reservations WHERE closed_at IS NULL');
  /** The run once it annotates and has annotated some; a test that waits in vain runs out of its time. */
  const annotating = async (run_id: string) => {
    for (;;) {
      const done = await annotationsOf(run_id);
      if (done.length > 0) return getRun(service.store, service.call, { run_id });
      await wait(5);
    }
  };

  test('has each layer on each episode once when it ends, and their cost as its part', async () => {
    const run = await service.ended((await start(few)).id);
    expect(run).toMatchObject({ status: 'succeeded', stage: 'done', episodes: { judged: ofFew } });
    expect(await annotationsOf(run.id)).toEqual([each('metadata', ofFew), each('segments', ofFew)]);
    const of = new Map(run.layers.map((layer) => [layer.layer as string, layer]));
    expect([...of.keys()].sort()).toEqual(['captions', 'metadata', 'segments']);
    // Numbers alone cannot carry a caption.
    expect(of.get('captions')).toMatchObject({ status: 'inapplicable', job_id: null, cost_usd: 0 });
    expect(await service.findings(run.id)).toEqual([]);
    const charged = await chargesOf(run.id);
    expect(charged.map(({ layer }) => layer)).toEqual(['metadata', 'readiness', 'segments']);
    for (const { layer, usd } of charged) {
      const own = of.get(layer);
      const cost =
        own?.cost_usd ?? run.cost_usd - run.layers.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
      expect(cost, layer).toBeGreaterThan(0);
      expect(usd, layer).toBeCloseTo(cost, 5);
      if (own !== undefined) {
        expect(own.status).toBe('succeeded');
        const of_job = { project_id: run.project_id, job_id: own.job_id! };
        const job = await getJob(service.store, service.call, of_job);
        expect(job).toMatchObject({ origin: 'run', run_id: run.id, episodes: { total: ofFew, done: ofFew } });
      }
    }
    expect(run.cost_usd).toBeCloseTo(run.compute_s * price, 2);
    expect(await openReservations()).toEqual([]);
    const { items } = await getCosts(service.store, { ...admin(), now: new Date() }, { group_by: 'project' });
    const own = items.find(({ key }) => key === run.project_id);
    expect(own?.amount_usd).toBeCloseTo(run.cost_usd, 5);
  });

  test('never spends on layers that are off or on demand', async () => {
    const { store, call, project_id } = service;
    const modes = { metadata: 'on_demand', segments: 'off', captions: 'off' } as const;
    await setAnnotationSettings(store, call, { project_id, modes });
    const run = await service.ended((await start(few)).id);
    expect(run).toMatchObject({ status: 'succeeded', layers: [] });
    expect(await rows('SELECT * FROM jobs WHERE run_id = $1', [run.id])).toEqual([]);
    expect(await annotationsOf(run.id)).toEqual([]);
    expect((await chargesOf(run.id)).map(({ layer }) => layer)).toEqual(['readiness']);
  });

  test('says which layers nothing here runs, in its plan and at its end', async () => {
    const { store, call } = service;
    const { workspace_id } = await getProject(store, call, { project_id: service.project_id });
    const made = { workspace_id, name: 'boxes', target_profile: 'detector' } as const;
    const { id: project_id } = await createProject(store, call, made);
    const modes = { object_labels: 'off', depth: 'in_run' } as const;
    await setAnnotationSettings(store, call, { project_id, modes });
    const source = await createSource(store, call, { project_id, kind: 'folder', path: logs });
    const plan = await planRun(store, call, { project_id, source_id: source.id });
    expect(plan.layers).toEqual(['metadata', 'captions', 'segments']);
    expect(plan.steps.at(-1)).toMatchObject({ id: 'annotate', episodes: plan.episodes });
    const missing = ['depth'];
    const notices = plan.findings.filter(({ code }) => code === 'layer_unavailable');
    expect(notices.map(({ evidence }) => evidence?.layer).sort()).toEqual([...missing].sort());
    const run = await service.ended((await start(logs, project_id)).id);
    expect(run.status).toBe('succeeded');
    for (const layer of missing) {
      const own = run.layers.find((one) => one.layer === layer);
      expect(own, layer).toMatchObject({ status: 'unavailable', job_id: null, compute_s: 0, cost_usd: 0 });
    }
    const findings = (await service.findings(run.id)) as {
      code: string;
      message: string;
      advice: string;
    }[];
    const said = findings.filter(({ code }) => code === 'layer_unavailable');
    expect(said).toHaveLength(1);
    for (const { message, advice } of said) {
      expect(message).toMatch(/depth/);
      expect(advice).toMatch(/annotation\/status/);
    }
    expect(await rows("SELECT * FROM jobs WHERE layer NOT IN ('metadata', 'segments', 'captions')")).toEqual(
      [],
    );
  });

  test('keeps to the settings it was started under', async () => {
    await openIdle();
    const { store, call, project_id } = service;
    const run = await start(few);
    const modes = { metadata: 'off' } as const;
    await setAnnotationSettings(store, call, {
      project_id,
      modes,
      config: { segments: { max_segments: 3 } },
    });
    const known = await getRun(store, call, { run_id: run.id });
    expect(known.layers).toEqual(run.layers);
    expect(run.layers.map(({ layer }) => layer)).toContain('metadata');
    const [{ layers }] = await rows<{ layers: { layer: string; config: Record<string, unknown> }[] }>(
      'SELECT layers FROM runs WHERE id = $1',
      [run.id],
    );
    expect(layers.find(({ layer }) => layer === 'segments')?.config).toMatchObject({ max_segments: 50 });
  });

  test('is planned with its layers: other settings are another plan, and dearer', async () => {
    await openIdle();
    const { store, call, project_id } = service;
    const source_id = await service.source(few);
    const plan = await planRun(store, call, { project_id, source_id });
    const modes = { metadata: 'off', segments: 'off', captions: 'off' } as const;
    await setAnnotationSettings(store, call, { project_id, modes });
    const bare = await planRun(store, call, { project_id, source_id });
    expect(bare).toMatchObject({ layers: [], steps: [{}, {}, {}, {}] });
    expect(bare.plan_hash).not.toBe(plan.plan_hash);
    expect(bare.estimate.cost_usd).toBeLessThan(plan.estimate.cost_usd);
    const { plan_hash } = plan;
    const stale = startRun(store, call, { project_id, source_id, plan_hash });
    await expect(stale).rejects.toMatchObject({ code: 'plan_changed' });
  });

  test('annotates again what it judges again, under the same ids; a rescore does not', async () => {
    const { store, call, project_id } = service;
    const first = await service.ended((await start(few)).id);
    const { source_id } = first;
    const hashes = () =>
      rows(
        `SELECT episode_id, layer, input_hash, artifact_hash FROM annotations WHERE project_id = $1
         ORDER BY episode_id, layer`,
        [project_id],
      );
    const before = await hashes();
    const second = await service.ended((await startRun(store, call, { project_id, source_id })).id);
    expect(second.status).toBe('succeeded');
    expect(await hashes()).toEqual(before);
    expect(await annotationsOf(second.id)).toEqual([each('metadata', ofFew), each('segments', ofFew)]);
    const { items } = await rescoreProject(store, call, { project_id, source_id });
    const third = await service.ended(items[0].id);
    expect(third).toMatchObject({ status: 'succeeded', layers: [] });
    expect(await annotationsOf(second.id)).toHaveLength(2);
    expect((await chargesOf(third.id)).map(({ layer }) => layer)).toEqual(['readiness']);
    expect(await openReservations()).toEqual([]);
  });

  test('that is cancelled keeps what is annotated; resumed it does the rest, each episode once', async () => {
    const { store, call, project_id } = service;
    const { id: run_id } = await start(many);
    await annotating(run_id);
    const cancelled = await cancelRun(store, call, { run_id });
    expect(cancelled).toMatchObject({ status: 'cancelled', stage: 'annotate' });
    for (;;) {
      const jobs = await rows<{ status: string }>('SELECT status FROM jobs WHERE run_id = $1', [run_id]);
      expect(jobs).toHaveLength(2);
      if (jobs.every(({ status }) => status === 'cancelled')) break;
      await wait(50);
    }
    expect(await openReservations()).toEqual([]);
    const kept = await rows<{ id: string }>('SELECT id FROM annotations WHERE project_id = $1 ORDER BY id', [
      project_id,
    ]);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length).toBeLessThan(2 * ofMany);
    expect(await resumeRun(store, call, { run_id })).toMatchObject({ status: 'queued', attempt: 2 });
    const run = await service.ended(run_id);
    expect(run).toMatchObject({ status: 'succeeded', stage: 'done' });
    expect(await annotationsOf(run_id)).toEqual([each('metadata', ofMany), each('segments', ofMany)]);
    const still = await rows('SELECT id FROM annotations WHERE id = ANY($1)', [kept.map(({ id }) => id)]);
    expect(still).toHaveLength(kept.length);
    const [{ done }] = await rows<{ done: number }>(
      'SELECT sum(done)::int AS done FROM jobs WHERE run_id = $1',
      [run_id],
    );
    expect(done).toBe(2 * ofMany);
    expect(run.cost_usd).toBeCloseTo(
      (await chargesOf(run_id)).reduce((sum, { usd }) => sum + usd, 0),
      4,
    );
    const { layers } = await getAnnotationStatus(store, call, { project_id });
    expect(layers.find(({ layer }) => layer === 'metadata')).toMatchObject({ state: 'ran' });
  }, 120_000);

  test('goes on where one of its jobs is cancelled, and says that the layer is incomplete', async () => {
    const { store, call, project_id } = service;
    const { id: run_id } = await start(many);
    const { layers, usability, kind } = await annotating(run_id);
    expect({ usability, kind }).toMatchObject({
      usability: { verdict: expect.any(String) },
      kind: expect.any(String),
    });
    const { job_id } = layers.find(({ layer }) => layer === 'segments')!;
    await cancelJob(store, call, { project_id, job_id: job_id! });
    const run = await service.ended(run_id);
    expect(run).toMatchObject({ status: 'succeeded', stage: 'done' });
    expect(run.layers.find(({ layer }) => layer === 'segments')).toMatchObject({ status: 'cancelled' });
    expect(await annotationsOf(run_id)).toContainEqual(each('metadata', ofMany));
    expect(await service.findings(run_id)).toMatchObject([{ code: 'layer_incomplete' }]);
    expect(await openReservations()).toEqual([]);
  }, 120_000);

  test('ends where the budget has no room for it, before it measures anything', async () => {
    await openIdle();
    const { id: run_id } = await start(few);
    // Set after the run was queued, and before anybody has looked at what it is to read.
    await cap(0.0001);
    await service.begin();
    const run = await service.ended(run_id);
    expect(run).toMatchObject({ status: 'failed', stage: 'look', error: { code: 'budget_exceeded' } });
    expect(run.error?.advice).toMatch(/cap/);
    expect([await openReservations(), await chargesOf(run_id)]).toEqual([[], []]);
    await cap(null);
    await resumeRun(service.store, service.call, { run_id });
    expect(await service.ended(run_id)).toMatchObject({ status: 'succeeded', error: null });
    expect(await openReservations()).toEqual([]);
  });

  test('leaves out a layer for which the budget has no room, says so, and succeeds', async () => {
    const first = await service.ended((await start(few)).id);
    const { spent_usd } = await getBudget(service.store, service.call);
    // Room for the run itself, and not for its layers beside what it takes.
    const [{ least }] = await rows<{ least: number }>(
      'SELECT min(estimate_usd)::float8 AS least FROM jobs WHERE run_id = $1',
      [first.id],
    );
    const own = await estimateWithoutLayers(other);
    expect(Math.min(least, own)).toBeGreaterThan(0);
    await cap(spent_usd + own + least / 2);
    const run = await service.ended((await start(other)).id);
    expect(run).toMatchObject({ status: 'succeeded', stage: 'done' });
    const skipped = run.layers.filter(({ status }) => status === 'skipped');
    expect(skipped.map(({ layer }) => layer as string).sort()).toEqual(['metadata', 'segments']);
    const findings = await service.findings(run.id);
    expect(findings).toMatchObject([{ code: 'layer_skipped' }, { code: 'layer_skipped' }]);
    expect(await annotationsOf(run.id)).toEqual([]);
    expect(await rows('SELECT * FROM job_items WHERE job_id NOT IN (SELECT id FROM jobs)')).toEqual([]);
    expect(await openReservations()).toEqual([]);
  });

  test('charges what it took until it was cancelled, and the rest at its end', async () => {
    const { store, call } = service;
    const { id: run_id } = await start(many);
    for (;;) {
      const { stage, compute_s } = await getRun(store, call, { run_id });
      if (stage === 'measure' && compute_s > 0) break;
      await wait(5);
    }
    expect(await openReservations()).toHaveLength(1);
    const cancelled = await cancelRun(store, call, { run_id });
    expect(cancelled).toMatchObject({ status: 'cancelled', stage: 'measure' });
    const [first] = await chargesOf(run_id);
    expect(first.usd).toBeCloseTo(cancelled.cost_usd, 5);
    expect(first.usd).toBeGreaterThan(0);
    expect(await openReservations()).toEqual([]);
    await resumeRun(store, call, { run_id });
    expect(await openReservations()).toHaveLength(1);
    const run = await service.ended(run_id);
    const charged = (await chargesOf(run_id)).reduce((sum, { usd }) => sum + usd, 0);
    expect(charged).toBeCloseTo(run.cost_usd, 4);
    expect(await openReservations()).toEqual([]);
  }, 120_000);
});
