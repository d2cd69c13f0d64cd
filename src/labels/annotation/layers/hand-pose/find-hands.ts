import type { ModelContract, ModelSession } from '#labels/models';
import { type Box, floatsOf, overlap } from '../../detection/boxes.ts';
import { pictureTensor, sideOf } from '../../pictures/picture-tensor.ts';
import { inPicture, letterboxed, type Picture } from '../../pictures/placement.ts';

/** `hand`, `fist`, `pinch` and `point`; a face, and tips of fingers, are none. */
const handClasses = [0, 1, 2, 3] as const;
const classes = 7;
/** From here on a box is looked at more closely: what is no hand is told there. */
const least = 0.1;
/** Boxes that overlap more are one hand. */
const sameHand = 0.3;

/** Where hands may be, in px of the picture, the surest first. */
export async function findHands(
  session: ModelSession,
  contract: ModelContract,
  picture: Picture,
  most: number,
): Promise<readonly Box[]> {
  const placement = letterboxed(picture, sideOf(session, contract));
  const { side_px } = placement;
  const plain = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
  const pixels = pictureTensor(picture, placement, plain, { layout: 'rows', type: 'int32' });
  const outputs = await session.run({ input_tensor: pixels });
  const scores = floatsOf(session, outputs, 'StatefulPartitionedCall/Postprocessor/Slice');
  const boxes = floatsOf(session, outputs, 'StatefulPartitionedCall/Postprocessor/ExpandDims_1');
  const found: { readonly score: number; readonly box: Box }[] = [];
  for (let at = 0; at < boxes.length / 4; at++) {
    const score = Math.max(...handClasses.map((type) => scores[classes * at + type]));
    if (!(score >= least)) continue;
    const [top, left, bottom, right] = boxes.subarray(4 * at, 4 * at + 4).map((share) => share * side_px);
    const [x0, y0] = inPicture(placement, [left, top]);
    const [x1, y1] = inPicture(placement, [right, bottom]);
    found.push({ score, box: [x0, y0, x1 - x0, y1 - y0] });
  }
  const kept: Box[] = [];
  for (const { box } of found.sort((a, b) => b.score - a.score)) {
    if (kept.length >= most) break;
    if (kept.every((other) => overlap(other, box) <= sameHand)) kept.push(box);
  }
  return kept;
}
