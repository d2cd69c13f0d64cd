import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openQueue, openServer } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { assessFolder } from './support/assessed-project.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { createOwnDatabase, testDatabases } from './support/service-store.ts';
import { endProcess, startWorkerProcess } from './support/worker-process.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-lane-workers-'));
const recordings = join(place, 'recordings');
const episodes = 40;

beforeAll(() => generateNumericSet(recordings, episodes));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const servers = testDatabases.filter((on) => on === 'server');

describe.skipIf(servers.length === 0)('workers of single layers on one PostgreSQL', () => {
  let own: Awaited<ReturnType<typeof createOwnDatabase>>;
  let database: Database;
  let service: ServiceProcess;
  let jobsPath: string;
  const workers: ChildProcess[] = [];

  const environment = () => ({
    ASSAY_DATABASE_URL: own.url,
    ASSAY_BLOBS: join(place, 'blobs'),
    ASSAY_SOURCE_ROOTS: recordings,
    ASSAY_WORKERS: '1',
    ASSAY_RATE_LIMIT: '1000000',
  });
  const start = async (name: string, lanes?: string): Promise<ChildProcess> => {
    const env = { ...environment(), ...(lanes === undefined ? {} : { ASSAY_WORKER_LANES: lanes }) };
    const worker = await startWorkerProcess(join(place, name), env);
    workers.push(worker);
    return worker;
  };

  beforeAll(async () => {
    own = await createOwnDatabase();
    database = openServer(own.url);
    service = await startServiceProcess({
      data: join(place, 'service'),
      roots: [recordings],
      args: ['--no-work'],
      env: environment(),
    });
    const general = await start('general');
    jobsPath = `/v1/projects/${await assessFolder(service, recordings)}/annotation/jobs`;
    await endProcess(general, 'SIGTERM');
    await database.query('CREATE TABLE test_done AS SELECT * FROM job_items WITH NO DATA');
    await database.query(
      `CREATE FUNCTION test_keep_done() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO test_done SELECT OLD.*; RETURN NULL; END $$`,
    );
    await database.query(
      'CREATE TRIGGER test_keep_done AFTER DELETE ON job_items FOR EACH ROW EXECUTE FUNCTION test_keep_done()',
    );
  }, 120_000);
  afterAll(async () => {
    for (const worker of workers) await endProcess(worker, 'SIGTERM');
    await service?.stop();
    await database?.close();
    await own?.drop();
  });

  const begin = async (layer: string): Promise<string> =>
    (await service.ask('POST', jobsPath, { layer, force: true })).id;
  const jobOf = (id: string) => service.ask('GET', `${jobsPath}/${id}`);
  const ended = async (id: string) => {
    for (;;) {
      const job = await jobOf(id);
      if (job.status !== 'queued' && job.status !== 'running') return job;
      await wait(50);
    }
  };
  const doneBy = async (job_id: string): Promise<unknown[]> => {
    const text = 'SELECT DISTINCT worker FROM test_done WHERE job_id = $1';
    return (await database.query(text, [job_id])).rows.map(({ worker }) => worker);
  };
  const nameOf = (name: string) => readFileSync(join(place, name, 'worker-name'), 'utf8');
  const whole = { status: 'succeeded', episodes: { total: episodes, done: episodes, failed: 0, skipped: 0 } };

  test('do what is theirs, and put back what they share with others', { timeout: 120_000 }, async () => {
    const [metadata, segments] = [await begin('metadata'), await begin('segments')];
    // As a run queues layers that share their reading.
    const { rows } = await database.query('SELECT DISTINCT tenant_id FROM jobs');
    await database.query(`DELETE FROM pgboss.job WHERE name IN ('lane_metadata', 'lane_segments')`);
    const queue = await openQueue(database, { worker: 'test' });
    const range = { tenant_id: rows[0].tenant_id, run_id: null, from: 0, to: episodes - 1 };
    const layers = ['metadata', 'segments'];
    await queue.send('lanes_shared', [{ ...range, job_ids: [metadata, segments], layers }]);
    await queue.stop(0);
    await start('cuts', 'segments');
    expect(await ended(segments)).toMatchObject(whole);
    expect(await doneBy(segments)).toEqual([nameOf('cuts')]);
    expect((await jobOf(metadata)).episodes.done).toBe(0);
    await start('facts', 'metadata');
    expect(await ended(metadata)).toMatchObject(whole);
    expect(await doneBy(metadata)).toEqual([nameOf('facts')]);
  });

  test('take what was queued for their layer alone', { timeout: 120_000 }, async () => {
    const [segments, metadata] = [await begin('segments'), await begin('metadata')];
    for (const id of [segments, metadata]) expect(await ended(id)).toMatchObject(whole);
    expect(await doneBy(segments)).toEqual([nameOf('cuts')]);
    expect(await doneBy(metadata)).toEqual([nameOf('facts')]);
  });

  test('are refused a layer that there is not', { timeout: 60_000 }, async () => {
    const worker = await start('wrong', 'depht');
    const code = worker.exitCode ?? (await new Promise((resolve) => worker.once('exit', resolve)));
    expect(code).not.toBe(0);
  });

  test('that do everything do what a version before queued', { timeout: 120_000 }, async () => {
    for (const worker of workers) await endProcess(worker, 'SIGTERM');
    const id = await begin('segments');
    await database.query(`DELETE FROM pgboss.job WHERE name = 'lane_segments'`);
    const { rows } = await database.query('SELECT DISTINCT tenant_id FROM jobs');
    const queue = await openQueue(database, { worker: 'test' });
    const item = { tenant_id: rows[0].tenant_id, job_id: id, from: 0, to: episodes - 1 };
    await queue.send('job_stretches', [item]);
    await queue.stop(0);
    await start('general');
    expect(await ended(id)).toMatchObject(whole);
  });
});
