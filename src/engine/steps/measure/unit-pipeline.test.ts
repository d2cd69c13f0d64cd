import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hdf5File } from '@assay/hdf5/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { discover } from '#formats';
import { demonstration, moving, robomimicFile } from '#test/support/hdf5-recordings';
import { writeSet } from '#test/support/lerobot-set';
import type { StepOptions } from '../tasks.ts';
import { UnitPipeline } from './unit-pipeline.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-workshop-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function demonstrations(): Promise<string> {
  const numbers = (rows: number) =>
    demonstration(rows, { groups: { obs: { arrays: { x: moving(rows, 3) } } } });
  const path = join(folder, 'low_dim.hdf5');
  writeFileSync(
    path,
    hdf5File(robomimicFile({ demo_0: numbers(9), demo_1: numbers(7), demo_2: numbers(8) })),
  );
  return path;
}

const numbersOf = ({ streams }: Episode) => streams.map(({ series }) => [...(series?.values ?? [])]);

/** The episodes of a folder as a run takes them, all held until the last is measured. */
async function taken(path: string): Promise<Episode[]> {
  const [{ dataset, ...recognised }] = (await discover(path)).datasets;
  const ref = {
    index: 0,
    path,
    root: dataset.root,
    recognised,
    receipts_folder: null,
    receipts_name: '',
    many: false,
  };
  const options: StepOptions = {
    ...{ settings: {}, kind: null, limit: null, seal: true, receipts: false, thumbnails: 0 },
    render: 'pictures',
    ...{
      sketch_codes: 100,
      media_children: 1,
      reader_threads: 1,
      hold: false,
      spool_bytes: 8e6,
      receipts_from: '',
    },
  };
  const episodes: Episode[] = [];
  const pipeline = new UnitPipeline({ options, datasets: [ref], spools: [-1, -1, -1] }, () => -1, {
    signal: new AbortController().signal,
    onProgress: () => {},
    onMeasured: (_, episode) => {
      episodes.push(episode);
      return undefined;
    },
  });
  pipeline.useDataset(0, dataset);
  for (const [place, unit] of dataset.units.entries()) await pipeline.measure({ place, dataset: 0, unit });
  await pipeline.close();
  await dataset.close();
  return episodes;
}

async function readApart(path: string): Promise<Episode[]> {
  const episodes: Episode[] = [];
  for (const { dataset } of (await discover(path)).datasets) {
    for (const unit of dataset.units)
      for await (const item of dataset.read(unit, {})) if (!('unreadable' in item)) episodes.push(item);
    await dataset.close();
  }
  return episodes;
}

describe('whoever takes episodes as they are measured', () => {
  it.each([
    ['LeRobot', async () => (await writeSet({ episodes: 4, rows: 30, files: 1 })).toString()],
    ['HDF5', demonstrations],
  ])('may hold the numbers of %s: later episodes are not written over them', async (_, write) => {
    const path = await write();
    const apart = await readApart(path);
    expect(apart.length).toBeGreaterThan(2);
    expect((await taken(path)).map(numbersOf)).toEqual(apart.map(numbersOf));
  });
});
