import { significant } from '#core';
import { overlap } from '../../detection/boxes.ts';
import { readObjects } from '../../grammar/known-objects.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';

/** Boxes of two frames that are taken for one object that stays. */
const samePlace = 0.5;
/** From where a box between them is taken for the same. */
const confirms = 0.3;

export const boxesDoNotFlicker: ReviewTest = {
  id: 'boxes_do_not_flicker',
  layer: 'object_labels',
  says: 'an object that is at one place in the frames before and after is there in the one between them',
  run: (artifact) => {
    const frames = readObjects(artifact)?.frames ?? [];
    const faults: Fault[] = [];
    let looked = 0;
    for (let at = 1; at + 1 < frames.length; at++) {
      const [before, now, after] = [frames[at - 1], frames[at], frames[at + 1]];
      if (before.camera !== now.camera || now.camera !== after.camera) continue;
      for (const { label, box } of before.boxes) {
        const isIn = (boxes: typeof before.boxes, least: number) =>
          boxes.some((one) => one.label === label && overlap(one.box, box) >= least);
        if (!isIn(after.boxes, samePlace)) continue;
        looked++;
        if (isIn(now.boxes, confirms)) continue;
        faults.push({
          says: `${label} is not seen at ${now.time_s} s in ${now.camera}, and is there before and after`,
          at: { camera: now.camera, time_s: now.time_s },
        });
      }
    }
    if (looked === 0) return 'no object stays at one place over three frames';
    return evidenceOf(
      looked,
      faults,
      'run the layer object_labels again with a lower confidence_floor, or another model for detection',
      { seen_between_fraction: significant(1 - faults.length / looked, 4) },
    );
  },
};
