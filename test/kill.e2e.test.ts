import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTeleopLeRobot, writeTeleopMcap } from '#apps/samples';
import { seededRandom } from '#core';
import type { Database } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import { assessFolder } from './support/assessed-project.ts';
import {
  filesBelow,
  type KillableService,
  killAfter,
  killableService,
  killDatabases,
  killRounds,
  killSeed,
  killsPerRound,
  killTimeFraction,
  untilEnded,
} from './support/kills.ts';
import type { ServiceProcess } from './support/service-process.ts';
import { rounds } from './support/tiers.ts';

const place = mkdtempSync(join(tmpdir(), 'assay-test-kill-'));
const recordings = join(place, 'recordings');
const pictured = join(recordings, 'video');
const timeout = 120_000 + killRounds * 120_000;

beforeAll(async () => {
  for (const name of ['numbers', 'video', 'logs']) mkdirSync(join(recordings, name), { recursive: true });
  await generateNumericSet(join(recordings, 'numbers'), rounds(150, 400));
  await writeTeleopLeRobot(pictured, 5, () => {}, { episodes: 4, plan: { 3: ['nan', 'medium'] } });
  await writeTeleopMcap(join(recordings, 'logs'), 7, () => {}, { episodes: rounds(2, 6), plan: {} });
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Records each time that an annotation is written, whoever writes it. */
const logWrites = `
  CREATE TABLE annotation_writes (job_id text, episode_id text);
  CREATE FUNCTION log_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO annotation_writes VALUES (NEW.job_id, NEW.episode_id);
    RETURN NULL;
  END $$;
  CREATE TRIGGER annotation_written AFTER INSERT OR UPDATE ON annotations FOR EACH ROW EXECUTE FUNCTION log_write();`;

/** Export formats with their number of kills: LeRobot in CI, as it copies video; the others only at night. */
const exportFormats = (
  [
    ['lerobot-v3', killRounds],
    ...['webdataset', 'zarr-replay-buffer', 'mcap', 'coco-detection'].map(
      (format) => [format, Math.ceil(killRounds / 3)] as const,
    ),
  ] as const
).slice(0, rounds(1, 5));

describe.each(killDatabases)('a service that is killed, on the %s database', (on) => {
  const data = join(place, `data-${on}`);
  let killable: KillableService;
  let service: ServiceProcess;
  /** Project with all recordings. */
  let project_id: string;
  let source_id: string;
  let first: { episodes: string; count: number; took_ms: number };
  const jobs: string[] = [];
  let exported = 0;

  beforeAll(async () => {
    killable = await killableService(on, data, recordings);
    const database = await killable.openDatabase();
    await database.query(logWrites);
    await database.close();
    service = await killable.start();
    ({ project_id, source_id } = await register(service));
    const begun = performance.now();
    const run = await untilEnded(service, `/v1/runs/${await beginRun()}`);
    expect(run).toMatchObject({ status: 'succeeded' });
    const took_ms = performance.now() - begun;
    first = { took_ms, count: run.episodes.judged, episodes: await episodesOf(service, run.id) };
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await killable?.drop();
  });

  const beginRun = async (): Promise<string> =>
    (await service.ask('POST', `/v1/projects/${project_id}/runs`, { source_id })).id;

  /** Kills the service at that moment and starts it again; gives what `read` returned last before. */
  async function restart<Known>(
    moment: Parameters<typeof killAfter>[1],
    read: () => Promise<Known>,
    nothing: Known,
  ): Promise<Known> {
    const known = await killAfter(service, moment, read, nothing);
    service = await killable.start();
    return known;
  }

  test(`in the middle of a job, ${killRounds} times: the job goes on after a start, and succeeds`, {
    timeout,
  }, async () => {
    const random = seededRandom(killSeed);
    const path = `/v1/projects/${project_id}/annotation/jobs`;
    const begin = async (): Promise<string> => {
      const { id } = await service.ask('POST', path, { layer: 'segments', force: true });
      jobs.push(id);
      return id;
    };
    const begun = performance.now();
    await untilEnded(service, `${path}/${await begin()}`);
    const undisturbed_ms = performance.now() - begun;
    for (let round = 0; round < killRounds; round++) {
      const id = await begin();
      const doneOf = async () => (await service.ask('GET', `${path}/${id}`)).episodes.done;
      let interrupted = false;
      for (let kills = killsPerRound(random); kills > 0; kills--) {
        const after_ms = killTimeFraction(round, random) * undisturbed_ms;
        // The first kill waits until some episodes are done; all others come at any moment.
        const inTheMiddle = async () => {
          while ((await doneOf()) === 0) await wait(1);
        };
        const done = await restart(round === 0 ? inTheMiddle : after_ms, doneOf, 0);
        interrupted ||= round === 0 && done < first.count;
        // Work that was acknowledged before the kill still counts after it.
        expect(await doneOf()).toBeGreaterThanOrEqual(done);
      }
      const job = await untilEnded(service, `${path}/${id}`);
      expect(job, `seed ${killSeed}, round ${round}`).toMatchObject({
        status: 'succeeded',
        episodes: { total: first.count, done: first.count, failed: 0, skipped: 0 },
      });
      if (interrupted) expect(job.attempts, `seed ${killSeed}, round ${round}`).toBeGreaterThan(1);
      const budget = await service.ask('GET', '/v1/budget');
      expect(budget.reserved_usd, `seed ${killSeed}, round ${round}`).toBe(0);
    }
  });

  test.each(exportFormats)(
    'in the middle of an export as %s, %s times: it begins again, and ends with the same seal',
    {
      timeout,
    },
    async (format, kills) => {
      const random = seededRandom(killSeed);
      const path = `/v1/projects/${await assessFolder(service, pictured, 'robotic-manipulation', format)}/exports`;
      const begin = async (): Promise<string> => {
        exported++;
        return (await service.ask('POST', path, { format })).id;
      };
      const begun = performance.now();
      const undisturbed = await untilEnded(service, `${path}/${await begin()}`);
      const took_ms = performance.now() - begun;
      expect(undisturbed.status).toBe('succeeded');
      for (let round = 0; round < kills; round++) {
        const id = await begin();
        for (let left = killsPerRound(random); left > 0; left--) {
          const after_ms = killTimeFraction(round, random, kills) * took_ms;
          const inTheMiddle = async () => {
            while ((await service.ask('GET', `${path}/${id}`)).status === 'queued') await wait(1);
            await wait(took_ms / 3);
          };
          await restart(round === 0 ? inTheMiddle : after_ms, async () => null, null);
        }
        const now = await untilEnded(service, `${path}/${id}`);
        const what = `seed ${killSeed}, round ${round}`;
        expect(now, what).toMatchObject({ status: 'succeeded', seal: undisturbed.seal, error: null });
        expect((await service.ask('GET', '/v1/budget')).reserved_usd, what).toBe(0);
      }
    },
  );

  test(`in the middle of a run, ${killRounds} times: the run goes on after a start, with every episode there once`, {
    timeout,
  }, async () => {
    const random = seededRandom(killSeed);
    const seen = new Set<string>();
    for (let round = 0; round < killRounds; round++) {
      const run_id = await beginRun();
      // In the first rounds a kill waits for a step, as some are short; all others, and one after `compare`, come at any moment.
      let step = steps.at(round);
      for (let kills = step === 'compare' ? 2 : killsPerRound(random); kills > 0; kills--, step = undefined) {
        const after_ms = killTimeFraction(round, random) * first.took_ms;
        const moment = step === undefined ? after_ms : reaches(service, run_id, step, (at) => seen.add(at));
        const known = await restart(moment, () => knownOf(service, run_id), nothing);
        await expectStillThere(service, run_id, known);
      }
      const run = await untilEnded(service, `/v1/runs/${run_id}`);
      expect(run, `seed ${killSeed}, round ${round}`).toMatchObject({
        status: 'succeeded',
        stage: 'done',
        error: null,
      });
      expect(await episodesOf(service, run_id), `seed ${killSeed}, round ${round}`).toBe(first.episodes);
      for (const { layer, status } of run.layers) expect(status, layer).toBe('succeeded');
    }
    expect([...seen]).toEqual(steps.slice(0, killRounds));
  });

  test('keeps counts that are what counting gives', async () => {
    const summary = `/v1/projects/${project_id}/summary`;
    const kept = await service.ask('GET', summary);
    expect(kept.episodes).toBeGreaterThan(0);
    expect(kept).toEqual(await service.ask('GET', `${summary}?min_duration_s=0`));
  });

  describe('and then stopped', () => {
    let database: Database;
    const select = async (text: string, values: readonly unknown[] = []) =>
      (await database.query(text, [...values])).rows;
    beforeAll(async () => {
      await untilTidy(data);
      expect(await service.stop()).toBe(0);
      database = await killable.openDatabase();
    });
    afterAll(() => database?.close());

    test('has closed every reservation and charged what runs and jobs cost', async () => {
      expect(await select('SELECT id FROM reservations WHERE closed_at IS NULL')).toEqual([]);
      const costs = await select(
        `SELECT r.id, r.cost_usd, sum(c.amount_usd)::float8 AS charged FROM runs r
         JOIN charges c ON c.tenant_id = r.tenant_id AND c.purpose_id = r.id
         WHERE r.project_id = $1 GROUP BY r.id, r.cost_usd`,
        [project_id],
      );
      expect(costs.length).toBe(killRounds + 1);
      for (const { cost_usd, charged } of costs) expect(charged).toBeCloseTo(cost_usd, 3);
      const [{ uncharged_s }] = await select(
        `SELECT abs(sum(compute_s) - (SELECT sum(compute_s) FROM charges WHERE purpose_id = ANY($1))) AS uncharged_s
         FROM jobs WHERE id = ANY($1)`,
        [jobs],
      );
      expect(uncharged_s).toBeLessThan(1e-6);
    });

    test('has annotated every episode once in each run and job', async () => {
      const written = await select(
        `SELECT job_id, count(*)::int AS writes, count(DISTINCT episode_id)::int AS episodes
         FROM annotation_writes WHERE job_id = ANY($1) GROUP BY job_id`,
        [jobs],
      );
      expect(written).toHaveLength(jobs.length);
      for (const { writes, episodes } of written)
        expect([writes, episodes]).toEqual([first.count, first.count]);
      const [{ captions, counted }] = await select(
        `SELECT count(*) FILTER (WHERE kind <> 'state-only')::int AS captions,
           (SELECT sum(episodes) FROM annotation_counts WHERE layer = 'segments' AND project_id = $1)::int AS counted
         FROM episodes WHERE project_id = $1`,
        [project_id],
      );
      expect(counted).toBe(first.count);
      const ofRuns = await select(
        `SELECT j.layer, sum(j.done)::int AS done FROM runs r
         JOIN jobs j ON j.tenant_id = r.tenant_id AND j.run_id = r.id
         WHERE r.project_id = $1 GROUP BY r.id, j.layer`,
        [project_id],
      );
      expect(ofRuns).toHaveLength(3 * (killRounds + 1));
      const expected = (layer: string) => (layer === 'captions' ? captions : first.count);
      for (const { layer, done } of ofRuns) expect(done, layer).toBe(expected(layer));
      const layers = await select(
        `SELECT layer, count(*)::int AS annotations FROM annotations
         WHERE run_id = (SELECT max(id) FROM runs WHERE project_id = $1) GROUP BY layer ORDER BY layer`,
        [project_id],
      );
      expect(layers).toEqual(
        ['captions', 'metadata', 'segments'].map((layer) => ({ layer, annotations: expected(layer) })),
      );
    });

    test('leaves no blob without a row and no file half written', async () => {
      const exports = await select('SELECT tenant_id, id, blob_prefix, files FROM exports');
      expect(exports.length).toBe(exported);
      for (const { tenant_id, id, blob_prefix, files } of exports) {
        const own = filesBelow(join(data, 'blobs', tenant_id, id));
        const prefix = String(blob_prefix).slice(`${tenant_id}/${id}/`.length);
        expect(own.filter((name) => !name.startsWith(`${prefix}/`))).toEqual([]);
        // Its files, and the list of them.
        expect(own).toHaveLength(files + 1);
      }
      const rows = await select(
        `SELECT unnest(ARRAY[measured_blob, shard_blob]) AS key FROM run_units
         UNION SELECT pack_blob FROM receipts
         UNION SELECT artifact_blob FROM annotations
         UNION SELECT note->>'key' FROM runs, jsonb_array_elements(coalesce(notes, '[]')) AS note`,
      );
      const named = new Set(rows.map(({ key }) => key));
      const isExport = (key: string) =>
        exports.some(({ tenant_id, id }) => key.startsWith(`${tenant_id}/${id}/`));
      const unnamed = filesBelow(join(data, 'blobs')).filter((key) => !named.has(key) && !isExport(key));
      expect(unnamed).toEqual([]);
      expect(filesBelow(join(data, 'scratch'))).toEqual([]);
    });
  });
});

/** A project with all recordings as its source. */
async function register(service: ServiceProcess) {
  const made = { name: 'everything', use_case: 'robotic-manipulation' };
  const workspace = await service.ask('POST', '/v1/workspaces', made);
  const wanted = { workspace_id: workspace.id, name: 'everything', target_profile: 'vla' };
  const project = await service.ask('POST', '/v1/projects', wanted);
  const place = { kind: 'folder', path: recordings };
  const { id } = await service.ask('POST', `/v1/projects/${project.id}/sources`, place);
  return { project_id: project.id as string, source_id: id as string };
}

/** Steps of a run in the order in which kills wait for them. */
const steps = ['measure', 'look', 'compare'];

/** Waits until a run works on a step, and says so; ends as well where the run is beyond it. */
const reaches =
  (service: ServiceProcess, run_id: string, step: string, tell: (step: string) => void) => async () => {
    for (;;) {
      const { status, stage } = await service.ask('GET', `/v1/runs/${run_id}`);
      if (status === 'running' && stage === step) return tell(step);
      if (status !== 'queued' && (status !== 'running' || !steps.includes(stage))) return;
      await wait(1);
    }
  };

/** Every episode of a run with its decision, in one text; throws where one is there twice. */
async function episodesOf(service: ServiceProcess, run_id: string): Promise<string> {
  const { project_id } = await service.ask('GET', `/v1/runs/${run_id}`);
  const lines: string[] = [];
  for (let cursor = ''; ; ) {
    const query = `run_id=${run_id}&sort=name&limit=500${cursor}`;
    const page = await service.ask('GET', `/v1/projects/${project_id}/episodes?${query}`);
    for (const episode of page.items)
      lines.push(`${episode.id} ${episode.name} ${episode.decision} ${episode.score}`);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
  expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(lines.length);
  return lines.sort().join('\n');
}

interface Known {
  readonly measured: number;
  readonly judged: number;
}

const nothing: Known = { measured: 0, judged: 0 };

/** Returns the acknowledged progress of a run. */
async function knownOf(service: ServiceProcess, run_id: string): Promise<Known> {
  const { episodes } = await service.ask('GET', `/v1/runs/${run_id}`);
  return { measured: episodes.measured, judged: episodes.judged };
}

/** Expects that progress acknowledged before the kill still counts. */
async function expectStillThere(service: ServiceProcess, run_id: string, known: Known): Promise<void> {
  const { episodes } = await service.ask('GET', `/v1/runs/${run_id}`);
  expect(episodes.measured).toBeGreaterThanOrEqual(known.measured);
  expect(episodes.judged).toBeGreaterThanOrEqual(known.judged);
}

/** Waits until the temporary files of ended exports are deleted. */
async function untilTidy(data: string): Promise<void> {
  for (let tries = 0; tries < 100 && filesBelow(join(data, 'scratch')).length > 0; tries++) await wait(50);
  await wait(500);
}
