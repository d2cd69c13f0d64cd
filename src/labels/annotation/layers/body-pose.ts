import { AssayError, significant } from '#core';
import { layerTitles } from '#core/titles';
import type { ModelSession, PictureContract } from '#labels/models';
import { numberKnob } from '../knob.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart } from '../lane.ts';
import {
  countSampledPictures,
  type LayerRow,
  noPicturesReason,
  onDemandModes,
  sampledFrames,
} from '../layer.ts';
import { type Box, boxIou, openDetector, requireFloatOutput } from '../vision/detection.ts';
import {
  inputSide,
  type Placement,
  pictureTensor,
  placeLetterboxed,
  placeRotated,
  toPicture,
} from '../vision/picture-tensor.ts';
import {
  bodyKeypoints,
  boundingBox,
  findPosesOnFrames,
  limbs,
  type Pose,
  roundTenths,
} from '../vision/poses.ts';

/** Finds 17 keypoints of each person on sampled frames, in px of the recorded picture. */
const lane: Lane = {
  version: 1,
  run: async (_, context) => {
    const { model, detector, findPeople } = await openBodyModel(context);
    const minScore = Number(context.config.confidence_floor);
    const { cameras, frames, count, quality } = await findPosesOnFrames<PersonPose>(context, {
      bones: limbs,
      find: (frame) => findPeople(frame, minScore),
      write: (found) => ({ people: found.map(personJson) }),
    });
    const json = {
      ...{ cameras, confidence_floor: minScore, detector, frames, keypoints: bodyKeypoints, model },
      schema: 'assay/body-pose/v1',
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, people: count },
      quality,
      quality_reason: quality === null ? 'no person is visible in two consecutive frames' : null,
    };
  },
};

/** The body pose layer. */
export const bodyPose: LayerRow = {
  id: 'body_pose',
  title: layerTitles.body_pose,
  produces: '17 keypoints of each visible person on sampled frames',
  needs: {
    signals: false,
    frames: sampledFrames(640),
    layers: [],
    models: [{ surface: 'body_pose' }, { surface: 'detection' }],
  },
  unfit: {
    teleop: 'people are not the subject of teleoperation recordings',
    'aerial-flight': 'people in aerial images are too small for keypoints',
    'state-only': noPicturesReason,
  },
  quality: {
    signal: 'steady_confidence',
    how: 'mean keypoint confidence times the fraction of people whose limb lengths stay constant between frames',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: onDemandModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 5], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    confidence_floor: numberKnob([0, 1, 0.3], null, { summary: 'minimum confidence' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.12 * countSampledPictures(size, sample_hz),
  lane,
};

/**
 * Builds the artifact entry of a person; each keypoint has x, y and its confidence, which is low for hidden points.
 */
const personJson = ({ score, scores, points }: PersonPose) => ({
  box: roundTenths(boundingBox(points)),
  keypoints: points.map((point, at) => [...roundTenths(point), significant(scores[at], 3)]),
  score: significant(score, 4),
});

/** A person in px of the frame; `score` is the mean of the keypoint scores. */
interface PersonPose extends Pose {
  readonly scores: readonly number[];
}

interface BodyModel {
  /** Registry ids of the keypoint model and of the person detector. */
  readonly model: string;
  readonly detector: string;
  /** Returns people whose mean keypoint confidence is at least `minScore`, highest first. */
  readonly findPeople: (frame: LaneFrame, minScore: number) => Promise<readonly PersonPose[]>;
}

/** Minimum detector score of a person box; keypoint confidence filters further. */
const minPersonScore = 0.25;
const maxPeople = 6;
const cropScale = 1.25;
const samePersonIou = 0.6;

/**
 * Opens the body pose model and the person detector.
 * @throws `layer_unavailable` if no supported body pose model can run here.
 */
async function openBodyModel(context: LaneContext): Promise<BodyModel> {
  const session = await context.model('body_pose');
  const contract = session?.contract;
  if (!session || contract?.form !== 'movenet')
    throw new AssayError('layer_unavailable', 'no supported body pose model is available here', {
      advice: 'run assay models list to see the available models',
    });
  const detector = await openDetector(context);
  const side_px = inputSide(session, contract);
  return {
    model: session.model,
    detector: detector.model,
    findPeople: async (frame, minScore) => {
      const boxes = (await detector.detect(frame, minPersonScore)).filter(({ label }) => label === 'person');
      const placements = boxes.slice(0, maxPeople).map(({ box }) => cropAround(box, frame, side_px));
      // Without a detection, try the whole picture: one person may fill it.
      if (placements.length === 0) placements.push(placeLetterboxed(frame, side_px));
      const all: PersonPose[] = [];
      for (const placement of placements) all.push(await estimatePose(session, contract, frame, placement));
      const findPeople: PersonPose[] = [];
      for (const body of all.sort((a, b) => b.score - a.score)) {
        const box = boundingBox(body.points);
        const isNew = findPeople.every((other) => boxIou(boundingBox(other.points), box) <= samePersonIou);
        if (body.score >= minScore && isNew) findPeople.push(body);
      }
      return findPeople;
    },
  };
}

/** Returns the square model input around a box; `box` is in px of the recorded picture. */
function cropAround(
  [left, top, width, height]: Box,
  { width_px, height_px, stored_px }: LaneFrame,
  side_px: number,
): Placement {
  const [across, down] = [width_px / stored_px[0], height_px / stored_px[1]];
  const middle = [(left + width / 2) * across, (top + height / 2) * down] as const;
  return placeRotated(middle, cropScale * Math.max(width * across, height * down), 0, side_px);
}

/** Runs MoveNet on a square. Its output rows are y, x (fractions of the square) and confidence. */
async function estimatePose(
  session: ModelSession,
  contract: PictureContract,
  frame: LaneFrame,
  placement: Placement,
): Promise<PersonPose> {
  const input = pictureTensor(frame, placement, contract, { layout: 'rows', type: 'int32' });
  const rows = requireFloatOutput(session, await session.run({ input }), 'Identity');
  const { side_px } = placement;
  const scores = Array.from({ length: 17 }, (_, at) => rows[3 * at + 2]);
  const points = scores.map((_, at) =>
    toPicture(placement, [rows[3 * at + 1] * side_px, rows[3 * at] * side_px]),
  );
  return { score: scores.reduce((sum, one) => sum + one, 0) / scores.length, scores, points };
}
