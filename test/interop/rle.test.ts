import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { encodeRle, type Mask } from '../../src/labels/annotation/vision/outliner.ts';
import { onPeers, peersPython } from '../support/peers.ts';
import { askScript } from './python-worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-interop-rle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Placed {
  readonly mask: Mask;
  readonly width_px: number;
  readonly height_px: number;
}

/** Ellipses, noise, nothing and everything, within pictures up to the size of a film. */
function masksOfChance(seed: number, count: number): readonly Placed[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const [width_px, height_px] = at === 0 ? [1920, 1080] : [random.integer(1, 200), random.integer(1, 200)];
    const [left, top] = [random.integer(0, width_px - 1), random.integer(0, height_px - 1)];
    const [width, height] = [random.integer(1, width_px - left), random.integer(1, height_px - top)];
    const share = [0, 0.01, 0.5, 0.99, 1][at % 5];
    const isInside = (x: number, y: number) =>
      at % 2 === 0
        ? ((2 * x) / width - 1) ** 2 + ((2 * y) / height - 1) ** 2 <= 1
        : random.between(0, 1) < share;
    const bits = Uint8Array.from({ length: width * height }, (_, place) =>
      Number(isInside(place % width, Math.floor(place / width))),
    );
    return { mask: { left, top, width, height, bits }, width_px, height_px };
  });
}

/** All of the picture, a digit a pixel, rows from the top. */
function wholeOf({ mask: { left, top, width, height, bits }, width_px, height_px }: Placed): string {
  const all = new Uint8Array(width_px * height_px).fill(48);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      all[(top + row) * width_px + left + column] += bits[row * width + column];
  return Buffer.from(all).toString('latin1');
}

describe.skipIf(!peersPython)(onPeers('run lengths beside pycocotools'), () => {
  it('are the same, byte by byte', async () => {
    const masks = masksOfChance(18, 200);
    const file = join(folder, 'masks.json');
    const given = masks.map((one) => ({ size: [one.height_px, one.width_px], bits: wholeOf(one) }));
    writeFileSync(file, JSON.stringify(given));
    const ours = masks.map(({ mask, ...size }) => encodeRle(mask, size).counts);
    expect(ours).toEqual(await askScript('peers', 'rle.py', file));
    expect(new Set(ours).size).toBeGreaterThan(150);
  });
});
