import { describe, expect, it } from 'vitest';
import { seededRandom } from '#core';
import { computeMedian, computeSpread } from './numeric.ts';

describe('robust statistics', () => {
  it('give the middle value as sorting would, and leave the input as it was', () => {
    const random = seededRandom(7);
    for (const count of [1, 2, 3, 10, 101, 1000]) {
      const values = Array.from({ length: count }, () => Math.round(random.between(-20, 20)));
      const before = [...values];
      const sorted = values.toSorted((a, b) => a - b);
      const middle = (sorted[(count - 1) >> 1] + sorted[count >> 1]) / 2;
      expect(computeMedian(values)).toBe(middle);
      expect(values).toEqual(before);
    }
  });

  it('are NaN without values and tolerate a value that is not a number', () => {
    expect(computeMedian([])).toBeNaN();
    expect(computeMedian([3, Number.NaN, 1, 2, 4])).toBe(3);
  });

  it('are not widened by an outlier', () => {
    expect(computeSpread([1, 2, 3, 4, 1e9])).toBeCloseTo(1.4826, 4);
  });
});
