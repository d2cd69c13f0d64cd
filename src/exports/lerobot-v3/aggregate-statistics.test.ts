import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregateStatistics } from './aggregate-statistics.ts';
import { poolStatistics } from './statistics.ts';

const row = fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 }));
const episodes = fc.array(fc.array(row, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 6 });
const flat = (rows: readonly (readonly number[])[]) => Float64Array.from(rows.flat());

describe('statistics of a set', () => {
  it('are those of all its rows, as far as episodes tell them', () => {
    fc.assert(
      fc.property(episodes, (all) => {
        const whole = poolStatistics(all.map(flat), 2);
        const pooled = aggregateStatistics(all.map((rows) => ({ ...poolStatistics([flat(rows)], 2) }))) ?? {};
        expect(pooled.count).toEqual(whole.count);
        expect(pooled.min).toEqual(whole.min);
        expect(pooled.max).toEqual(whole.max);
        for (const name of ['mean', 'std'] as const)
          for (const [dim, value] of (pooled[name] as number[]).entries())
            expect(value).toBeCloseTo(whole[name][dim], 8);
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
    const pooled = aggregateStatistics([picture(0.25, 2), picture(0.75, 2)]);
    expect(pooled?.mean).toEqual([[[0.5]], [[0.5]], [[0.5]]]);
    expect(pooled).not.toHaveProperty('q50');
    expect(pooled).not.toHaveProperty('min');
    expect(aggregateStatistics([{}])).toBeNull();
  });
});
