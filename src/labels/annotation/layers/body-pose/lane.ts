import { AssayError, significant } from '#core';
import type { ModelContract, ModelSession } from '#labels/models';
import { type Box, floatsOf, overlap } from '../../detection/boxes.ts';
import { openDetector } from '../../detection/open-detector.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart } from '../../lane.ts';
import { pictureTensor, sideOf } from '../../pictures/picture-tensor.ts';
import { inPicture, letterboxed, type Placement, turnedSquare } from '../../pictures/placement.ts';
import { boxAround, type Pose, posesOnFrames, tenths } from '../../pose/poses-on-frames.ts';
import { bodyPoints, limbs } from './body-points.ts';

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

/** A person in px of the frame; `score` is the mean of the points' own. */
interface Body extends Pose {
  readonly scores: readonly number[];
}

interface BodyModel {
  /** Ids in the registry: of the points, and of what finds people. */
  readonly model: string;
  readonly detector: string;
  /** People from a mean confidence of their points on, the surest first. */
  readonly people: (frame: LaneFrame, floor: number) => Promise<readonly Body[]>;
}

/** From here on a box of a person is looked at; its points tell whether one is there. */
const least = 0.25;
const mostPeople = 6;
const around = 1.25;
const samePerson = 0.6;

/** Throws `layer_unavailable` where no model for bodies can be run here. */
async function openBodyModel(context: LaneContext): Promise<BodyModel> {
  const session = await context.model('body_pose');
  const contract = session?.contract;
  if (!session || contract?.form !== 'movenet')
    throw new AssayError('layer_unavailable', 'no model for bodies that this version reads can be run here', {
      advice: 'assay models list says which can',
    });
  const detector = await openDetector(context);
  const side_px = sideOf(session, contract);
  return {
    model: session.model,
    detector: detector.model,
    people: async (frame, floor) => {
      const boxes = (await detector.detect(frame, least)).filter(({ label }) => label === 'person');
      const places = boxes.slice(0, mostPeople).map(({ box }) => squareAround(box, frame, side_px));
      // Where nobody is found, one may fill the picture.
      if (places.length === 0) places.push(letterboxed(frame, side_px));
      const all: Body[] = [];
      for (const place of places) all.push(await lookAt(session, contract, frame, place));
      const kept: Body[] = [];
      for (const body of all.sort((a, b) => b.score - a.score)) {
        const box = boxAround(body.points);
        const isNew = kept.every((other) => overlap(boxAround(other.points), box) <= samePerson);
        if (body.score >= floor && isNew) kept.push(body);
      }
      return kept;
    },
  };
}

/** `box` is in px of the stored picture. */
function squareAround(
  [left, top, width, height]: Box,
  { width_px, height_px, stored_px }: LaneFrame,
  side_px: number,
): Placement {
  const [across, down] = [width_px / stored_px[0], height_px / stored_px[1]];
  const middle = [(left + width / 2) * across, (top + height / 2) * down] as const;
  return turnedSquare(middle, around * Math.max(width * across, height * down), 0, side_px);
}

/** Rows of y, x and confidence, places as shares of the square. */
async function lookAt(
  session: ModelSession,
  contract: ModelContract,
  frame: LaneFrame,
  placement: Placement,
): Promise<Body> {
  const input = pictureTensor(frame, placement, contract, { layout: 'rows', type: 'int32' });
  const rows = floatsOf(session, await session.run({ input }), 'Identity');
  const { side_px } = placement;
  const scores = Array.from({ length: 17 }, (_, at) => rows[3 * at + 2]);
  const points = scores.map((_, at) =>
    inPicture(placement, [rows[3 * at + 1] * side_px, rows[3 * at] * side_px]),
  );
  return { score: scores.reduce((sum, one) => sum + one, 0) / scores.length, scores, points };
}
