import { pictureTensor, sideOf } from '../pictures/picture-tensor.ts';
import { inPicture, stretched } from '../pictures/placement.ts';
import { cocoByCategory, cocoClasses } from './coco-classes.ts';
import { type DetectorForm, floatsOf, type RawDetection } from './detector.ts';

/**
 * The family of DETR whose classes are told apart by sigmoids (RT-DETR, D-FINE, RF-DETR): for each query a logit a class,
 * 80 in COCO's order or 91 by COCO's own numbers, and a box as centre and size in shares of the picture.
 */
export const detr: DetectorForm = {
  classes: cocoClasses,
  detect: async (session, contract, picture, floor) => {
    const placement = stretched(picture, sideOf(session, contract));
    const { side_px } = placement;
    const pixels = pictureTensor(picture, placement, contract, { layout: 'planes' });
    const outputs = await session.run({ pixel_values: pixels });
    const logits = floatsOf(session, outputs, 'logits');
    const boxes = floatsOf(session, outputs, 'pred_boxes');
    const queries = boxes.length / 4;
    const width = logits.length / queries;
    const names = width === cocoByCategory.length ? cocoByCategory : cocoClasses;
    const found: RawDetection[] = [];
    for (let query = 0; query < queries; query++) {
      const best = bestOf(logits.subarray(query * width, (query + 1) * width), names);
      if (best === null || !(best.score >= floor)) continue;
      const [x, y, w, h] = boxes.subarray(4 * query, 4 * query + 4).map((share) => share * side_px);
      const corners = [
        ...inPicture(placement, [x - w / 2, y - h / 2]),
        ...inPicture(placement, [x + w / 2, y + h / 2]),
      ] as const;
      found.push({ ...best, corners });
    }
    return found;
  },
};

/** The class that a query speaks for most. */
function bestOf(
  logits: Float32Array,
  names: readonly (string | null)[],
): Pick<RawDetection, 'label' | 'score'> | null {
  let best = -1;
  for (const [at, name] of names.entries())
    if (name !== null && logits[at] > (best < 0 ? Number.NEGATIVE_INFINITY : logits[best])) best = at;
  const label = best < 0 ? null : names[best];
  return label === null ? null : { label, score: 1 / (1 + Math.exp(-logits[best])) };
}
