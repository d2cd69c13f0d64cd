import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openServer } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { assessFolder } from './support/assessed-project.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { createOwnDatabase, testDatabases } from './support/service-store.ts';
import { endProcess, startWorkerProcess } from './support/worker-process.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-job-workers-'));
const recordings = join(place, 'recordings');
const episodes = 600;
/** Episodes of a worker that was killed are somebody else's after so long at most. */
const returned_s = 30;

beforeAll(() => generateNumericSet(recordings, episodes, 1500));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const servers = testDatabases.filter((on) => on === 'server');

describe.skipIf(servers.length === 0)('two workers on one PostgreSQL', () => {
  let own: Awaited<ReturnType<typeof createOwnDatabase>>;
  let database: Database;
  let service: ServiceProcess;
  let jobsPath: string;
  const workers: ChildProcess[] = [];

  beforeAll(async () => {
    own = await createOwnDatabase();
    database = openServer(own.url);
    service = await startServiceProcess({
      data: join(place, 'service'),
      roots: [recordings],
      args: ['--no-work'],
      env: environment(),
    });
    await Promise.all([startWorker('one'), startWorker('two')]);
    // An episode that is done is no item any more: what it was when it was done is kept here.
    await database.query('CREATE TABLE test_done AS SELECT * FROM job_items WITH NO DATA');
    await database.query(
      `CREATE FUNCTION test_keep_done() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO test_done SELECT OLD.*; RETURN NULL; END $$`,
    );
    await database.query(
      'CREATE TRIGGER test_keep_done AFTER DELETE ON job_items FOR EACH ROW EXECUTE FUNCTION test_keep_done()',
    );
    jobsPath = `/v1/projects/${await assessFolder(service, recordings)}/annotation/jobs`;
  }, 120_000);
  afterAll(async () => {
    for (const worker of workers) await endProcess(worker, 'SIGTERM');
    await service?.stop();
    await database?.close();
    await own?.drop();
  });

  const environment = () => ({
    ASSAY_DATABASE_URL: own.url,
    ASSAY_BLOBS: join(place, 'blobs'),
    ASSAY_SOURCE_ROOTS: recordings,
    ASSAY_WORKERS: '1',
    ASSAY_RATE_LIMIT: '1000000',
  });

  const startWorker = async (name: string): Promise<void> => {
    workers.push(await startWorkerProcess(join(place, name), environment()));
  };
  const nameOf = (name: string) => readFileSync(join(place, name, 'worker-name'), 'utf8');

  const itemsIn = async (table: 'job_items' | 'test_done', job_id: string) => {
    const { rows } = await database.query(
      `SELECT place, attempt, worker FROM ${table} WHERE job_id = $1 ORDER BY place`,
      [job_id],
    );
    return rows as { place: number; attempt: number; worker: string | null }[];
  };
  const begin = async (): Promise<string> =>
    (await service.ask('POST', jobsPath, { layer: 'segments', force: true })).id;
  const ended = async (id: string) => {
    for (;;) {
      const job = await service.ask('GET', `${jobsPath}/${id}`);
      if (job.status !== 'queued' && job.status !== 'running') return job;
      await wait(50);
    }
  };
  const whole = { status: 'succeeded', episodes: { total: episodes, done: episodes, failed: 0, skipped: 0 } };

  test('share a job: each episode is done by one of them, once', { timeout: 120_000 }, async () => {
    // One worker may be quick enough to leave the other nothing; not four times over.
    let sharing = 0;
    for (let round = 0; round < 4 && sharing < 2; round++) {
      const job = await ended(await begin());
      expect(job).toMatchObject(whole);
      expect(await itemsIn('job_items', job.id)).toEqual([]);
      const items = await itemsIn('test_done', job.id);
      expect(items.map(({ place }) => place)).toEqual(Array.from({ length: episodes }, (_, i) => i));
      expect(items.every(({ attempt }) => attempt === 1)).toBe(true);
      sharing = new Set(items.map(({ worker }) => worker)).size;
    }
    expect(sharing).toBe(2);
  });

  test('go on without one that is killed in the middle of it', { timeout: 180_000 }, async () => {
    const id = await begin();
    const held = async () =>
      (await itemsIn('job_items', id)).filter(({ worker }) => worker === nameOf('one'));
    let left = await held();
    while (left.length === 0) {
      await wait(5);
      left = await held();
    }
    await endProcess(workers[0], 'SIGKILL');
    // A commit that was on its way may still arrive.
    await wait(500);
    for (let waited_s = 0; waited_s < returned_s && (await held()).length > 0; waited_s++) await wait(1000);
    expect(await held()).toEqual([]);
    expect(await ended(id)).toMatchObject(whole);
    const { rows } = await database.query(
      `SELECT count(*)::int AS annotations FROM annotations WHERE job_id = $1`,
      [id],
    );
    expect(rows[0].annotations).toBe(episodes);
  });
});
