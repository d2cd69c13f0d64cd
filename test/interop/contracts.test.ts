import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '#formats/rules';
import { plantedFormats } from '../support/plants/index.ts';
import { writePlant } from '../support/plants/plant.ts';
import { askScript, isInstalled } from './python-worker.ts';

/** Canonical readers that are installed somewhere, by the name that the contract gives them. */
const oracles = [
  { reader: 'robomimic', title: 'robomimic HDF5', libraries: 'torch-readers' },
  { reader: 'ACT', title: 'ALOHA and ACT HDF5', libraries: 'torch-readers' },
  { reader: 'act-plus-plus', title: 'ALOHA and ACT HDF5', libraries: 'torch-readers' },
  { reader: 'Ultralytics', title: 'YOLO labels', libraries: 'torch-readers' },
  { reader: 'diffusion_policy', title: 'diffusion_policy replay buffers (zarr 2)', libraries: 'peers' },
  { reader: 'TFDS', title: 'RLDS episodes (TFDS)', libraries: 'tfds' },
  { reader: 'pykitti', title: 'KITTI raw', libraries: 'peers' },
  { reader: 'nuscenes-devkit', title: 'nuScenes', libraries: 'peers' },
  { reader: 'pycocotools', title: 'COCO annotations', libraries: 'peers' },
  { reader: 'pycocotools, masks', title: 'COCO annotations', libraries: 'peers' },
  { reader: 'pycocotools, evaluation', title: 'COCO annotations', libraries: 'peers' },
] as const;

const top = mkdtempSync(join(tmpdir(), 'assay-contract-readers-'));
afterAll(() => rmSync(top, { recursive: true }));

type Does = readonly [does: string, why: string];

describe.each(oracles)('$reader', ({ reader, title, libraries }) => {
  const { sound, plants } = plantedFormats.find((format) => format.title === title)!;
  const contract = contracts.find((one) => one.title === title)!;
  const folder = (i: number) => join(top, reader, String(i));
  const idOf = (name: string) => contract.readers.find((one) => one.title === name)!.id;
  let found: Readonly<Record<string, Does>> = {};

  beforeAll(async () => {
    if (!isInstalled(libraries)) return;
    const all = [sound, ...plants.map(({ files }) => files)];
    for (const [i, files] of all.entries()) await writePlant(folder(i), files);
    found = await askScript(libraries, 'contract_readers.py', reader, ...all.map((_, i) => folder(i)));
  }, 300_000);

  it.skipIf(!isInstalled(libraries))('reads the sound recording', () => {
    expect(found[folder(0)]).toEqual(['loads', '']);
  });

  it.skipIf(!isInstalled(libraries)).each(plants.map((plant, i) => ({ ...plant, at: i + 1 })))(
    'does with $rule what the contract says ($at)',
    ({ rule, at }) => {
      const { consequences: breach } = contract.rules.find(({ id }) => id === rule)!;
      // A dataset that cannot be opened fails in every other respect as well.
      const opening = breach[idOf(reader.split(',')[0])]?.reader === 'refuses_set' ? 'refuses_set' : 'loads';
      const said = breach[idOf(reader)]?.reader ?? opening;
      const [does, why] = found[folder(at)];
      // A loader that reads everything at once refuses the whole dataset because of a few rows.
      const both = said === 'refuses_rows' ? ['refuses_rows', 'refuses_set'] : [said];
      expect(both, why).toContain(does);
    },
  );
});
