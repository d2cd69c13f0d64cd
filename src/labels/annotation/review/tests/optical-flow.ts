import { z } from 'zod';
import { significant } from '#core';
import { buildEvidence, type Fault, lowerMedian, type ReviewTest } from '../review-test.ts';

const numbers = z.array(z.number());
const flowSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      pairs: z.object({
        from_s: numbers,
        to_s: numbers,
        consistent_fraction: numbers,
        left_fraction: numbers,
      }),
    }),
  ),
});

/** Minimum consistent fraction of the pixels that stay in the picture. */
const minConsistentFraction = 0.5;

/** Tests that forward and backward flow agree. */
export const flowComesBack: ReviewTest = {
  id: 'flow_comes_back',
  layer: 'optical_flow',
  description:
    'forward and backward flow agree to within one pixel for at least half of the pixels that stay in the image',
  run: (artifact) => {
    const faults: Fault[] = [];
    const shares: number[] = [];
    let apart_s = 0;
    for (const { camera, pairs } of flowSchema.parse(artifact).cameras)
      for (const [at, from_s] of pairs.from_s.entries()) {
        const stays = 1 - pairs.left_fraction[at];
        const share = stays > 0 ? Math.min(1, pairs.consistent_fraction[at] / stays) : 0;
        shares.push(share);
        if (share >= minConsistentFraction) continue;
        apart_s = Math.max(apart_s, pairs.to_s[at] - from_s);
        faults.push({
          message: `forward and backward flow agree for only ${Math.round(100 * share)} % of the pixels, from ${from_s} s to ${pairs.to_s[at]} s in ${camera}`,
          moment: { camera, time_s: from_s },
        });
      }
    if (shares.length === 0) return 'no two frames were compared';
    return buildEvidence(
      shares.length,
      faults,
      `run the layer optical_flow again with a higher sample_hz: frames are up to ${significant(apart_s, 3)} s apart`,
      {
        least_consistent_fraction: significant(Math.min(...shares), 4),
        median_consistent_fraction: significant(lowerMedian(shares), 4),
      },
    );
  },
};
