import { readObjects } from '../../grammar/known-objects.ts';
import { evidenceOf, type Fault, type ReviewTest } from '../review-test.ts';

/** A box may reach out by what rounding of its corners takes. */
const tolerance_px = 1;

export const boxesInsidePicture: ReviewTest = {
  id: 'boxes_inside_picture',
  layer: 'object_labels',
  says: 'every box has an area and lies inside the picture that it was found in',
  run: (artifact) => {
    const frames = readObjects(artifact)?.frames ?? [];
    if (frames.length === 0) return 'no frame was looked at';
    const faults: Fault[] = [];
    let boxes = 0;
    for (const { camera, time_s, width_px, height_px, boxes: own } of frames) {
      boxes += own.length;
      const at = { camera, time_s };
      for (const { label, box } of own) {
        const [left, top, width, height] = box;
        const isInside =
          left >= -tolerance_px &&
          top >= -tolerance_px &&
          left + width <= width_px + tolerance_px &&
          top + height <= height_px + tolerance_px;
        if (!(width > 0 && height > 0))
          faults.push({ says: `${label} has no area at ${time_s} s in ${camera}`, at });
        else if (!isInside)
          faults.push({ says: `${label} reaches out of the picture at ${time_s} s in ${camera}`, at });
      }
    }
    if (boxes === 0) return 'no box was found';
    return evidenceOf(boxes, faults, 'run the layer object_labels again with a higher confidence_floor');
  },
};
