import { describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { readSet, type SetShape, writeSet } from '#test/support/lerobot-set';
import type { Dataset, ReadOptions } from '../../../shared/reader.ts';

async function* episodesOf(dataset: Dataset, options: ReadOptions): AsyncGenerator<Episode> {
  for (const unit of dataset.units)
    for await (const item of dataset.read(unit, options)) if (!('unreadable' in item)) yield item;
}

async function numbersOf(dataset: Dataset, options: ReadOptions) {
  const numbers: number[][] = [];
  const buffers = new Set<unknown>();
  for await (const { streams } of episodesOf(dataset, options)) {
    const [{ series, clocks }] = streams;
    numbers.push([...(series?.values ?? []), ...clocks[0].time_s]);
    buffers.add(`${series?.values.byteOffset}`);
  }
  return { numbers, places: buffers.size };
}

async function all(dataset: Dataset, options: ReadOptions): Promise<Episode[]> {
  const episodes: Episode[] = [];
  for await (const episode of episodesOf(dataset, options)) episodes.push(episode);
  return episodes;
}

const open = async (shape: SetShape) => (await readSet(await writeSet(shape))).dataset;

describe('reading a LeRobot set', () => {
  it('over the episode before gives the same numbers to whoever takes them at once', async () => {
    const dataset = await open({ episodes: 5, rows: 30, files: 1 });
    const own = await numbersOf(dataset, {});
    const shared = await numbersOf(dataset, { reuse_arrays: true });
    expect(shared.numbers).toEqual(own.numbers);
    expect(own.places).toBe(5);
    expect(shared.places).toBe(1);
  });

  it('leaves episodes apart where their video is still to be decoded', async () => {
    const dataset = await open({ episodes: 4, cameras: ['observation.images.top'] });
    expect((await numbersOf(dataset, { reuse_arrays: true })).places).toBe(4);
  });

  it('without hashes names the same files, and hashes none but the videos', async () => {
    const dataset = await open({ episodes: 2, cameras: ['observation.images.top'] });
    const [hashed] = await all(dataset, {});
    const [named] = await all(dataset, { hashes: false });
    expect(named.sources.map(({ path }) => path)).toEqual(hashed.sources.map(({ path }) => path));
    for (const [at, { role, sha256 }] of named.sources.entries())
      expect(sha256).toBe(role === 'video' ? hashed.sources[at].sha256 : null);
  });
});
