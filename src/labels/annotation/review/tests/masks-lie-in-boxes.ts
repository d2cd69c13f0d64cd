import { limits, significant } from '#core';
import type { Box } from '../../detection/boxes.ts';
import { readObjects } from '../../grammar/known-objects.ts';
import { knownMasks } from '../../known/known-masks.ts';
import { forEachPixel, type ReadRle } from '../../masks/read-rle.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';
import { medianOf } from '../there-and-back.ts';

/** Frames of two layers that are taken for one. */
const sameFrame_s = 0.02;
/** So much of a class lies within boxes of that class. */
const least = 0.5;

export const masksLieInBoxes: ReviewTest = {
  id: 'masks_lie_in_boxes',
  layer: 'segmentation',
  says: 'of each class, half of the pixels lie within boxes that object_labels has of it at the same frame',
  run: (artifact, { artifacts: { object_labels } }) => {
    if (object_labels === undefined) return 'the episode carries no object_labels to hold it against';
    const objects = readObjects(object_labels)?.frames ?? [];
    const faults: Fault[] = [];
    const shares: number[] = [];
    for (const { camera, time_s, width_px, height_px, labels } of knownMasks.parse(artifact).frames) {
      if (width_px * height_px > limits.recordings.picture_pixels.value) continue;
      const beside = objects.find(
        (one) => one.camera === camera && Math.abs(one.time_s - time_s) <= sameFrame_s,
      );
      for (const { label, rle } of beside === undefined ? [] : labels) {
        const boxes = beside!.boxes.filter((one) => one.label === label).map(({ box }) => box);
        // What one layer is sure of and the other is not says nothing of the outline.
        const share = boxes.length === 0 ? null : shareWithin(rle, boxes);
        if (share === null) continue;
        shares.push(share);
        if (share >= least) continue;
        const says = `${Math.round(100 * share)} % of ${label} lies within its boxes at ${time_s} s in ${camera}`;
        faults.push({ says, at: { camera, time_s } });
      }
    }
    if (shares.length === 0) return 'no frame has masks and boxes of one class';
    return evidenceOf(
      shares.length,
      faults,
      'run segmentation and object_labels again with one model for detection',
      { median_within_fraction: significant(medianOf(shares), 4) },
    );
  },
};

/** Null: the mask is empty. */
function shareWithin(rle: ReadRle, boxes: readonly Box[]): number | null {
  let [all, within] = [0, 0];
  forEachPixel(rle, (x, y) => {
    all++;
    const isIn = ([left, top, width, height]: Box) =>
      x + 0.5 >= left && x + 0.5 <= left + width && y + 0.5 >= top && y + 0.5 <= top + height;
    if (boxes.some(isIn)) within++;
  });
  return all === 0 ? null : within / all;
}
