import type { z } from 'zod';
import { significant } from '#core';
import { knownDepth } from '../../known/known-depth.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { medianOf } from '../there-and-back.ts';

/** A frame must have a depth for this share of its pixels. */
const leastFraction = 0.1;
/** No camera for depth measures nearer or farther. */
const range_m = { least: 0.01, most: 1000 } as const;

type Camera = z.infer<typeof knownDepth>['cameras'][number];

export const depthInRange: ReviewTest = {
  id: 'depth_in_range',
  layer: 'depth',
  says: 'maps have a depth for a tenth of their pixels, are not flat, and lie from 1 cm to 1 km where they have a unit',
  run: (artifact) => {
    const faults: Fault[] = [];
    const filled: number[] = [];
    for (const { camera, unit, frames } of knownDepth.parse(artifact).cameras)
      for (const frame of frames) {
        filled.push(frame.with_depth_fraction);
        const fault = faultOf(frame, unit);
        if (fault === null) continue;
        const { time_s } = frame;
        faults.push({ says: `the map at ${time_s} s in ${camera} ${fault}`, at: { camera, time_s } });
      }
    if (filled.length === 0) return 'there is no depth map';
    return evidenceOf(
      filled.length,
      faults,
      'look at the unit and the encoding of the depth stream, or estimate depth by another model',
      { median_with_depth_fraction: significant(medianOf(filled), 4) },
    );
  },
};

function faultOf(
  { with_depth_fraction, quantiles }: Camera['frames'][number],
  unit: string | null,
): string | null {
  if (with_depth_fraction < leastFraction)
    return `has a depth for ${significant(100 * with_depth_fraction, 3)} % of its pixels`;
  if (quantiles == null) return null;
  const { p02, p98 } = quantiles;
  if (p02 === p98) return `is flat: nearly all of it is ${p02}`;
  if (unit === 'm' && p02 < range_m.least) return `is nearer than ${range_m.least} m: ${p02} m`;
  if (unit === 'm' && p98 > range_m.most) return `reaches farther than ${range_m.most} m: ${p98} m`;
  return null;
}
