import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { type SetShape, writeSet } from '#test/support/lerobot-set';
import { discover, type OpenDataset, reopen } from '../../discovery/discover.ts';
import type { ReadOptions } from '../../shared/reader.ts';

async function itemsOf(dataset: OpenDataset, options: ReadOptions = {}): Promise<unknown[]> {
  const items: unknown[] = [];
  for (const unit of dataset.units) for await (const item of dataset.read(unit, options)) items.push(item);
  return items;
}

/** The set as it was found, and as another thread opens it. */
async function openedTwice(shape: SetShape, between = async (_folder: string) => {}) {
  const folder = await writeSet(shape);
  const [{ path, recognition, dataset }] = (await discover(folder)).datasets;
  await between(folder);
  const snapshot: unknown = structuredClone(dataset.snapshot);
  return { dataset, again: await reopen(folder, { path, recognition }, { snapshot }) };
}

describe('a set that another thread has opened', () => {
  it.each([
    ['as it should be', { episodes: 7 }],
    ['whose cameras have videos', { episodes: 3, cameras: ['front'] }],
  ] as [string, SetShape][])('is the same dataset: %s', async (_, shape) => {
    const { dataset, again } = await openedTwice(shape);
    expect(dataset.snapshot).toBeDefined();
    expect(again.facts).toEqual(dataset.facts);
    expect(again.units).toEqual(dataset.units);
    expect(again.findings).toEqual(dataset.findings);
    expect(await itemsOf(again)).toEqual(await itemsOf(dataset));
  });

  it('is opened without another look at its tables', async () => {
    const { dataset, again } = await openedTwice({ episodes: 4 }, (folder) =>
      rm(join(folder, 'meta/episodes'), { recursive: true }),
    );
    expect(again.units).toEqual(dataset.units);
    const items = (await itemsOf(again, { hashes: false })) as Episode[];
    expect(items.map(({ tasks }) => tasks?.[0]?.source)).toEqual(
      Array(4).fill('meta/episodes/chunk-000/file-000.parquet'),
    );
  });

  it('of version 2 is opened anew', async () => {
    const { dataset, again } = await openedTwice({ layout: 'v2', episodes: 3 });
    expect(dataset.snapshot).toBeUndefined();
    expect(again.units).toEqual(dataset.units);
  });
});
