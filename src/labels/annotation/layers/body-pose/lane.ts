import { significant } from '#core';
import { type Lane, mainPart } from '../../lane.ts';
import { boxAround, tenths } from '../../pose/pose.ts';
import { posesOnFrames } from '../../pose/poses-on-frames.ts';
import { bodyPoints, limbs } from './body-points.ts';
import { type Body, openBodyModel } from './open-body-model.ts';

/** 17 points of each person on sampled frames, in px of the recording. */
export const lane: Lane = {
  version: 1,
  requires: ['body_pose', 'detection'],
  run: async (_, context) => {
    const { model, detector, people } = await openBodyModel(context);
    const floor = Number(context.config.confidence_floor);
    const { cameras, frames, count, quality } = await posesOnFrames<Body>(context, {
      bones: limbs,
      find: (frame) => people(frame, floor),
      write: (found) => ({ people: found.map(personJson) }),
    });
    const json = {
      ...{ cameras, confidence_floor: floor, detector, frames, keypoints: bodyPoints, model },
      schema: 'assay/body-pose/v1',
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, people: count },
      quality,
      quality_reason: quality === null ? 'nobody is seen in two frames one after the other' : null,
    };
  },
};

/** Each point with its confidence; one that is hidden has little. */
const personJson = ({ score, scores, points }: Body) => ({
  box: tenths(boxAround(points)),
  keypoints: points.map((point, at) => [...tenths(point), significant(scores[at], 3)]),
  score: significant(score, 4),
});
