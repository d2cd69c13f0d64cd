import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assess } from '#engine/local';
import { exportDataset, verifyExport } from '#engine/local/export';
import { temporaryFolder } from '#test/support/lerobot-set';
import { lerobotPython, peersPython } from '#test/support/peers';
import { readEverything } from '#test/support/read-dataset';
import { askScript, type Libraries } from './python-worker.ts';

const data = join(import.meta.dirname, '../../../shared/data');
const hands = join(data, 'images/coco-cobot-hands');
const bottle = join(data, 'lerobot-v21-g1-bottle');

async function seenBy(libraries: Libraries, ...args: string[]): Promise<Record<string, unknown>> {
  return (await askScript(libraries, 'export_pictures.py', ...args)).pictures;
}

async function exported(source: string, format: 'image-folder' | 'coco-detection', options = {}) {
  const folder = join(await temporaryFolder(), 'export');
  await exportDataset(source, folder, { format, with_review: true, ...options });
  expect((await verifyExport(folder)).problems).toEqual([]);
  return folder;
}

/** Returns the labels of each image of the source, as read by its reader, by the SHA-256 of the file. */
async function labelsOf(source: string) {
  const { sets } = await readEverything(source);
  return Object.fromEntries(
    sets[0].episodes.map(({ id, labels }) => {
      const digest = createHash('sha256')
        .update(readFileSync(join(source, id)))
        .digest('hex');
      return [digest, (labels ?? []).map(({ category, box_px }) => [category, ...(box_px ?? [])])];
    }),
  );
}

async function decisions(path: string) {
  const result = await assess(path);
  await result.close();
  return result.verdicts.map(({ decision }) => decision).sort();
}

describe.skipIf(!existsSync(hands))('pictures of a real COCO set', () => {
  it.skipIf(!peersPython)(
    'as COCO are read by pycocotools with their bytes and boxes, and judged as before',
    async () => {
      const folder = await exported(hands, 'coco-detection');
      expect(await seenBy('peers', 'coco', folder)).toEqual(await labelsOf(hands));
      expect(await decisions(folder)).toEqual(await decisions(hands));
    },
    120_000,
  );

  it.skipIf(!lerobotPython)(
    'as a folder are read by torchvision and datasets with their bytes and labels',
    async () => {
      const folder = await exported(hands, 'image-folder');
      const truth = await labelsOf(hands);
      const classes = Object.fromEntries(
        Object.entries(truth).map(([digest, [[category]]]) => [digest, category]),
      );
      expect(await seenBy('lerobot', 'torchvision', folder)).toEqual(classes);
      const rows = await seenBy('lerobot', 'datasets', folder, await temporaryFolder());
      expect(Object.keys(rows).sort()).toEqual(Object.keys(truth).sort());
      for (const [digest, row] of Object.entries(rows))
        expect(row).toMatchObject({ objects: { bbox: truth[digest].map(([, ...box]) => box) } });
    },
    120_000,
  );
});

describe.skipIf(!existsSync(bottle) || !peersPython)('frames of a real LeRobot set', () => {
  it('become pictures, as many a second as are asked for', async () => {
    const folder = await exported(bottle, 'coco-detection', { only: ['1'], rate_hz: 2 });
    const frames = Object.values(await seenBy('peers', 'coco', folder));
    expect(frames).toEqual(Array.from({ length: 27 }, () => []));
  }, 120_000);
});
