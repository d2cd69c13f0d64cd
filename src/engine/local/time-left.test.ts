import { describe, expect, it } from 'vitest';
import { TimeEstimator } from './progress.ts';

/** What is said at each tenth of a second of work that takes `total_s`, of which `shareAt` is done by then. */
function said(total_s: number, shareAt: (at_s: number) => number) {
  const left = new TimeEstimator();
  return Array.from({ length: total_s * 10 }, (_, tick) => {
    const at_s = tick / 10;
    const share = shareAt(at_s);
    return { at_s, share, left_s: left.estimate(at_s, share), true_s: total_s - at_s };
  });
}

describe('time left', () => {
  it('is not told in the first seconds', () => {
    for (const { at_s, left_s } of said(100, (at_s) => at_s / 100)) if (at_s < 2) expect(left_s).toBeNull();
  });

  it('is within a factor of two after the first tenth, also where episodes come in batches', () => {
    for (const batch of [1, 16, 40]) {
      const shareAt = (at_s: number) => Math.floor((at_s * 4) / batch) * (batch / 480);
      for (const { share, left_s, true_s } of said(120, shareAt)) {
        if (share < 0.1 || share > 0.9) continue;
        expect(left_s).toBeGreaterThan(true_s / 2);
        expect(left_s).toBeLessThan(true_s * 2);
      }
    }
  });

  it('forgets a fast beginning', () => {
    // Half of it was kept from before and is there at once.
    const shareAt = (at_s: number) => (at_s < 1 ? at_s / 2 : 0.5 + (0.5 * (at_s - 1)) / 99);
    for (const { at_s, left_s, true_s } of said(100, shareAt)) {
      if (at_s < 8) continue;
      expect(left_s).toBeGreaterThan(true_s / 2);
      expect(left_s).toBeLessThan(true_s * 2);
    }
  });
});
