import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateSamples, type SampleManifest } from '#samples';

let folder: string;
let manifest: SampleManifest;
const progress: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-samples-'));
  manifest = await generateSamples(join(folder, 'first'), { onProgress: (share) => progress.push(share) });
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
        const { size } = await stat(join(folder, 'first', set.path, episode.path));
        expect(size).toBeGreaterThan(100);
      }
    }
  });

  it('are the same bytes for the same seed, and others for another', async () => {
    await generateSamples(join(folder, 'again'));
    expect(await digests(join(folder, 'again'))).toEqual(await digests(join(folder, 'first')));
    await generateSamples(join(folder, 'other'), { seed: 2 });
    const other = await digests(join(folder, 'other'));
    const first = await digests(join(folder, 'first'));
    for (const path of first.keys()) {
      if (/\.(mp4|mcap)$/.test(path)) expect(other.get(path), path).not.toBe(first.get(path));
    }
  });

  it('are used again when they are already there', async () => {
    const before = await stat(join(folder, 'first/manifest.json'));
    expect(await generateSamples(join(folder, 'first'))).toEqual(manifest);
    expect((await stat(join(folder, 'first/manifest.json'))).mtimeMs).toBe(before.mtimeMs);
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
    const inFile = join(folder, 'first/manifest.json/below');
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
