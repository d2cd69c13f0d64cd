import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopMcap } from '#apps/samples';
import { type Database, openQueue, openServer } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { assessFolder } from './support/assessed-project.ts';
import { untilEnded } from './support/kills.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { availableDatabases, createOwnDatabase } from './support/service-store.ts';
import { rounds } from './support/tiers.ts';
import { endProcess, startWorkerProcess } from './support/worker-process.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-workers-'));
const recordings = join(place, 'recordings');
/** Runs are of many episodes, so that there is work for two; jobs are of few. */
const [many, few] = [join(recordings, 'many'), join(recordings, 'few')];
const inRun = 1500;
const logs = rounds(4, 24);
const inJob = rounds(300, 1000) + logs;
/** Work of a worker that was killed is somebody else's after so long at most. */
const returned_s = 30;

beforeAll(async () => {
  for (const folder of [many, join(few, 'logs')]) mkdirSync(folder, { recursive: true });
  await generateNumericSet(many, inRun);
  await generateNumericSet(join(few, 'numbers'), inJob - logs);
  await writeTeleopMcap(join(few, 'logs'), 7, () => {}, { episodes: logs, plan: {} });
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const servers = availableDatabases.filter((on) => on === 'server');

describe.skipIf(servers.length === 0)('workers of one PostgreSQL', () => {
  let own: Awaited<ReturnType<typeof createOwnDatabase>>;
  let database: Database;
  let service: ServiceProcess;
  let project: string;
  let runProject: string;
  let source_id: string;
  const workers = new Map<string, ChildProcess>();

  const environment = () => ({
    ASSAY_DATABASE_URL: own.url,
    ASSAY_BLOBS: join(place, 'blobs'),
    ASSAY_SOURCE_ROOTS: recordings,
    ASSAY_WORKERS: '1',
    ASSAY_RATE_LIMIT: '1000000',
  });
  const startWorker = async (name: string, lanes?: string): Promise<ChildProcess> => {
    const env = { ...environment(), ...(lanes === undefined ? {} : { ASSAY_WORKER_LANES: lanes }) };
    const worker = await startWorkerProcess(join(place, name), env);
    workers.set(name, worker);
    return worker;
  };
  const endWorkers = () => Promise.all([...workers.values()].map((worker) => endProcess(worker, 'SIGTERM')));
  /** The name under which a worker takes work. */
  const nameOf = (name: string) => readFileSync(join(place, name, 'worker-name'), 'utf8');
  const select = async (text: string, values: readonly unknown[] = []) =>
    (await database.query(text, [...values])).rows;

  beforeAll(async () => {
    own = await createOwnDatabase('migrated');
    database = openServer(own.url);
    // An episode that is done is no item any more: what it was when it was done is kept here.
    await database.query('CREATE TABLE test_done AS SELECT * FROM job_items WITH NO DATA');
    await database.query(
      `CREATE FUNCTION test_keep_done() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO test_done SELECT OLD.*; RETURN NULL; END $$`,
    );
    await database.query(
      'CREATE TRIGGER test_keep_done AFTER DELETE ON job_items FOR EACH ROW EXECUTE FUNCTION test_keep_done()',
    );
    [service] = await Promise.all([
      startServiceProcess({
        data: join(place, 'service'),
        roots: [recordings],
        args: ['--no-work'],
        env: environment(),
      }),
      startWorker('one'),
      startWorker('two'),
    ]);
    project = `/v1/projects/${await assessFolder(service, few)}`;
    const [{ workspace_id }] = (await service.ask('GET', '/v1/projects')).items;
    const wanted = { workspace_id, name: 'many', target_profile: 'vla' };
    runProject = `/v1/projects/${(await service.ask('POST', '/v1/projects', wanted)).id}`;
    const folder = { kind: 'folder', path: many };
    source_id = (await service.ask('POST', `${runProject}/sources`, folder)).id;
  }, 120_000);
  afterAll(async () => {
    await endWorkers();
    await service?.stop();
    await database?.close();
    await own?.drop();
  });

  const beginRun = async (): Promise<string> =>
    (await service.ask('POST', `${runProject}/runs`, { source_id })).id;
  const runEnded = (id: string) => untilEnded(service, `/v1/runs/${id}`);
  const unitsOf = (run_id: string): Promise<{ state: string; attempt: number; worker: string | null }[]> =>
    select('SELECT state, attempt, worker FROM run_units WHERE run_id = $1 ORDER BY place', [run_id]);

  const beginJob = async (layer: string): Promise<string> =>
    (await service.ask('POST', `${project}/annotation/jobs`, { layer, force: true })).id;
  const jobOf = (id: string) => service.ask('GET', `${project}/annotation/jobs/${id}`);
  const jobEnded = (id: string) => untilEnded(service, `${project}/annotation/jobs/${id}`);
  const itemsIn = (
    table: 'job_items' | 'test_done',
    job_id: string,
  ): Promise<{ place: number; attempt: number; worker: string | null }[]> =>
    select(`SELECT place, attempt, worker FROM ${table} WHERE job_id = $1 ORDER BY place`, [job_id]);
  const doneBy = async (job_id: string) => [
    ...new Set((await itemsIn('test_done', job_id)).map(({ worker }) => worker)),
  ];
  const wholeJob = {
    status: 'succeeded',
    episodes: { total: inJob, done: inJob, failed: 0, skipped: 0 },
  };

  test('share a run: each unit is measured and judged by one of them, once', {
    timeout: 120_000,
  }, async () => {
    // One worker may be quick enough to leave the other nothing; not four times over.
    let sharing = 0;
    for (let round = 0; round < 4 && sharing < 2; round++) {
      const run = await runEnded(await beginRun());
      expect(run).toMatchObject({ status: 'succeeded', episodes: { judged: inRun, unreadable: 0 } });
      const units = await unitsOf(run.id);
      // Begun once to be measured and once to be judged.
      expect(units.map(({ attempt }) => attempt)).toEqual(units.map(() => 2));
      const counts = await select(
        'SELECT count(*)::int AS receipts, count(DISTINCT episode_id)::int AS episodes FROM receipts WHERE run_id = $1',
        [run.id],
      );
      expect(counts[0]).toEqual({ receipts: inRun, episodes: inRun });
      sharing = new Set(units.map(({ worker }) => worker)).size;
    }
    expect(sharing).toBe(2);
  });

  test('share a job: each episode is done by one of them, once', { timeout: 120_000 }, async () => {
    let sharing = 0;
    for (let round = 0; round < 4 && sharing < 2; round++) {
      const job = await jobEnded(await beginJob('segments'));
      expect(job).toMatchObject(wholeJob);
      expect(await itemsIn('job_items', job.id)).toEqual([]);
      const items = await itemsIn('test_done', job.id);
      expect(items.map(({ place }) => place)).toEqual(Array.from({ length: inJob }, (_, i) => i));
      expect(items.every(({ attempt }) => attempt === 1)).toBe(true);
      sharing = (await doneBy(job.id)).length;
    }
    expect(sharing).toBe(2);
  });

  test('make one layer of one episode while a request to the service waits for it', async () => {
    const { items } = await service.ask('GET', `${project}/episodes?limit=1`);
    const path = `${project}/episodes/${items[0].id}/annotations/segments`;
    const { status, body } = await service.request('POST', path, { force: true });
    expect([status, body.machine?.layer]).toEqual([200, 'segments']);
  });

  /** Kills a worker once it holds something, and waits until that is given back. */
  async function killHolding(name: string, holding: (worker: string) => Promise<number>): Promise<void> {
    const victim = nameOf(name);
    while ((await holding(victim)) === 0) await wait(5);
    await endProcess(workers.get(name)!, 'SIGKILL');
    // A commit that was on its way may still arrive.
    await wait(500);
    for (let waited_s = 0; waited_s < returned_s && (await holding(victim)) > 0; waited_s += 0.2)
      await wait(200);
    expect(await holding(victim)).toBe(0);
  }

  test('go on with a run without one that is killed in the middle of it', { timeout: 180_000 }, async () => {
    const id = await beginRun();
    await killHolding('one', async (victim) => {
      const units = await unitsOf(id);
      return units.filter(({ worker, state }) => worker === victim && state === 'waiting').length;
    });
    expect(await runEnded(id)).toMatchObject({ status: 'succeeded', episodes: { judged: inRun } });
  });

  test('go on with a job without one that is killed in the middle of it', { timeout: 180_000 }, async () => {
    await startWorker('three');
    const id = await beginJob('segments');
    await killHolding('two', async (victim) => {
      const items = await itemsIn('job_items', id);
      return items.filter(({ worker }) => worker === victim).length;
    });
    expect(await jobEnded(id)).toMatchObject(wholeJob);
    const annotations = await select('SELECT count(*)::int AS count FROM annotations WHERE job_id = $1', [
      id,
    ]);
    expect(annotations[0].count).toBe(inJob);
  });

  const tenantOf = async () => (await select('SELECT DISTINCT tenant_id FROM jobs'))[0].tenant_id;

  test('that do everything do what a version before queued', { timeout: 120_000 }, async () => {
    await endWorkers();
    const id = await beginJob('segments');
    await database.query(`DELETE FROM pgboss.job WHERE name = 'lane_segments'`);
    const queue = await openQueue(database, { worker: 'test' });
    await queue.send('job_stretches', [{ tenant_id: await tenantOf(), job_id: id, from: 0, to: inJob - 1 }]);
    await queue.stop(0);
    await startWorker('four');
    expect(await jobEnded(id)).toMatchObject(wholeJob);
    await endWorkers();
  });

  test('of one layer do what is theirs, and put back what they share with others', {
    timeout: 120_000,
  }, async () => {
    const [metadata, segments] = [await beginJob('metadata'), await beginJob('segments')];
    // Queues the layers like a run, whose layers share their reading.
    await database.query(`DELETE FROM pgboss.job WHERE name IN ('lane_metadata', 'lane_segments')`);
    const queue = await openQueue(database, { worker: 'test' });
    const range = { tenant_id: await tenantOf(), run_id: null, from: 0, to: inJob - 1 };
    const layers = ['metadata', 'segments'];
    await queue.send('lanes_shared', [{ ...range, job_ids: [metadata, segments], layers }]);
    await queue.stop(0);
    await startWorker('cuts', 'segments');
    expect(await jobEnded(segments)).toMatchObject(wholeJob);
    expect(await doneBy(segments)).toEqual([nameOf('cuts')]);
    expect((await jobOf(metadata)).episodes.done).toBe(0);
    await startWorker('facts', 'metadata');
    expect(await jobEnded(metadata)).toMatchObject(wholeJob);
    expect(await doneBy(metadata)).toEqual([nameOf('facts')]);
  });

  test('of one layer take what was queued for their layer alone', { timeout: 120_000 }, async () => {
    const [segments, metadata] = [await beginJob('segments'), await beginJob('metadata')];
    for (const id of [segments, metadata]) expect(await jobEnded(id)).toMatchObject(wholeJob);
    expect(await doneBy(segments)).toEqual([nameOf('cuts')]);
    expect(await doneBy(metadata)).toEqual([nameOf('facts')]);
  });

  test('are refused a layer that there is not', { timeout: 60_000 }, async () => {
    const worker = await startWorker('wrong', 'depht');
    const code = worker.exitCode ?? (await new Promise((resolve) => worker.once('exit', resolve)));
    expect(code).not.toBe(0);
  });
});
