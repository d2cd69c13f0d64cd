import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#kernel';
import { writeTeleopLeRobot, writeTeleopMcap } from '#samples';
import type { Database } from '#store';
import { generateNumericSet } from '../bench/lerobot/generate-set.ts';
import {
  filesBelow,
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

const place = mkdtempSync(join(tmpdir(), 'assay-test-kill-'));
const recordings = join(place, 'recordings');

beforeAll(async () => {
  for (const name of ['numbers', 'video', 'logs']) mkdirSync(join(recordings, name), { recursive: true });
  await generateNumericSet(join(recordings, 'numbers'), 300);
  await writeTeleopLeRobot(join(recordings, 'video'), 5, () => {}, { episodes: 6, plan: {} });
  await writeTeleopMcap(join(recordings, 'logs'), 7, () => {});
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(testDatabases)('killed at any moment of a run, on the %s database', (on) => {
  const data = join(place, `data-${on}`);
  let killable: KillableService;
  let service: ServiceProcess;
  let source: { project_id: string; source_id: string };
  let undisturbed: { episodes: string; took_ms: number };

  beforeAll(async () => {
    killable = await killableService(on, data, recordings, '1');
    service = await killable.start();
    source = await register(service);
    const begun = performance.now();
    const run = await untilEnded(service, `/v1/runs/${await begin(service, source)}`);
    expect(run).toMatchObject({ status: 'succeeded' });
    undisturbed = { took_ms: performance.now() - begun, episodes: await episodesOf(service, run.id) };
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await killable.drop();
  });

  test(`${killRounds} times: it goes on when it is started again, with every episode there once`, {
    timeout: 120_000 + killRounds * 120_000,
  }, async () => {
    const random = seededRandom(killSeed);
    const seen = new Set<string>();
    for (let round = 0; round < killRounds; round++) {
      const run_id = await begin(service, source);
      // In the first rounds a kill waits for a step, as some are short; all others, and one after `compare`, come at any moment.
      let step = steps.at(round);
      for (let kills = step === 'compare' ? 2 : killsOf(random); kills > 0; kills--, step = undefined) {
        const after_ms = momentOf(round, random) * undisturbed.took_ms;
        const moment = step === undefined ? after_ms : reaches(service, run_id, step, (at) => seen.add(at));
        const known = await killAfter(service, moment, () => knownOf(service, run_id), nothing);
        service = await killable.start();
        await expectStillThere(service, run_id, known);
      }
      const run = await untilEnded(service, `/v1/runs/${run_id}`);
      expect(run, `seed ${killSeed}, round ${round}`).toMatchObject({
        status: 'succeeded',
        stage: 'done',
        error: null,
      });
      expect(await episodesOf(service, run_id), `seed ${killSeed}, round ${round}`).toBe(
        undisturbed.episodes,
      );
      for (const { layer, status } of run.layers) expect(status, layer).toBe('succeeded');
    }
    expect([...seen]).toEqual(steps.slice(0, killRounds));
  });

  test('each run annotated every episode once in each layer, and no money is left put aside', async () => {
    expect(await service.stop()).toBe(0);
    const database = await killable.openDatabase();
    try {
      const { rows: put_aside } = await database.query('SELECT id FROM reservations WHERE closed_at IS NULL');
      expect(put_aside).toEqual([]);
      const { rows: twice } = await database.query(
        `SELECT r.id, j.layer, r.episodes_judged, sum(j.done)::int AS done FROM runs r
         JOIN jobs j ON j.tenant_id = r.tenant_id AND j.run_id = r.id
         GROUP BY r.id, j.layer, r.episodes_judged
         HAVING sum(j.done) <> CASE j.layer WHEN 'captions' THEN (${withPictures}) ELSE r.episodes_judged END`,
      );
      expect(twice).toEqual([]);
      const { rows: layers } = await database.query(
        `SELECT layer, count(*)::int AS annotations FROM annotations
         WHERE run_id = (SELECT max(id) FROM runs) GROUP BY layer ORDER BY layer`,
      );
      const { rows: known } = await database.query(
        `SELECT count(*)::int AS episodes, (${withPictures})::int AS captions FROM episodes`,
      );
      const [{ episodes, captions }] = known;
      expect(layers).toEqual([
        { layer: 'captions', annotations: captions },
        { layer: 'metadata', annotations: episodes },
        { layer: 'segments', annotations: episodes },
      ]);
      const { rows: costs } = await database.query(
        `SELECT r.id, r.cost_usd, sum(c.amount_usd)::float8 AS charged FROM runs r
         JOIN charges c ON c.tenant_id = r.tenant_id AND c.purpose_id = r.id GROUP BY r.id, r.cost_usd`,
      );
      expect(costs.length).toBe(killRounds + 1);
      for (const { cost_usd, charged } of costs) expect(charged).toBeCloseTo(cost_usd, 3);
    } finally {
      await database.close();
    }
    service = await killable.start();
  });

  test('what is kept as counts is what counting gives', async () => {
    const summary = `/v1/projects/${source.project_id}/summary`;
    const kept = await service.ask('GET', summary);
    expect(kept.episodes).toBeGreaterThan(0);
    expect(kept).toEqual(await service.ask('GET', `${summary}?min_duration_s=0`));
  });

  test('nothing is left of what was killed: no blob without a row, no file half written', async () => {
    expect(await service.stop()).toBe(0);
    const database = await killable.openDatabase();
    try {
      expect(await unnamedBlobs(database, join(data, 'blobs'))).toEqual([]);
    } finally {
      await database.close();
    }
    expect(filesBelow(join(data, 'scratch'))).toEqual([]);
    service = await killable.start();
  });
});

/** How many episodes can carry captions. */
const withPictures = `SELECT count(*) FROM episodes WHERE kind <> 'state-only'`;

/** A project with the recordings as its source. */
async function register(service: ServiceProcess) {
  const made = { name: 'lab', use_case: 'robotic-manipulation' };
  const workspace = await service.ask('POST', '/v1/workspaces', made);
  const wanted = { workspace_id: workspace.id, name: 'all', target_profile: 'vla' };
  const project = await service.ask('POST', '/v1/projects', wanted);
  const place = { kind: 'folder', path: recordings };
  const { id } = await service.ask('POST', `/v1/projects/${project.id}/sources`, place);
  return { project_id: project.id as string, source_id: id as string };
}

async function begin(
  service: ServiceProcess,
  { project_id, source_id }: { project_id: string; source_id: string },
): Promise<string> {
  return (await service.ask('POST', `/v1/projects/${project_id}/runs`, { source_id })).id;
}

const steps = ['look', 'measure', 'compare'];

/** Waits until a run works on a step, and tells so; ends as well where the run is beyond it. */
const reaches =
  (service: ServiceProcess, run_id: string, step: string, tell: (step: string) => void) => async () => {
    for (;;) {
      const { status, stage } = await service.ask('GET', `/v1/runs/${run_id}`);
      if (status === 'running' && stage === step) return tell(step);
      if (status !== 'queued' && (status !== 'running' || steps.indexOf(stage) < 0)) return;
      await wait(1);
    }
  };

/** Every episode of a run with the seal of its receipt, in one text; throws where one is there twice. */
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

/** What is acknowledged of a run. */
async function knownOf(service: ServiceProcess, run_id: string): Promise<Known> {
  const { episodes } = await service.ask('GET', `/v1/runs/${run_id}`);
  return { measured: episodes.measured, judged: episodes.judged };
}

/** What was acknowledged before the kill counts after it. */
async function expectStillThere(service: ServiceProcess, run_id: string, known: Known): Promise<void> {
  const { episodes } = await service.ask('GET', `/v1/runs/${run_id}`);
  expect(episodes.measured).toBeGreaterThanOrEqual(known.measured);
  expect(episodes.judged).toBeGreaterThanOrEqual(known.judged);
}

async function unnamedBlobs(database: Database, folder: string): Promise<string[]> {
  const { rows } = await database.query(
    `SELECT unnest(ARRAY[measured_blob, shard_blob]) AS key FROM run_units
     UNION SELECT pack_blob FROM receipts
     UNION SELECT artifact_blob FROM annotations
     UNION SELECT note->>'key' FROM runs, jsonb_array_elements(coalesce(notes, '[]')) AS note`,
  );
  const named = new Set(rows.map(({ key }) => key));
  return filesBelow(folder).filter((key) => !named.has(key));
}
