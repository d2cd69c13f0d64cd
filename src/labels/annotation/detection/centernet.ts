import { pictureTensor, sideOf } from '../pictures/picture-tensor.ts';
import { inPicture, stretched } from '../pictures/placement.ts';
import { cocoClasses } from './coco-classes.ts';
import { type DetectorForm, floatsOf, type RawDetection } from './detector.ts';

/** Rows of left, top, right, bottom, score and class, in px of the square. */
export const centernet: DetectorForm = {
  classes: cocoClasses,
  detect: async (session, contract, picture, floor) => {
    const placement = stretched(picture, sideOf(session, contract));
    const pixels = pictureTensor(picture, placement, contract, { layout: 'rows' });
    const outputs = await session.run({ 'tower_0/images': pixels });
    const rows = floatsOf(session, outputs, 'tower_0/detections');
    const found: RawDetection[] = [];
    for (let at = 0; at + 6 <= rows.length; at += 6) {
      const [x0, y0, x1, y1, score, type] = rows.subarray(at, at + 6);
      const label = cocoClasses[Math.round(type)];
      if (!(score >= floor) || label === undefined) continue;
      const corners = [...inPicture(placement, [x0, y0]), ...inPicture(placement, [x1, y1])] as const;
      found.push({ label, score, corners });
    }
    return found;
  },
};
