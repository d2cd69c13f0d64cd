import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '#kernel';
import { writeTeleopLeRobot } from '#samples';
import { assessFolder } from './support/assessed-project.ts';
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

const asOften = ['lerobot-v3', killRounds] as const;
/** Each writes in its own way: the one that copies video is killed often, and on both databases, the others less. */
const formatsOn = {
  embedded: [
    asOften,
    ...['webdataset', 'zarr-replay-buffer', 'mcap', 'coco-detection'].map(
      (format) => [format, Math.ceil(killRounds / 3)] as const,
    ),
  ],
  server: [asOften],
};
const place = mkdtempSync(join(tmpdir(), 'assay-test-exports-kill-'));
const recordings = join(place, 'recordings');

beforeAll(async () => {
  await writeTeleopLeRobot(recordings, 5, () => {}, { episodes: 4, plan: { 3: ['nan', 'medium'] } });
}, 120_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe.each(testDatabases)('killed at any moment of an export, on the %s database', (on) => {
  const data = join(place, `data-${on}`);
  let killable: KillableService;
  let service: ServiceProcess;
  let exportsPath: string;
  let made = 0;

  const ended = (id: string) => untilEnded(service, `${exportsPath}/${id}`);
  const begin = async (format: string): Promise<string> => {
    made++;
    return (await service.ask('POST', exportsPath, { format })).id;
  };
  /** How long it takes undisturbed, and what it seals. */
  const measure = async (format: string) => {
    const begun = performance.now();
    const { seal, status } = await ended(await begin(format));
    expect(status).toBe('succeeded');
    return { seal, took_ms: performance.now() - begun };
  };

  beforeAll(async () => {
    killable = await killableService(on, data, recordings);
    service = await killable.start();
    exportsPath = `/v1/projects/${await assessFolder(service, recordings)}/exports`;
    // The first also starts the threads.
    await ended(await begin('lerobot-v3'));
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    await killable.drop();
  });

  test.each(formatsOn[on])(
    'as %s, %s times: it begins again, and ends with the same seal',
    {
      timeout: 120_000 + killRounds * 120_000,
    },
    async (format, rounds) => {
      const random = seededRandom(killSeed);
      const undisturbed = await measure(format);
      for (let round = 0; round < rounds; round++) {
        const id = await begin(format);
        for (let kills = killsOf(random); kills > 0; kills--) {
          await killAfter(
            service,
            momentOf(round, random, rounds) * undisturbed.took_ms,
            async () => null,
            null,
          );
          service = await killable.start();
        }
        const now = await ended(id);
        const what = `seed ${killSeed}, round ${round}`;
        expect(now, what).toMatchObject({ status: 'succeeded', seal: undisturbed.seal, error: null });
        expect((await service.ask('GET', '/v1/budget')).reserved_usd, what).toBe(0);
      }
    },
  );

  test('nothing is left of what was killed: no blob without an export, no file half written', async () => {
    await untilTidy(data);
    expect(await service.stop()).toBe(0);
    const database = await killable.openDatabase();
    try {
      const { rows } = await database.query('SELECT tenant_id, id, blob_prefix, files FROM exports');
      expect(rows.length).toBe(made);
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
    service = await killable.start();
  });
});

/** Whoever ends an export sweeps right after. */
async function untilTidy(data: string): Promise<void> {
  for (let tries = 0; tries < 100 && filesBelow(join(data, 'scratch')).length > 0; tries++) await wait(50);
  await wait(500);
}
