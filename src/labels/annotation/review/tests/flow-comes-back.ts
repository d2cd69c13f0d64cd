import { z } from 'zod';
import { significant } from '#core';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { medianOf } from '../there-and-back.ts';

const numbers = z.array(z.number());
const knownFlow = z.object({
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

/** Of the pixels that stay in the picture, so many must lead back to where they came from. */
const least = 0.5;

export const flowComesBack: ReviewTest = {
  id: 'flow_comes_back',
  layer: 'optical_flow',
  says: 'forward and backward flow agree to a pixel for half of the pixels that stay in the picture',
  run: (artifact) => {
    const faults: Fault[] = [];
    const shares: number[] = [];
    let apart_s = 0;
    for (const { camera, pairs } of knownFlow.parse(artifact).cameras)
      for (const [at, from_s] of pairs.from_s.entries()) {
        const stays = 1 - pairs.left_fraction[at];
        const share = stays > 0 ? Math.min(1, pairs.consistent_fraction[at] / stays) : 0;
        shares.push(share);
        if (share >= least) continue;
        apart_s = Math.max(apart_s, pairs.to_s[at] - from_s);
        faults.push({
          says: `${Math.round(100 * share)} % of the pixels lead back, from ${from_s} s to ${pairs.to_s[at]} s in ${camera}`,
          at: { camera, time_s: from_s },
        });
      }
    if (shares.length === 0) return 'no two frames were compared';
    return evidenceOf(
      shares.length,
      faults,
      `run the layer optical_flow again with a higher sample_hz: frames are up to ${significant(apart_s, 3)} s apart`,
      {
        least_consistent_fraction: significant(Math.min(...shares), 4),
        median_consistent_fraction: significant(medianOf(shares), 4),
      },
    );
  },
};
