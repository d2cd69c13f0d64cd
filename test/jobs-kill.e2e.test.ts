import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#kernel';
import type { Database } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { assessFolder } from './support/assessed-project.ts';
import {
  type KillableService,
  killAfter,
  killableService,
  killRounds,
  killSeed,
  killsOf,
  momentOf,
  untilEnded,
} from './support/kills.ts';
import type { ServiceProcess } from './support/service-process.ts';
import { testDatabases } from './support/service-store.ts';

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
  let killable: KillableService;
  let service: ServiceProcess;
  let project_id: string;
  let undisturbed_ms: number;
  const jobs: string[] = [];

  const inDatabase = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await killable.openDatabase();
    return work(database).finally(() => database.close());
  };
  const jobsPath = () => `/v1/projects/${project_id}/annotation/jobs`;
  const begin = async (): Promise<string> => {
    const { id } = await service.ask('POST', jobsPath(), { layer: 'segments', force: true });
    jobs.push(id);
    return id;
  };
  const ended = (id: string) => untilEnded(service, `${jobsPath()}/${id}`);

  beforeAll(async () => {
    killable = await killableService(on, data, recordings);
    service = await killable.start();
    project_id = await assessFolder(service, recordings);
    await service.stop();
    await inDatabase((database) => database.query(logWrites));
    service = await killable.start();
    // The first also starts the threads.
    await ended(await begin());
    const begun = performance.now();
    await ended(await begin());
    undisturbed_ms = performance.now() - begun;
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await killable.drop();
  });

  test(`${killRounds} times: it goes on when it is started again, and ends succeeded`, {
    timeout: 120_000 + killRounds * 120_000,
  }, async () => {
    const random = seededRandom(killSeed);
    for (let round = 0; round < killRounds; round++) {
      const id = await begin();
      for (let kills = killsOf(random); kills > 0; kills--) {
        const done = async () => (await service.ask('GET', `${jobsPath()}/${id}`)).episodes.done;
        const known = await killAfter(service, momentOf(round, random) * undisturbed_ms, done, 0);
        service = await killable.start();
        const { episodes: now } = await service.ask('GET', `${jobsPath()}/${id}`);
        // What was acknowledged before the kill counts after it.
        expect(now.done).toBeGreaterThanOrEqual(known);
      }
      const job = await ended(id);
      expect(job, `seed ${killSeed}, round ${round}`).toMatchObject({
        status: 'succeeded',
        episodes: { total: episodes, done: episodes, failed: 0, skipped: 0 },
      });
      const budget = await service.ask('GET', '/v1/budget');
      expect(budget.reserved_usd, `seed ${killSeed}, round ${round}`).toBe(0);
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
    service = await killable.start();
  });
});
