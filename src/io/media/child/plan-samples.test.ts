import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSamples, range } from './plan-samples.ts';

function span(
  count: number,
  group: number,
  bytes: (i: number) => number = (i) => (i % group === 0 ? 2000 + i : 400),
) {
  return {
    count,
    key: Uint8Array.from({ length: count }, (_, i) => (i % group === 0 ? 1 : 0)),
    bytes: Int32Array.from({ length: count }, (_, i) => bytes(i)),
    pixels: 320 * 240,
  };
}

describe('which frames are decoded first', () => {
  it('all of a short span, and of a somewhat longer one when key frames are rare', () => {
    expect(planSamples(span(20, 2))).toEqual(range(0, 20));
    expect(planSamples(span(100, 100))).toEqual(range(0, 100));
    expect(planSamples(span(100, 2)).length).toBeLessThan(30);
  });

  it('few of a clean span, from its beginning to its end, as pairs', () => {
    const chosen = planSamples(span(300, 2));
    expect(chosen.length).toBeLessThan(30);
    expect(chosen.slice(0, 2)).toEqual([0, 1]);
    expect(chosen.slice(-2)).toEqual([298, 299]);
    const gaps = chosen.slice(1).map((at, i) => at - chosen[i]);
    expect(Math.max(...gaps)).toBeLessThan(60);
  });

  it('behind key frames only, where these are rare', () => {
    const chosen = planSamples(span(1000, 250));
    for (const at of chosen) expect(at % 250).toBeLessThan(25);
  });

  it('more of a long span', () => {
    expect(planSamples(span(20_000, 2)).length).toBeGreaterThan(60);
    expect(planSamples(span(20_000, 2)).length).toBeLessThan(200);
  });

  it('those with packets far smaller than usual', () => {
    const frozen = planSamples(span(300, 2, (i) => (i % 2 === 0 ? 2000 + i : i > 121 && i < 141 ? 12 : 400)));
    expect(frozen.some((at) => at > 121 && at < 141 && at % 2 === 1)).toBe(true);
    const blank = planSamples(span(300, 2, (i) => (i === 46 ? 150 : i % 2 === 0 ? 2000 + i : 400)));
    expect(blank).toContain(46);
    const same = planSamples(span(300, 1, (i) => (i === 77 ? 3076 : 3000 + i)));
    expect(same).toContain(77);
    expect(same).toContain(76);
  });

  it('never one outside the span, none twice, always in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3000 }),
        fc.integer({ min: 1, max: 400 }),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 50 }),
        (count, group, sizes) => {
          const chosen = planSamples(span(count, group, (i) => sizes[i % sizes.length]));
          for (let i = 0; i < chosen.length; i++) {
            if (chosen[i] < 0 || chosen[i] >= count || (i > 0 && chosen[i] <= chosen[i - 1])) return false;
          }
          return true;
        },
      ),
    );
  });
});
