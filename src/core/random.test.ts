import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';

describe('seeded randomness', () => {
  it('gives the same numbers for the same seed and others for another', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(1).every((value) => value >= 0 && value < 1)).toBe(true);
  });

  it('spreads as its names say', () => {
    const random = seededRandom(3);
    const normals = Array.from({ length: 4000 }, () => random.normal());
    const mean = normals.reduce((sum, value) => sum + value, 0) / normals.length;
    expect(Math.abs(mean)).toBeLessThan(0.06);
    const integers = new Set(Array.from({ length: 400 }, () => random.integer(2, 4)));
    expect([...integers].sort()).toEqual([2, 3, 4]);
    expect(['a', 'b']).toContain(random.pick(['a', 'b']));
    expect(random.between(5, 6)).toBeGreaterThanOrEqual(5);
  });
});
