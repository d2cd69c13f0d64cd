import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSamples, type SampleManifest, writeTeleopMcap } from '#apps/samples';
import { sharedSamples } from './support/shared-samples.ts';

let folder: string;
/** Samples that all test files share. */
let first: string;
let manifest: SampleManifest;
const progress: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-samples-'));
  const shared = await sharedSamples();
  [first, manifest] = [dirname(shared.recordings), shared.manifest];
  await generateSamples(join(folder, 'again'), { onProgress: (share) => progress.push(share) });
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('sample recordings', () => {
  it('cover six kinds of set, each with clean and with spoiled episodes', () => {
    expect(manifest.sets.map((set) => [set.path, set.episodes.length])).toEqual([
      ['recordings/teleop-lerobot', 24],
      ['recordings/teleop-mcap', 24],
      ['recordings/drive', 6],
      ['recordings/flight', 4],
      ['recordings/egocentric', 6],
      ['recordings/pictures', 24],
    ]);
    for (const set of manifest.sets) {
      const spoiled = set.episodes.filter((episode) => episode.planted.length > 0).length;
      expect(spoiled / set.episodes.length).toBeGreaterThanOrEqual(0.2);
      expect(spoiled / set.episodes.length).toBeLessThanOrEqual(0.34);
    }
  });

  it('have a file for every episode that the manifest names', async () => {
    for (const set of manifest.sets) {
      for (const episode of set.episodes) {
        const { size } = await stat(join(first, set.path, episode.path));
        expect(size).toBeGreaterThan(100);
      }
    }
  });

  it('are the same bytes for the same seed, and others for another', async () => {
    expect(await digests(join(folder, 'again'))).toEqual(await digests(first));
    const one = { episodes: 1, plan: {} };
    for (const seed of [1, 2]) await writeTeleopMcap(join(folder, `seed-${seed}`), seed, () => {}, one);
    const [[path, here], ...others] = [...(await digests(join(folder, 'seed-1')))];
    expect([path, others]).toEqual([expect.stringMatching(/\.mcap$/), []]);
    expect((await digests(join(folder, 'seed-2'))).get(path)).not.toBe(here);
  });

  it('are used again when they are already there', async () => {
    const before = await stat(join(first, 'manifest.json'));
    expect(await generateSamples(first)).toEqual(manifest);
    expect((await stat(join(first, 'manifest.json'))).mtimeMs).toBe(before.mtimeMs);
  });

  it('leave nothing half-written beside them and tell how far they are', async () => {
    expect((await readdir(folder)).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(progress.at(-1)).toBeCloseTo(1);
    expect(progress.every((share, i) => i === 0 || share >= progress[i - 1])).toBe(true);
  });

  it('are given up when they are not wanted any more, and leave nothing', async () => {
    const abort = new AbortController();
    const making = generateSamples(join(folder, 'stopped/samples'), {
      onProgress: () => abort.abort(),
      signal: abort.signal,
    });
    await expect(making).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readdir(join(folder, 'stopped'))).toEqual([]);
  });

  it('say what cannot be written and where', async () => {
    const inFile = join(first, 'manifest.json/below');
    await expect(generateSamples(inFile)).rejects.toMatchObject({ code: 'output_unwritable', path: inFile });
  });
});

async function digests(root: string): Promise<Map<string, string>> {
  const out = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    out.set(
      path.slice(root.length),
      createHash('sha256')
        .update(await readFile(path))
        .digest('hex'),
    );
  }
  return out;
}
