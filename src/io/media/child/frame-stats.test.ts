import { describe, expect, it } from 'vitest';
import {
  blockMeans,
  differenceHash,
  frameStats,
  type Luma,
  laplacianVariance,
  meanDifference,
  reduceLuma,
  reduceToGrid,
} from './frame-stats.ts';

function luma(width: number, height: number, at: (x: number, y: number) => number): Luma {
  const data = Uint8Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width)));
  return { width, height, data };
}

describe('statistics of a frame', () => {
  it('are those of its histogram', () => {
    const stats = frameStats(luma(40, 20, (x) => (x < 10 ? 16 : x < 30 ? 100 : 240)));
    expect(stats.luma_mean).toBeCloseTo((16 + 200 + 240) / 4, 6);
    expect(stats.luma_std).toBeCloseTo(Math.sqrt((16 ** 2 + 2 * 100 ** 2 + 240 ** 2) / 4 - 114 ** 2), 4);
    expect(stats.dark_ratio).toBe(0.25);
    expect(stats.bright_ratio).toBe(0.25);
  });

  it('call a flat picture without sharpness and a chequered one sharp', () => {
    expect(laplacianVariance(luma(50, 50, () => 90))).toBe(0);
    expect(laplacianVariance(luma(50, 50, (x, y) => x + y))).toBe(0);
    expect(laplacianVariance(luma(50, 50, (x, y) => ((x + y) % 2) * 255))).toBeCloseTo((4 * 255) ** 2, -4);
    expect(laplacianVariance(luma(2, 2, () => 1))).toBe(0);
  });

  it('blur lowers sharpness', () => {
    const edge = luma(64, 64, (x) => (x < 32 ? 20 : 220));
    const soft = luma(64, 64, (x) => 20 + 200 / (1 + Math.exp(-(x - 32) / 4)));
    expect(laplacianVariance(soft)).toBeLessThan(0.05 * laplacianVariance(edge));
  });

  it('measure the difference of two pictures, and of pictures of two sizes none', () => {
    expect(
      meanDifference(
        luma(10, 10, () => 7),
        luma(10, 10, (x) => (x < 5 ? 9 : 4)),
      ),
    ).toBe(2.5);
    expect(
      meanDifference(
        luma(10, 10, () => 7),
        luma(10, 11, () => 7),
      ),
    ).toBeNaN();
  });

  it('hash a picture by where it gets brighter, whatever its size and brightness', () => {
    const rising = differenceHash(luma(90, 80, (x) => 2 * x));
    expect(rising).toEqual({ high: 0xffffffff, low: 0xffffffff });
    expect(differenceHash(luma(90, 80, (x) => 200 - 2 * x))).toEqual({ high: 0, low: 0 });
    expect(differenceHash(luma(45, 40, (x) => 40 + 3 * x))).toEqual(rising);
  });
});

describe('the grid of a frame', () => {
  it('holds the mean of each of its 64 blocks, row by row', () => {
    const picture = luma(80, 160, (x, y) => 3 * Math.floor(x / 10) + 20 * Math.floor(y / 20));
    expect([...reduceToGrid(blockMeans(picture))]).toEqual(
      Array.from({ length: 64 }, (_, i) => 3 * (i % 8) + 20 * (i >> 3)),
    );
  });
});

describe('reducing', () => {
  it('leaves small pictures alone and takes means of blocks of larger ones', () => {
    const small = luma(320, 10, (x) => x & 255);
    expect(reduceLuma(small)).toBe(small);
    const half = reduceLuma(luma(640, 480, (x) => (x % 2 === 0 ? 100 : 110)));
    expect([half.width, half.height]).toEqual([320, 240]);
    expect(new Set(half.data)).toEqual(new Set([105]));
    const large = reduceLuma(luma(1920, 1080, (x, y) => (x + y) % 6));
    expect([large.width, large.height]).toEqual([320, 180]);
    expect(new Set(large.data)).toEqual(new Set([3]));
    expect(reduceLuma(luma(1000, 1, () => 50))).toMatchObject({ width: 250, height: 1 });
  });
});
