import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopMcap } from '#samples';
import { type Database, openServer } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { createOwnDatabase, testDatabases } from './support/service-store.ts';
import { endProcess, startWorkerProcess } from './support/worker-process.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-workers-'));
const recordings = join(place, 'recordings');
const numeric = 1500;
const episodes = numeric + 24;
/** Units of a worker that was killed are somebody else's after so long at most. */
const returned_s = 30;

beforeAll(async () => {
  for (const name of ['numbers', 'logs']) mkdirSync(join(recordings, name), { recursive: true });
  await generateNumericSet(join(recordings, 'numbers'), numeric);
  await writeTeleopMcap(join(recordings, 'logs'), 7, () => {});
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const servers = testDatabases.filter((on) => on === 'server');

describe.skipIf(servers.length === 0)('two workers on one PostgreSQL', () => {
  let own: Awaited<ReturnType<typeof createOwnDatabase>>;
  let database: Database;
  let service: ServiceProcess;
  let source: { project_id: string; source_id: string };
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
    source = await register(service);
  });
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

  const unitsOf = async (run_id: string) => {
    const { rows } = await database.query(
      'SELECT place, state, attempt, worker FROM run_units WHERE run_id = $1 ORDER BY place',
      [run_id],
    );
    return rows as { place: number; state: string; attempt: number; worker: string | null }[];
  };

  test('share a run: each unit is measured and judged by one of them, once', {
    timeout: 120_000,
  }, async () => {
    await Promise.all([startWorker('one'), startWorker('two')]);
    // One worker may be quick enough to leave the other nothing; not four times over.
    let workers = 0;
    for (let round = 0; round < 4 && workers < 2; round++) workers = await workersOfRun();
    expect(workers).toBe(2);
  });

  /** Runs once and answers how many workers judged, once it is clear that nothing was done twice. */
  async function workersOfRun(): Promise<number> {
    const run = await ended(service, await begin(service, source));
    expect(run).toMatchObject({ status: 'succeeded', episodes: { judged: episodes, unreadable: 0 } });
    const units = await unitsOf(run.id);
    // Begun once to be measured and once to be judged.
    expect(units.map(({ attempt }) => attempt)).toEqual(units.map(() => 2));
    const { rows } = await database.query(
      'SELECT count(*)::int AS receipts, count(DISTINCT episode_id)::int AS episodes FROM receipts WHERE run_id = $1',
      [run.id],
    );
    expect(rows[0]).toEqual({ receipts: episodes, episodes });
    return new Set(units.map(({ worker }) => worker)).size;
  }

  test('go on without one that is killed in the middle of it', { timeout: 180_000 }, async () => {
    const run_id = await begin(service, source);
    const victim = nameOf('one');
    const held = async () =>
      (await unitsOf(run_id)).filter(({ worker, state }) => worker === victim && state === 'waiting');
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
    const run = await ended(service, run_id);
    expect(run).toMatchObject({ status: 'succeeded', episodes: { judged: episodes } });
  });
});

async function register(service: ServiceProcess) {
  const made = { name: 'lab', use_case: 'robotic-manipulation' };
  const workspace = await service.ask('POST', '/v1/workspaces', made);
  const wanted = { workspace_id: workspace.id, name: 'all', target_profile: 'vla' };
  const project = await service.ask('POST', '/v1/projects', wanted);
  const folder = { kind: 'folder', path: recordings };
  const { id } = await service.ask('POST', `/v1/projects/${project.id}/sources`, folder);
  return { project_id: project.id as string, source_id: id as string };
}

async function begin(
  service: ServiceProcess,
  { project_id, source_id }: { project_id: string; source_id: string },
): Promise<string> {
  return (await service.ask('POST', `/v1/projects/${project_id}/runs`, { source_id })).id;
}

async function ended(service: ServiceProcess, run_id: string) {
  for (;;) {
    const run = await service.ask('GET', `/v1/runs/${run_id}`);
    if (run.status !== 'queued' && run.status !== 'running') return run;
    await wait(50);
  }
}
