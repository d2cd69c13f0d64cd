import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#kernel';
import { writeTeleopLeRobot } from '#samples';
import { type Database, openEmbedded, openServer } from '#store';
import { assessFolder } from './support/assessed-project.ts';
import { alive, descendantsOf } from './support/descendants.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';
import { createOwnDatabase, testDatabases } from './support/service-store.ts';

/** As many as ASSAY_KILL_ROUNDS says. */
const rounds = Number(process.env.ASSAY_KILL_ROUNDS ?? 3);
const seed = Number(process.env.ASSAY_KILL_SEED ?? 1);

const place = mkdtempSync(join(tmpdir(), 'assay-test-exports-kill-'));
const recordings = join(place, 'recordings');

beforeAll(async () => {
  await writeTeleopLeRobot(recordings, 5, () => {}, { episodes: 12, plan: { 3: ['nan', 'medium'] } });
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(testDatabases)('killed at any moment of an export, on the %s database', (on) => {
  const data = join(place, `data-${on}`);
  let url: string | null = null;
  let drop = async () => {};
  let service: ServiceProcess;
  let exportsPath: string;
  let undisturbed: { seal: string; took_ms: number };

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
  const ended = async (id: string) => {
    for (;;) {
      const now = await service.ask('GET', `${exportsPath}/${id}`);
      if (now.status !== 'queued' && now.status !== 'running') return now;
      await wait(20);
    }
  };
  const begin = async () => (await service.ask('POST', exportsPath, {})).id;

  beforeAll(async () => {
    if (on === 'server') ({ url, drop } = await createOwnDatabase());
    service = await start();
    exportsPath = `/v1/projects/${await assessFolder(service, recordings)}/exports`;
    // The first also starts the threads.
    await ended(await begin());
    const begun = performance.now();
    const { seal, status } = await ended(await begin());
    expect(status).toBe('succeeded');
    undisturbed = { seal, took_ms: performance.now() - begun };
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await drop();
  });

  test(`${rounds} times: it begins again, and ends with the same seal`, {
    timeout: 120_000 + rounds * 120_000,
  }, async () => {
    const random = seededRandom(seed);
    for (let round = 0; round < rounds; round++) {
      const id = await begin();
      for (let kills = random.next() < 0.3 ? 2 : 1; kills > 0; kills--) {
        await kill(service, ((1.1 * (round + random.next())) / rounds) * undisturbed.took_ms);
        service = await start();
      }
      const now = await ended(id);
      const what = `seed ${seed}, round ${round}`;
      expect(now, what).toMatchObject({ status: 'succeeded', seal: undisturbed.seal, error: null });
      expect((await service.ask('GET', '/v1/budget')).reserved_usd, what).toBe(0);
    }
  });

  test('nothing is left of what was killed: no blob without an export, no file half written', async () => {
    await untilTidy(data);
    expect(await service.stop()).toBe(0);
    const database: Database = await (url === null ? openEmbedded(data) : openServer(url));
    try {
      const { rows } = await database.query('SELECT tenant_id, id, blob_prefix, files FROM exports');
      expect(rows.length).toBe(rounds + 2);
      for (const { tenant_id, id, blob_prefix, files } of rows) {
        const own = filesBelow(join(data, 'blobs', tenant_id, id));
        const prefix = String(blob_prefix).slice(`${tenant_id}/${id}/`.length);
        expect(own.filter((name) => !name.startsWith(`${prefix}/`))).toEqual([]);
        // Its files, and the list of them.
        expect(own).toHaveLength(files + 1);
      }
      const { rows: open } = await database.query('SELECT id FROM reservations WHERE closed_at IS NULL');
      expect(open).toEqual([]);
    } finally {
      await database.close();
    }
    expect(filesBelow(join(data, 'scratch'))).toEqual([]);
    service = await start();
  });
});

async function kill(service: ServiceProcess, after_ms: number): Promise<void> {
  await wait(after_ms);
  const children = descendantsOf(service.child.pid!);
  await service.kill();
  for (let tries = 0; tries < 100 && alive(children).length > 0; tries++) await wait(50);
  expect(alive(children)).toEqual([]);
}

/** Whoever ends an export sweeps right after. */
async function untilTidy(data: string): Promise<void> {
  for (let tries = 0; tries < 100 && filesBelow(join(data, 'scratch')).length > 0; tries++) await wait(50);
  await wait(500);
}

function filesBelow(folder: string): string[] {
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    : [];
  return names.filter((name) => statSync(join(folder, name)).isFile());
}
