import { significant } from '#core';
import { type Lane, mainPart } from '../../lane.ts';
import { boxAround, tenths } from '../../pose/pose.ts';
import { posesOnFrames } from '../../pose/poses-on-frames.ts';
import { handBones, handPoints } from './hand-points.ts';
import { openHandModel } from './open-hand-model.ts';
import type { Hand } from './trace-hand.ts';

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
