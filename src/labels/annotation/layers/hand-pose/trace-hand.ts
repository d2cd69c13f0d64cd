import type { ModelContract, ModelSession } from '#labels/models';
import type { Box } from '../../detection/boxes.ts';
import { floatsOf } from '../../detection/detector.ts';
import { pictureTensor, sideOf } from '../../pictures/picture-tensor.ts';
import { inPicture, type Picture, type Placement, turnedSquare } from '../../pictures/placement.ts';
import { boxAround, type Point, type Pose } from '../../pose/pose.ts';

/** A hand; `right`: how much it is taken for a right one, 0 to 1. */
export interface Hand extends Pose {
  readonly right: number;
}

/** A square of so many sides of what is found around a hand: points are sought with room around them. */
const around = { box: 1.6, points: 1.7 } as const;
/** Under it a second look does not help. */
const hopeless = 0.1;
const [wrist, middleKnuckle] = [0, 9];

/** The points of a hand in a box: looked for upright, then in a square turned so that the fingers point up. */
export async function traceHand(
  session: ModelSession,
  contract: ModelContract,
  picture: Picture,
  box: Box,
): Promise<Hand> {
  const side_px = sideOf(session, contract);
  const look = (placement: Placement) => lookAt(session, contract, picture, placement);
  const first = await look(squareAround(box, around.box, 0, side_px));
  if (first.score < hopeless) return first;
  const turned = ({ points }: Hand) =>
    squareAround(boxAround(points), around.points, angleOf(points), side_px);
  const second = await look(turned(first));
  return second.score >= first.score / 2 ? second : first;
}

function squareAround(box: Box, extent: number, angle_rad: number, side_px: number): Placement {
  const [left, top, width, height] = box;
  const middle = [left + width / 2, top + height / 2] as const;
  return turnedSquare(middle, Math.max(width, height) * extent, angle_rad, side_px);
}

/** How far the hand is turned clockwise from fingers up. */
function angleOf(points: readonly Point[]): number {
  const [from, to] = [points[wrist], points[middleKnuckle]];
  return Math.atan2(to[1] - from[1], to[0] - from[0]) + Math.PI / 2;
}

async function lookAt(
  session: ModelSession,
  contract: ModelContract,
  picture: Picture,
  placement: Placement,
): Promise<Hand> {
  const pixels = pictureTensor(picture, placement, contract, { layout: 'rows' });
  const outputs = await session.run({ input_1: pixels });
  const values = floatsOf(session, outputs, 'Identity');
  return {
    score: floatsOf(session, outputs, 'Identity_1')[0],
    right: floatsOf(session, outputs, 'Identity_2')[0],
    points: Array.from({ length: 21 }, (_, at) => inPicture(placement, [values[3 * at], values[3 * at + 1]])),
  };
}
