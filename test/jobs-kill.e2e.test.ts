import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#kernel';
import { type Database, openEmbedded, openServer } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { assessFolder } from './support/assessed-project.ts';
import { alive, descendantsOf } from './support/descendants.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { createOwnDatabase, testDatabases } from './support/service-store.ts';

/** As many as ASSAY_KILL_ROUNDS says; `npm run soak` does 1,000. */
const rounds = Number(process.env.ASSAY_KILL_ROUNDS ?? 3);
const seed = Number(process.env.ASSAY_KILL_SEED ?? 1);
const episodes = 500;

const place = mkdtempSync(join(tmpdir(), 'assay-test-jobs-kill-'));
const recordings = join(place, 'recordings');

beforeAll(() => generateNumericSet(recordings, episodes));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Writes down each time that an annotation is written, whoever writes it. */
const logWrites = `
  CREATE TABLE annotation_writes (job_id text, episode_id text);
  CREATE FUNCTION log_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO annotation_writes VALUES (NEW.job_id, NEW.episode_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER annotation_written AFTER INSERT OR UPDATE ON annotations FOR EACH ROW EXECUTE FUNCTION log_write();`;

describe.each(testDatabases)('killed at any moment of a job, on the %s database', (on) => {
  const data = join(place, `data-${on}`);
  let url: string | null = null;
  let drop = async () => {};
  let service: ServiceProcess;
  let project_id: string;
  let undisturbed_ms: number;
  const jobs: string[] = [];

  const start = () =>
    startServiceProcess({
      data,
      roots: [recordings],
      env: {
        ASSAY_WORKERS: '2',
        ASSAY_RATE_LIMIT: '1000000',
        ASSAY_COMPUTE_USD_PER_S: '0.01',
        ...(url === null ? {} : { ASSAY_DATABASE_URL: url }),
      },
    });
  const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await (url === null ? openEmbedded(data) : openServer(url));
    return work(database).finally(() => database.close());
  };
  const jobsPath = () => `/v1/projects/${project_id}/annotation/jobs`;
  const begin = async (): Promise<string> => {
    const { id } = await service.ask('POST', jobsPath(), { layer: 'segments', force: true });
    jobs.push(id);
    return id;
  };
  const ended = async (id: string) => {
    for (;;) {
      const job = await service.ask('GET', `${jobsPath()}/${id}`);
      if (job.status !== 'queued' && job.status !== 'running') return job;
      await wait(50);
    }
  };

  beforeAll(async () => {
    if (on === 'server') ({ url, drop } = await createOwnDatabase());
    service = await start();
    project_id = await assessFolder(service, recordings);
    await service.stop();
    await inDatabase((database) => database.query(logWrites));
    service = await start();
    // The first also starts the threads.
    await ended(await begin());
    const begun = performance.now();
    await ended(await begin());
    undisturbed_ms = performance.now() - begun;
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await drop();
  });

  test(`${rounds} times: it goes on when it is started again, and ends succeeded`, {
    timeout: 120_000 + rounds * 120_000,
  }, async () => {
    const random = seededRandom(seed);
    for (let round = 0; round < rounds; round++) {
      const id = await begin();
      for (let kills = random.next() < 0.3 ? 2 : 1; kills > 0; kills--) {
        const known = await killAt(service, momentOf(round, random) * undisturbed_ms, `${jobsPath()}/${id}`);
        service = await start();
        const { episodes: now } = await service.ask('GET', `${jobsPath()}/${id}`);
        // What was acknowledged before the kill counts after it.
        expect(now.done).toBeGreaterThanOrEqual(known);
      }
      const job = await ended(id);
      expect(job, `seed ${seed}, round ${round}`).toMatchObject({
        status: 'succeeded',
        episodes: { total: episodes, done: episodes, failed: 0, skipped: 0 },
      });
      const budget = await service.ask('GET', '/v1/budget');
      expect(budget.reserved_usd, `seed ${seed}, round ${round}`).toBe(0);
    }
  });

  test('nothing was done twice or lost, and nothing is left put aside', async () => {
    expect(await service.stop()).toBe(0);
    await inDatabase(async (database) => {
      const { rows: written } = await database.query(
        `SELECT job_id, count(*)::int AS writes, count(DISTINCT episode_id)::int AS episodes
         FROM annotation_writes WHERE job_id = ANY($1) GROUP BY job_id`,
        [jobs],
      );
      expect(written).toHaveLength(jobs.length);
      for (const { writes, episodes: own } of written) expect([writes, own]).toEqual([episodes, episodes]);
      const { rows } = await database.query(
        `SELECT (SELECT count(*) FROM reservations WHERE closed_at IS NULL)::int AS open,
           (SELECT count(*) FROM annotations WHERE layer = 'segments')::int AS annotations,
           (SELECT sum(episodes) FROM annotation_counts WHERE layer = 'segments')::int AS counted,
           (SELECT abs(sum(compute_s) - (SELECT sum(compute_s) FROM charges WHERE purpose_id = ANY($1)))
             FROM jobs WHERE id = ANY($1)) AS uncharged_s`,
        [jobs],
      );
      expect(rows[0]).toMatchObject({ open: 0, annotations: episodes, counted: episodes });
      expect(rows[0].uncharged_s).toBeLessThan(1e-6);
    });
    service = await start();
  });
});

/** A moment as a part of the time that it takes undisturbed: each round in a stretch of its own, until after its end. */
const momentOf = (round: number, random: ReturnType<typeof seededRandom>): number =>
  (1.1 * (round + random.next())) / rounds;

/** Kills the process after a while; gives the episodes it had acknowledged last. Its children end with it. */
async function killAt(service: ServiceProcess, after_ms: number, path: string): Promise<number> {
  let known = 0;
  const watching = new AbortController();
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const job = await service.ask('GET', path).catch(() => null);
      if (job !== null) known = job.episodes.done;
      await wait(20);
    }
  })();
  await wait(after_ms);
  const children = descendantsOf(service.child.pid!);
  await service.kill();
  watching.abort();
  await watch;
  for (let tries = 0; tries < 100 && alive(children).length > 0; tries++) await wait(50);
  expect(alive(children)).toEqual([]);
  return known;
}
