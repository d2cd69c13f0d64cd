import { AssayError, significant } from '#core';
import type { ModelContract, ModelSession } from '#labels/models';
import { type Box, floatsOf, overlap } from '../../detection/boxes.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart } from '../../lane.ts';
import { pictureTensor, sideOf } from '../../pictures/picture-tensor.ts';
import { inPicture, type Picture, type Placement, turnedSquare } from '../../pictures/placement.ts';
import { boxAround, type Point, type Pose, posesOnFrames, tenths } from '../../pose/poses-on-frames.ts';
import { findHands } from './find-hands.ts';
import { handBones, handPoints } from './hand-points.ts';

/** 21 points of each hand on sampled frames, in px of the recording. */
export const lane: Lane = {
  version: 1,
  requires: ['hand_pose'],
  run: async (_, context) => {
    const { model, hands } = await openHandModel(context);
    const limits = {
      floor: Number(context.config.confidence_floor),
      most: Number(context.config.max_hands),
    };
    const { cameras, frames, count, quality } = await posesOnFrames<Hand>(context, {
      bones: handBones,
      find: (frame) => hands(frame, limits),
      write: (found) => ({ hands: found.map(handJson) }),
    });
    const json = {
      ...{ cameras, confidence_floor: limits.floor, frames, keypoints: handPoints, model },
      schema: 'assay/hand-pose/v1',
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, hands: count },
      quality,
      quality_reason: quality === null ? 'no hand is seen in two frames one after the other' : null,
    };
  },
};

const handJson = ({ score, right, points }: Hand) => ({
  box: tenths(boxAround(points)),
  handedness: right > 0.5 ? 'right' : 'left',
  handedness_score: significant(Math.max(right, 1 - right), 4),
  keypoints: points.map((point) => tenths(point)),
  score: significant(score, 4),
});

interface HandModel {
  /** Its id in the registry. */
  readonly model: string;
  /** Hands in px of the frame, the surest first. */
  readonly hands: (
    frame: LaneFrame,
    limits: { readonly floor: number; readonly most: number },
  ) => Promise<readonly Hand[]>;
}

/** Hands whose points overlap more are one. */
const sameHand = 0.5;
/** Places that are looked at for each hand that is wanted. */
const looks = 2;

/** Throws `layer_unavailable` where no model for hands can be run here. */
async function openHandModel(context: LaneContext): Promise<HandModel> {
  const detector = await context.model('hand_pose', 'detector');
  const landmarks = await context.model('hand_pose', 'landmarks');
  const contract = detector?.contract;
  if (!detector || !landmarks || contract?.form !== 'hand-crops')
    throw new AssayError('layer_unavailable', 'no model for hands that this version reads can be run here', {
      advice: 'assay models list says which can',
    });
  return {
    model: detector.model,
    hands: async (frame, { floor, most }) => {
      const all: Hand[] = [];
      for (const box of await findHands(detector, contract, frame, looks * most))
        all.push(await traceHand(landmarks, contract, frame, box));
      const kept: Hand[] = [];
      for (const hand of all.sort((a, b) => b.score - a.score)) {
        if (kept.length >= most || !(hand.score >= floor)) break;
        const box = boxAround(hand.points);
        if (kept.every((other) => overlap(boxAround(other.points), box) <= sameHand)) kept.push(hand);
      }
      return kept;
    },
  };
}

/** A hand; `right`: how much it is taken for a right one, 0 to 1. */
interface Hand extends Pose {
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
