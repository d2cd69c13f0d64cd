import { significant } from '#core';
import { parseObjectLabels } from '../../artifact-schemas.ts';
import { boxIou } from '../../vision/detection.ts';
import { buildEvidence, type Fault, type ReviewTest } from '../review-test.ts';

/** Minimum IoU of boxes two frames apart that count as a stationary object. */
const stationaryIou = 0.5;
/** Minimum IoU of the box between them. */
const betweenIou = 0.3;

/** Tests that an object detected at the same place before and after a frame is detected in that frame. */
export const boxesDoNotFlicker: ReviewTest = {
  id: 'boxes_do_not_flicker',
  layer: 'object_labels',
  description:
    'an object detected at the same place in the frame before and the frame after is also detected in the frame between',
  run: (artifact) => {
    const frames = parseObjectLabels(artifact)?.frames ?? [];
    const faults: Fault[] = [];
    let checked = 0;
    for (let at = 1; at + 1 < frames.length; at++) {
      const [before, now, after] = [frames[at - 1], frames[at], frames[at + 1]];
      if (before.camera !== now.camera || now.camera !== after.camera) continue;
      for (const { label, box } of before.boxes) {
        const isIn = (boxes: typeof before.boxes, minIou: number) =>
          boxes.some((one) => one.label === label && boxIou(one.box, box) >= minIou);
        if (!isIn(after.boxes, stationaryIou)) continue;
        checked++;
        if (isIn(now.boxes, betweenIou)) continue;
        faults.push({
          message: `${label} is missing at ${now.time_s} s in ${now.camera}, but detected in the frames before and after`,
          moment: { camera: now.camera, time_s: now.time_s },
        });
      }
    }
    if (checked === 0) return 'no object stays at the same place for three frames';
    return buildEvidence(
      checked,
      faults,
      'run the layer object_labels again with a lower confidence_floor, or another detection model',
      { seen_between_fraction: significant(1 - faults.length / checked, 4) },
    );
  },
};

/** Tolerance for rounded corners. */
const tolerance_px = 1;

/** Tests that boxes have an area and lie inside the picture. */
export const boxesInsidePicture: ReviewTest = {
  id: 'boxes_inside_picture',
  layer: 'object_labels',
  description: 'every box has a positive area and lies inside its image',
  run: (artifact) => {
    const frames = parseObjectLabels(artifact)?.frames ?? [];
    if (frames.length === 0) return 'no frames were processed';
    const faults: Fault[] = [];
    let boxes = 0;
    for (const { camera, time_s, width_px, height_px, boxes: frameBoxes } of frames) {
      boxes += frameBoxes.length;
      const moment = { camera, time_s };
      for (const { label, box } of frameBoxes) {
        const [left, top, width, height] = box;
        const isInside =
          left >= -tolerance_px &&
          top >= -tolerance_px &&
          left + width <= width_px + tolerance_px &&
          top + height <= height_px + tolerance_px;
        if (!(width > 0 && height > 0))
          faults.push({ message: `the box of ${label} has no area at ${time_s} s in ${camera}`, moment });
        else if (!isInside)
          faults.push({
            message: `the box of ${label} extends beyond the image at ${time_s} s in ${camera}`,
            moment,
          });
      }
    }
    if (boxes === 0) return 'no objects were detected';
    return buildEvidence(boxes, faults, 'run the layer object_labels again with a higher confidence_floor');
  },
};
