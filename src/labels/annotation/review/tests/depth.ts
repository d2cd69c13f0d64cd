import type { z } from 'zod';
import { significant } from '#core';
import { depthArtifactSchema } from '../../artifact-schemas.ts';
import { buildEvidence, type Fault, isSingleOutlier, lowerMedian, type ReviewTest } from '../review-test.ts';

/** Minimum fraction of pixels with depth. */
const minFilledFraction = 0.1;
/** Measuring range of depth cameras. */
const range_m = { min: 0.01, max: 1000 } as const;

type Camera = z.infer<typeof depthArtifactSchema>['cameras'][number];

/** Tests that depth maps are filled, not flat and, if metric, within the range of depth cameras. */
export const depthInRange: ReviewTest = {
  id: 'depth_in_range',
  layer: 'depth',
  description:
    'at least 10 % of the pixels have a depth, maps are not constant, and metric depth is between 1 cm and 1 km',
  run: (artifact) => {
    const faults: Fault[] = [];
    const filled: number[] = [];
    for (const { camera, unit, frames } of depthArtifactSchema.parse(artifact).cameras)
      for (const frame of frames) {
        filled.push(frame.with_depth_fraction);
        const fault = findFault(frame, unit);
        if (fault === null) continue;
        const { time_s } = frame;
        faults.push({
          message: `the depth map at ${time_s} s in ${camera} ${fault}`,
          moment: { camera, time_s },
        });
      }
    if (filled.length === 0) return 'no depth maps';
    return buildEvidence(
      filled.length,
      faults,
      'check the unit and the encoding of the depth stream, or estimate depth with another model',
      { median_with_depth_fraction: significant(lowerMedian(filled), 4) },
    );
  },
};

function findFault(
  { with_depth_fraction, quantiles }: Camera['frames'][number],
  unit: string | null,
): string | null {
  if (with_depth_fraction < minFilledFraction)
    return `has depth for only ${significant(100 * with_depth_fraction, 3)} % of its pixels`;
  if (quantiles == null) return null;
  const { p02, p98 } = quantiles;
  if (p02 === p98) return `is constant: nearly all values are ${p02}`;
  if (unit === 'm' && p02 < range_m.min) return `has depths below ${range_m.min} m: ${p02} m`;
  if (unit === 'm' && p98 > range_m.max) return `has depths above ${range_m.max} m: ${p98} m`;
  return null;
}

/** Ratio of median depths between neighbouring frames that counts as a jump. */
const depthJumpRatio = 1.5;

/** Tests that the median depth does not jump for a single frame. */
export const depthSteady: ReviewTest = {
  id: 'depth_steady',
  layer: 'depth',
  description: 'the median depth does not jump to 1.5 times or 2/3 of its value for a single frame',
  run: (artifact) => {
    const faults: Fault[] = [];
    let checked = 0;
    for (const { camera, unit, frames } of depthArtifactSchema.parse(artifact).cameras) {
      // Depth without a unit has a different scale in each frame.
      if (unit === null) continue;
      for (let at = 1; at + 1 < frames.length; at++) {
        const medians = [at - 1, at, at + 1].map((one) => frames[one].quantiles?.p50 ?? null);
        if (medians.includes(null)) continue;
        const three = medians as unknown as readonly [number, number, number];
        checked++;
        if (!isSingleOutlier(three, depthJumpRatio)) continue;
        const { time_s } = frames[at];
        const [before, now] = three;
        faults.push({
          message: `the median depth jumps to ${now} ${unit} at ${time_s} s in ${camera}, from ${before} ${unit} before and about the same after`,
          moment: { camera, time_s },
        });
      }
    }
    if (checked === 0) return 'no camera has three consecutive depth maps with a unit';
    return buildEvidence(checked, faults, 'exclude these frames, or run the layer depth again');
  },
};
