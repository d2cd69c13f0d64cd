import { knownDepth } from '../../known/known-depth.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { isOneOff } from '../there-and-back.ts';

/** By so much the middle of the depths changes for one frame. */
const jump = 1.5;

export const depthSteady: ReviewTest = {
  id: 'depth_steady',
  layer: 'depth',
  says: 'the median depth is at no frame half as much again as in those around it, or two thirds of it',
  run: (artifact) => {
    const faults: Fault[] = [];
    let looked = 0;
    for (const { camera, unit, frames } of knownDepth.parse(artifact).cameras) {
      // What has no unit has another scale in each frame.
      if (unit === null) continue;
      for (let at = 1; at + 1 < frames.length; at++) {
        const medians = [at - 1, at, at + 1].map((one) => frames[one].quantiles?.p50 ?? null);
        if (medians.includes(null)) continue;
        const three = medians as unknown as readonly [number, number, number];
        looked++;
        if (!isOneOff(three, jump)) continue;
        const { time_s } = frames[at];
        const [before, now] = three;
        faults.push({
          says: `the median depth is ${now} ${unit} at ${time_s} s in ${camera}, and ${before} ${unit} before and about that after`,
          at: { camera, time_s },
        });
      }
    }
    if (looked === 0) return 'no camera has three maps in a row with a unit';
    return evidenceOf(looked, faults, 'leave the frames out that are told, or run the layer depth again');
  },
};
