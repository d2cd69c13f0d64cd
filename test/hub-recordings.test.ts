import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AssayError, sha256 } from '#core';
import { type AssessmentResult, assess, locateRecordings, type WebSettings } from '#engine/local';
import { encodeVideo, x264 } from '#test/support/encode-video';
import { writeSet } from '#test/support/lerobot-set';
import { movingPicture } from '#test/support/moving-picture';
import { sharedSamples } from '#test/support/shared-samples';
import { isNightly, rounds } from '#test/support/tiers';
import { runAssay } from './run-assay.ts';
import { type HubManners, startDatasetHub, type TestHub } from './support/dataset-hub.ts';
import { serveFolder } from './support/web-folder.ts';

const data = resolve(import.meta.dirname, '../../shared/data');
const scratch = mkdtempSync(join(tmpdir(), 'assay-test-hub-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let caches = 0;
const settingsFor = (hub: Pick<TestHub, 'endpoint'>, more: Partial<WebSettings> = {}): WebSettings => ({
  token: null,
  endpoint: hub.endpoint,
  plain_http: false,
  cache_folder: join(scratch, `cache-${caches++}`),
  cache_bytes: 1e9,
  ...more,
});

/** Everything an assessment says, or what it refuses with. */
async function told(path: string, settings?: WebSettings, workers = 1) {
  let located: Awaited<ReturnType<typeof locateRecordings>> | undefined;
  let result: AssessmentResult | undefined;
  try {
    located = await locateRecordings(path, async () => settings!);
    result = await assess(located.recordings, { receipts: true, workers });
    return { receipts: [...result.receipts()], summary: result.summary(), findings: result.findings };
  } catch (thrown) {
    if (!(thrown instanceof AssayError)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  } finally {
    await result?.close();
    await located?.close();
  }
}

async function withHub<T>(manners: HubManners, work: (hub: TestHub) => Promise<T>): Promise<T> {
  const hub = await startDatasetHub(manners);
  try {
    return await work(hub);
  } finally {
    await hub.close();
  }
}

const nothingHeld = ({ cache_folder }: WebSettings) =>
  readdirSync(join(cache_folder, 'held')).concat(readdirSync(join(cache_folder, 'arriving')));

/** A set with one camera, whose video is far more than what is looked at. */
async function pictured(episodes: number): Promise<string> {
  const video = join(scratch, 'moving.mp4');
  if (!existsSync(video))
    await encodeVideo(video, 320, 240, movingPicture(320, 240, 300), { ...x264, rate_hz: 10 });
  const camera = 'observation.images.top';
  const folder = await writeSet({ layout: 'v2', episodes, rows: 300, cameras: [camera] });
  for (let episode = 0; episode < episodes; episode++) {
    const name = `episode_${String(episode).padStart(6, '0')}.mp4`;
    copyFileSync(video, join(folder, 'videos/chunk-000', camera, name));
  }
  return folder;
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : [],
  );

/** Writes the checksums of a folder in the format of `sha256sum`. */
function writeSums(folder: string): void {
  const lines = filesOf(folder).map((path) => `${sha256(readFileSync(join(folder, path)))}  ./${path}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

describe('a dataset of a hub', () => {
  test('has the receipts of the folder, byte for byte, from a hub that is busy, cuts, signs and pages', async () => {
    const folder = await writeSet({ layout: 'v3', episodes: 4 });
    const manners = { token: 'hf_t', cut_every: 10, busy_every: 7, signed_uses: 2, page: 3 };
    await withHub(manners, async (hub) => {
      const sha = hub.commit(folder);
      const settings = settingsFor(hub, { token: 'hf_t' });
      expect(await told('hf://datasets/lab/set', settings)).toEqual(await told(folder));
      expect(await told(`hf://datasets/lab/set@${sha}`, settings)).toEqual(await told(folder));
      expect(nothingHeld(settings)).toEqual([]);
      const fromStorage = hub.asked.filter(({ where }) => where === 'storage');
      expect(fromStorage.length).toBeGreaterThan(0);
      expect(fromStorage.filter(({ authorization }) => authorization !== null)).toEqual([]);
    });
  });

  test('a revision that moves meanwhile changes nothing of what is read', async () => {
    const [first, second] = [await writeSet({ episodes: 3 }), await writeSet({ episodes: 5 })];
    let pages = 0;
    const moving: HubManners = {
      onRequest: ({ url }) => {
        if (url.includes('/tree/') && pages++ === 0) hub.commit(second);
      },
    };
    const hub = await startDatasetHub(moving);
    hub.commit(first);
    expect(await told('hf://datasets/lab/set', settingsFor(hub))).toEqual(await told(first));
    expect(await told('hf://datasets/lab/set@main', settingsFor(hub))).toEqual(await told(second));
    await hub.close();
  });

  test('a file that is another than was listed ends it, saying so', async () => {
    const folder = await writeSet({ episodes: 3 });
    const path = 'data/chunk-000/file-000.parquet';
    let listed = false;
    const changing: HubManners = {
      onRequest: ({ url }) => {
        if (url.includes('/tree/')) listed = true;
        else if (listed && url.includes(path))
          hub.replace(path, readFileSync(join(folder, path)).subarray(1));
      },
    };
    const hub = await startDatasetHub(changing);
    hub.commit(folder);
    expect(await told('hf://datasets/lab/set', settingsFor(hub))).toEqual({
      code: 'storage_unavailable',
      message: `${path} changed while it was read`,
    });
    await hub.close();
  });

  test('a hub that is gone at any moment ends it with that reason, never with other receipts', async () => {
    const folder = await writeSet({ layout: 'v2', episodes: 4 });
    const here = await told(folder);
    const outcomes = [4, 12].map(async (last) => {
      const leaving: HubManners = {
        onRequest: () => {
          if (hub.asked.length === last) void hub.close();
        },
      };
      const hub = await startDatasetHub(leaving);
      hub.commit(folder);
      const said = await told('hf://datasets/lab/set', settingsFor(hub));
      if ('code' in said) expect(said.code).toBe('storage_unavailable');
      else expect(said).toEqual(here);
      return 'code' in said;
    });
    expect(await Promise.all(outcomes)).toContain(true);
  });

  test('what may not be read, or is not there, is told as that', async () => {
    await withHub({ token: 'hf_t' }, async (hub) => {
      hub.commit(await writeSet({}));
      const [none, token] = [settingsFor(hub), settingsFor(hub, { token: 'hf_t' })];
      expect(await told('hf://datasets/lab/set', none)).toMatchObject({ code: 'not_permitted' });
      const absent = await told('hf://datasets/lab/set@v9', token);
      expect(absent).toMatchObject({ code: 'not_found', message: expect.stringContaining('revision') });
      expect(await told('hf://datasets/lab/other', token)).toMatchObject({ code: 'not_found' });
      expect(await told('hf://models/lab/set', token)).toMatchObject({ code: 'usage' });
      expect(await told('ftp://lab/set', token)).toMatchObject({ code: 'usage' });
    });
  });

  test('the command line takes the token of HF_HOME, and says which commit and how much was fetched', async () => {
    await withHub({ token: 'hf_t' }, async (hub) => {
      const sha = hub.commit(await writeSet({ episodes: 2 }));
      const home = mkdtempSync(join(scratch, 'home-'));
      writeFileSync(join(home, 'token'), 'hf_t\n');
      const cache = { ASSAY_WEB_CACHE_DIR: join(home, 'cache'), HF_ENDPOINT: hub.endpoint, HF_HOME: home };
      const run = (args: readonly string[]) => runAssay(args, { env: { HF_TOKEN: '', ...cache } });
      const out = join(home, 'report');
      const assessed = await run(['assess', 'hf://datasets/lab/set', '--out', out]);
      expect(assessed).toMatchObject({
        code: 0,
        err: expect.stringMatching(/fetched [\d.]+ kB of [\d.]+ kB \(/),
      });
      expect(assessed.out).toContain(`--source hf://datasets/lab/set@${sha}`);
      const verified = await run([
        'verify',
        join(out, 'receipts'),
        '--source',
        `hf://datasets/lab/set@${sha}`,
      ]);
      expect(verified).toMatchObject({ code: 0 });
      for (const command of ['fix', 'export', 'ingest', 'start'])
        expect(
          await run([command, 'hf://datasets/lab/set', ...(command === 'export' ? ['--dry-run'] : [])]),
        ).toMatchObject({
          code: 2,
          err: expect.stringContaining('reads local paths only'),
        });
    });
  });

  test('the same again comes from the cache, and a spoiled cache is fetched anew', async () => {
    const folder = await writeSet({ episodes: 3 });
    await withHub({}, async (hub) => {
      hub.commit(folder);
      const settings = settingsFor(hub);
      const once = await told('hf://datasets/lab/set', settings);
      const sent = hub.sent_bytes;
      expect(await told('hf://datasets/lab/set', settings)).toEqual(once);
      // Support for byte ranges is tested each time.
      expect(hub.sent_bytes - sent).toBeLessThan(10);
      for (const path of readdirSync(settings.cache_folder, { recursive: true, encoding: 'utf8' }))
        if (/extents\/.*-\d+$/.test(path)) writeFileSync(join(settings.cache_folder, path), 'spoiled');
      expect(await told('hf://datasets/lab/set', settings)).toEqual(once);
      expect(hub.sent_bytes - sent).toBeGreaterThan(10);
    });
  });

  test('episodes with video have the receipts of the folder, from less than a fifth of the bytes', async () => {
    const folder = await pictured(rounds(6, 50));
    await withHub({ cut_every: 10, busy_every: 11, signed_uses: 5, page: 20 }, async (hub) => {
      hub.commit(folder);
      const settings = settingsFor(hub);
      expect(await told('hf://datasets/lab/set', settings, 2)).toEqual(await told(folder));
      expect(hub.sent_bytes).toBeLessThan(hub.stored_bytes / 5);
      expect(nothingHeld(settings)).toEqual([]);
    });
  }, 300_000);

  test('episodes of one video file have the receipts of the folder, sound and damaged', async () => {
    const video = join(scratch, 'many.mp4');
    await encodeVideo(video, 160, 120, movingPicture(160, 120, 300), { ...x264, rate_hz: 10 });
    const camera = 'observation.images.top';
    const folder = await writeSet({ layout: 'v3', episodes: 3, rows: 100, cameras: [camera] });
    const file = join(folder, 'videos', camera, 'chunk-000/file-000.mp4');
    const bytes = readFileSync(video);
    for (const spoil of [(sound: Buffer) => sound, (sound: Buffer) => sound.fill(0, 300, 9000)]) {
      writeFileSync(file, spoil(bytes));
      await withHub({}, async (hub) => {
        hub.commit(folder);
        expect(await told('hf://datasets/lab/set', settingsFor(hub))).toEqual(await told(folder));
      });
    }
  });

  test.runIf(isNightly)(
    'the samples, many of them damaged on purpose, have the receipts of the folder',
    async () => {
      const folder = (await sharedSamples()).recordings;
      await withHub({ cut_every: 10, busy_every: 13, page: 50 }, async (hub) => {
        hub.commit(folder);
        expect(await told('hf://datasets/lab/set', settingsFor(hub), 2)).toEqual(
          await told(folder, undefined, 2),
        );
      });
    },
    300_000,
  );

  for (const name of ['lerobot-malformed-omx', 'lerobot-v20-gr00t-pick-place']) {
    const real = join(data, name);
    test.runIf(isNightly && existsSync(real))(
      `${name} has the receipts it has in a folder (needs ../shared/data)`,
      async () => {
        await withHub({ cut_every: 10, busy_every: 9 }, async (hub) => {
          hub.commit(real);
          expect(await told('hf://datasets/lab/set', settingsFor(hub))).toEqual(await told(real));
        });
      },
      300_000,
    );
  }
});

describe('a folder of a web server', () => {
  for (const [what, manners] of [
    ['lists it as a page', { listing: 'html' }],
    ['lists it as JSON', { listing: 'json' }],
    ['lists nothing', { listing: 'none' }],
    ['sends no parts of files', { listing: 'html', ranges: false }],
  ] as const) {
    test(`has the receipts of the folder where the server ${what}`, async () => {
      for (const layout of manners.listing === 'none' ? (['v2', 'v3'] as const) : (['v3'] as const)) {
        const folder = await writeSet({ layout, files: 2, episodes: 4 });
        const server = await serveFolder(folder, manners);
        const settings = settingsFor({ endpoint: 'https://hub.test' }, { token: 'hf_t' });
        const here = await told(folder);
        expect(here).toHaveProperty('receipts.3');
        expect(await told(server.url, settings)).toEqual(here);
        await server.close();
      }
    });
  }

  test.each([
    ['lists the hashes of its files', {}, writeSums],
    ['answers with the hash of a file', { digests: true }, () => undefined],
  ])(
    'sends little more of videos than what is looked at where it %s',
    async (_, manners, prepare) => {
      const folder = await pictured(rounds(6, 50));
      prepare(folder);
      const server = await serveFolder(folder, manners);
      const settings = settingsFor({ endpoint: 'https://hub.test' });
      expect(await told(server.url, settings)).toEqual(await told(folder));
      const stored = filesOf(folder).reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
      expect(server.sent.bytes).toBeLessThan(stored / 5);
      await server.close();
    },
    300_000,
  );

  test('is refused where a file has another hash than it lists', async () => {
    const folder = await writeSet({ layout: 'v2' });
    writeSums(folder);
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    writeFileSync(join(folder, 'SHA256SUMS'), sums.replace(/^[0-9a-f]{64}(?=.*parquet)/gm, '0'.repeat(64)));
    const server = await serveFolder(folder);
    expect(await told(server.url, settingsFor({ endpoint: 'https://hub.test' }))).toMatchObject({
      code: 'storage_unavailable',
      message: expect.stringContaining('was downloaded with a wrong SHA-256'),
    });
    await server.close();
  });

  test('one file is one file', async () => {
    const folder = await writeSet({ layout: 'v2' });
    writeFileSync(join(folder, 'a picture.png'), png);
    const server = await serveFolder(folder);
    const settings = settingsFor({ endpoint: 'https://hub.test' });
    expect(await told(`${server.url}a%20picture.png`, settings)).toEqual(
      await told(join(folder, 'a picture.png')),
    );
    await server.close();
  });

  test('what lists nothing and is no set says what is possible, and plain http stays on this machine', async () => {
    const folder = mkdtempSync(join(scratch, 'nothing-'));
    const server = await serveFolder(folder);
    const settings = settingsFor({ endpoint: 'https://hub.test' });
    expect(await told(server.url, settings)).toMatchObject({ code: 'not_recognised' });
    await server.close();
    for (const address of ['http://recordings.test/set/', 'https://user:secret@recordings.test/'])
      expect(await told(address, settings)).toMatchObject({ code: 'usage' });
  });

  test('a file that changes while it is read ends it, saying so', async () => {
    const folder = await writeSet({ episodes: 3 });
    const path = 'data/chunk-000/file-000.parquet';
    const server = await serveFolder(folder, {
      onFile: (asked, { method }) => {
        if (asked === path && method === 'GET') writeFileSync(join(folder, path), 'PAR1 another');
      },
    });
    const settings = settingsFor({ endpoint: 'https://hub.test' });
    expect(await told(server.url, settings)).toEqual({
      code: 'storage_unavailable',
      message: `${path} changed while it was read`,
    });
    await server.close();
  });
});

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
