import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clamp, significant } from './numbers.ts';

describe('significant', () => {
  it('keeps six digits and drops the rest', () => {
    expect(significant(1 / 3)).toBe(0.333333);
    expect(significant(123456789)).toBe(123457000);
    expect(significant(-2.00000049)).toBe(-2);
    expect(significant(0.1 + 0.2)).toBe(0.3);
    expect(significant(30000 / 1001)).toBe(29.97);
  });

  it('keeps at most the requested number of digits at any magnitude', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-290, max: 1e290 }), (value) => {
        const digits = String(significant(value))
          .replace(/e.*/, '')
          .replace(/\D/g, '')
          .replace(/^0+|0+$/g, '');
        expect(digits.length).toBeLessThanOrEqual(6);
        expect(Math.abs(significant(value) - value)).toBeLessThanOrEqual(Math.abs(value) * 5.1e-6);
      }),
    );
  });

  it('rounding again changes nothing', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(significant(significant(value))).toBe(significant(value));
      }),
    );
  });

  it('returns no negative zero and leaves values unchanged that are not finite', () => {
    expect(Object.is(significant(-0), 0)).toBe(true);
    expect(significant(Number.NaN)).toBeNaN();
    expect(significant(Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe('clamp', () => {
  it('keeps values inside the bounds and moves others to them', () => {
    expect([clamp(-1, 0, 2), clamp(1, 0, 2), clamp(3, 0, 2)]).toEqual([0, 1, 2]);
  });
});
