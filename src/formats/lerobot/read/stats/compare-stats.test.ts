import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { compareStatistics } from './compare-stats.ts';

const dims = 3;
const rows = 400;

/** A swinging dimension, one far from zero that hardly moves, and one that never does. */
function sample(): Float32Array {
  const random = seededRandom(3);
  const values = new Float32Array(rows * dims);
  for (let i = 0; i < rows; i++)
    values.set([40 * Math.sin(i / 9), 1000 + 1e-3 * random.normal(), 0.1], i * dims);
  return values;
}

/** As LeRobot 0.4.4 computes them: sums in float32, the variance as mean(x²) − mean(x)². */
function inFloat32(values: Float32Array) {
  const f = Math.fround;
  const each = (of: (column: readonly number[]) => number) =>
    Array.from({ length: dims }, (_, d) => of(Array.from({ length: rows }, (_, i) => values[i * dims + d])));
  const meanOf = (column: readonly number[]) => f(column.reduce((sum, value) => f(sum + value), 0) / rows);
  return {
    min: each((column) => Math.min(...column)),
    max: each((column) => Math.max(...column)),
    mean: each(meanOf),
    std: each((column) => {
      const mean = meanOf(column);
      return f(Math.sqrt(Math.max(0, f(meanOf(column.map((value) => f(value * value))) - f(mean * mean)))));
    }),
    count: rows,
  };
}

describe('statistics of an episode', () => {
  const values = sample();
  const sound = inFloat32(values);

  it('agree with the rows however float32 rounded them', () => {
    expect(compareStatistics(values, dims, sound)).toBeNull();
    // The variance of a constant far from zero is rounding alone.
    expect(sound.std[1]).not.toBeCloseTo(1e-3, 4);
  });

  it('agree where they are exact, or of a sample', () => {
    const std = sound.std.map((value) => value * Math.sqrt(rows / (rows - 1)));
    expect(compareStatistics(values, dims, { ...sound, std: [std[0], 1e-3, 0] })).toBeNull();
  });

  it.each([
    ['count', { count: rows + 12 }, -1],
    ['min', { min: [-40.001, sound.min[1], 0.1] }, 0],
    ['max', { max: [sound.max[0], sound.max[1] + 0.01, sound.max[2]] }, 1],
    ['mean', { mean: [sound.mean[0] + 0.01, sound.mean[1], sound.mean[2]] }, 0],
    ['std', { std: [sound.std[0] * 1.002, sound.std[1], 0] }, 0],
    ['std', { std: [Number.NaN, 0, 0] }, 0],
    ['dimensions', { mean: [0, 0] }, -1],
  ])('are told where %s is another', (statistic, wrong, dimension) => {
    expect(compareStatistics(values, dims, { ...sound, ...wrong })).toMatchObject({ statistic, dimension });
  });

  it('are left alone where rows hold NaN, which is told as that', () => {
    const holed = values.slice();
    holed[9 * dims] = Number.NaN;
    expect(compareStatistics(holed, dims, { ...sound, min: [5, 5, 5] })).toBeNull();
  });
});
