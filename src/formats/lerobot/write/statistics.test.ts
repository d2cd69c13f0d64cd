import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeStatistics, type FeatureStatistics, StatisticsPool } from './statistics.ts';

const row = fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 }));
const episodes = fc.array(fc.array(row, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 });
const flat = (rows: readonly (readonly number[])[]) => Float64Array.from(rows.flat());

function pooled(all: readonly FeatureStatistics[]): FeatureStatistics | undefined {
  const pool = new StatisticsPool();
  for (const action of all) pool.add({ action });
  return pool.result().action;
}

describe('statistics of a set', () => {
  it('are those of all its rows, as far as episodes tell them', () => {
    fc.assert(
      fc.property(episodes, (all) => {
        const whole = computeStatistics(all.map(flat), 2);
        const own = pooled(all.map((rows) => ({ ...computeStatistics([flat(rows)], 2) }))) ?? {};
        expect(own.count).toEqual(whole.count);
        expect(own.min).toEqual(whole.min);
        expect(own.max).toEqual(whole.max);
        for (const name of ['mean', 'std'] as const)
          for (const [dim, value] of (own[name] as number[]).entries())
            expect(value).toBeCloseTo(whole[name][dim], 8);
      }),
    );
  });

  it('weigh quantiles by the rows of the episodes', () => {
    fc.assert(
      fc.property(episodes, (all) => {
        const each = all.map((rows) => computeStatistics([flat(rows)], 2));
        const own = pooled(each.map((one) => ({ ...one })))?.q10 as number[];
        const total = each.reduce((sum, { count }) => sum + count[0], 0);
        for (const [dim, value] of own.entries()) {
          const wanted = each.reduce((sum, { q10, count }) => sum + q10[dim] * count[0], 0) / total;
          expect(value).toBeCloseTo(wanted, 8);
        }
      }),
    );
  });

  it('keep the shape of pictures, and leave out what an episode lacks', () => {
    const picture = (mean: number, count: number) => ({
      mean: [[[mean]], [[mean]], [[mean]]],
      std: [[[0]], [[0]], [[0]]],
      count: [count],
      ...(mean > 0.5 ? { q50: [[[mean]], [[mean]], [[mean]]] } : {}),
    });
    const own = pooled([picture(0.25, 2), picture(0.75, 2)]);
    expect(own?.mean).toEqual([[[0.5]], [[0.5]], [[0.5]]]);
    expect(own).not.toHaveProperty('q50');
    expect(own).not.toHaveProperty('min');
    expect(pooled([{}])).toBeUndefined();
  });
});
