import { AssayError, significant } from '#core';
import { layerTitles } from '#core/titles';
import type { ModelSession, PictureContract } from '#labels/models';
import { integerKnob, numberKnob } from '../knob.ts';
import { type Lane, type LaneContext, type LaneFrame, mainPart } from '../lane.ts';
import { allModes, countSampledPictures, type LayerRow, noPicturesReason, sampledFrames } from '../layer.ts';
import { type Box, boxIou, requireFloatOutput } from '../vision/detection.ts';
import {
  inputSide,
  type Picture,
  type Placement,
  pictureTensor,
  placeLetterboxed,
  placeRotated,
  toPicture,
} from '../vision/picture-tensor.ts';
import {
  boundingBox,
  findPosesOnFrames,
  handBones,
  handKeypoints,
  type Point,
  type Pose,
  roundTenths,
} from '../vision/poses.ts';

/** Finds 21 keypoints of each hand on sampled frames, in px of the recorded picture. */
const lane: Lane = {
  version: 1,
  run: async (_, context) => {
    const { model, detectHands } = await openHandModel(context);
    const limits = {
      floor: Number(context.config.confidence_floor),
      most: Number(context.config.max_hands),
    };
    const { cameras, frames, count, quality } = await findPosesOnFrames<HandPose>(context, {
      bones: handBones,
      find: (frame) => detectHands(frame, limits),
      write: (found) => ({ hands: found.map(handJson) }),
    });
    const json = {
      ...{ cameras, confidence_floor: limits.floor, frames, keypoints: handKeypoints, model },
      schema: 'assay/hand-pose/v1',
    };
    return {
      parts: [{ name: mainPart, media_type: 'application/json', json }],
      counts: { frames: frames.length, hands: count },
      quality,
      quality_reason: quality === null ? 'no hand is visible in two consecutive frames' : null,
    };
  },
};

/** The hand pose layer. */
export const handPose: LayerRow = {
  id: 'hand_pose',
  title: layerTitles.hand_pose,
  produces: '21 keypoints of each visible hand on sampled frames',
  needs: { signals: false, frames: sampledFrames(640), layers: [], models: [{ surface: 'hand_pose' }] },
  unfit: {
    teleop: 'the robot’s joint states already give the pose of its hand',
    'drive-log': 'no hands are visible in this kind of recording',
    'aerial-flight': 'no hands are visible in this kind of recording',
    'state-only': noPicturesReason,
  },
  quality: {
    signal: 'steady_confidence',
    how: 'mean keypoint confidence times the fraction of hands whose bone lengths stay constant between frames',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: allModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    sample_hz: numberKnob([0.1, 30, 5], 'hz', { summary: 'sampling rate of the frames', moves_cost: true }),
    confidence_floor: numberKnob([0, 1, 0.5], null, { summary: 'minimum confidence' }),
    max_hands: integerKnob([1, 4, 2], null, { summary: 'maximum number of hands per frame' }),
  },
  planned_compute_s: (size, { sample_hz }) => 0.1 * countSampledPictures(size, sample_hz),
  lane,
};

const handJson = ({ score, right, points }: HandPose) => ({
  box: roundTenths(boundingBox(points)),
  handedness: right > 0.5 ? 'right' : 'left',
  handedness_score: significant(Math.max(right, 1 - right), 4),
  keypoints: points.map((point) => roundTenths(point)),
  score: significant(score, 4),
});

interface HandModel {
  /** Model id in the registry. */
  readonly model: string;
  /** Returns hands in px of the frame, highest score first. */
  readonly detectHands: (
    frame: LaneFrame,
    limits: { readonly floor: number; readonly most: number },
  ) => Promise<readonly HandPose[]>;
}

/** Minimum IoU of keypoint boxes at which two poses count as one hand. */
const sameHandIou = 0.5;
/** Candidate boxes examined per requested hand. */
const candidatesPerHand = 2;

/**
 * Opens the hand detector and the hand landmark model.
 * @throws `layer_unavailable` if no supported hand model can run here.
 */
async function openHandModel(context: LaneContext): Promise<HandModel> {
  const detector = await context.model('hand_pose', 'detector');
  const landmarks = await context.model('hand_pose', 'landmarks');
  const contract = detector?.contract;
  if (!detector || !landmarks || contract?.form !== 'hand-crops')
    throw new AssayError('layer_unavailable', 'no supported hand pose model is available here', {
      advice: 'run assay models list to see the available models',
    });
  return {
    model: detector.model,
    detectHands: async (frame, { floor, most }) => {
      const all: HandPose[] = [];
      for (const box of await findHands(detector, contract, frame, candidatesPerHand * most))
        all.push(await estimateHandPose(landmarks, contract, frame, box));
      const detectHands: HandPose[] = [];
      for (const hand of all.sort((a, b) => b.score - a.score)) {
        if (detectHands.length >= most || !(hand.score >= floor)) break;
        const box = boundingBox(hand.points);
        if (detectHands.every((other) => boxIou(boundingBox(other.points), box) <= sameHandIou))
          detectHands.push(hand);
      }
      return detectHands;
    },
  };
}

/** A hand pose; `right` is the probability that it is a right hand, 0 to 1. */
interface HandPose extends Pose {
  readonly right: number;
}

/** Side of the input square, as a multiple of the longer side of the detected box or of the keypoint box. */
const cropScales = { box: 1.6, points: 1.7 } as const;
/** Below this score the second pass is skipped. */
const minFirstScore = 0.1;
const [wrist, middleKnuckle] = [0, 9];

/**
 * Estimates the keypoints and score of the hand in a box of a picture; a likely hand is estimated again with the
 * picture rotated so that the fingers point up. The second estimate is returned unless its score is less than half of
 * the first; a box without a hand gives a low score.
 */
export async function estimateHandPose(
  session: ModelSession,
  contract: PictureContract,
  picture: Picture,
  box: Box,
): Promise<HandPose> {
  const side_px = inputSide(session, contract);
  const run = (placement: Placement) => estimateLandmarks(session, contract, picture, placement);
  const first = await run(cropAround(box, cropScales.box, 0, side_px));
  if (first.score < minFirstScore) return first;
  const turned = ({ points }: HandPose) =>
    cropAround(boundingBox(points), cropScales.points, handAngle(points), side_px);
  const second = await run(turned(first));
  return second.score >= first.score / 2 ? second : first;
}

function cropAround(box: Box, extent: number, angle_rad: number, side_px: number): Placement {
  const [left, top, width, height] = box;
  const middle = [left + width / 2, top + height / 2] as const;
  return placeRotated(middle, Math.max(width, height) * extent, angle_rad, side_px);
}

/** Returns the clockwise rotation of the hand from fingers-up, in radians. */
function handAngle(points: readonly Point[]): number {
  const [from, to] = [points[wrist], points[middleKnuckle]];
  return Math.atan2(to[1] - from[1], to[0] - from[0]) + Math.PI / 2;
}

async function estimateLandmarks(
  session: ModelSession,
  contract: PictureContract,
  picture: Picture,
  placement: Placement,
): Promise<HandPose> {
  const pixels = pictureTensor(picture, placement, contract, { layout: 'rows' });
  const outputs = await session.run({ input_1: pixels });
  const values = requireFloatOutput(session, outputs, 'Identity');
  return {
    score: requireFloatOutput(session, outputs, 'Identity_1')[0],
    right: requireFloatOutput(session, outputs, 'Identity_2')[0],
    points: Array.from({ length: 21 }, (_, at) => toPicture(placement, [values[3 * at], values[3 * at + 1]])),
  };
}

/** Detector classes that are hands: `hand`, `fist`, `pinch` and `point`. The others are faces and fingertips. */
const handClasses = [0, 1, 2, 3] as const;
const classCount = 7;
/** Minimum detector score of a hand box; the landmark model filters further. */
const minHandScore = 0.1;
/** Minimum IoU at which two boxes count as one hand. */
const duplicateHandIou = 0.3;

/**
 * Detects hands and returns at most `max` boxes in px of the picture, highest score first, without duplicates; the
 * scores are left out.
 */
export async function findHands(
  session: ModelSession,
  contract: PictureContract,
  picture: Picture,
  max: number,
): Promise<readonly Box[]> {
  const placement = placeLetterboxed(picture, inputSide(session, contract));
  const { side_px } = placement;
  const plain = { mean: [0, 0, 0], deviation: [1, 1, 1] } as const;
  const pixels = pictureTensor(picture, placement, plain, { layout: 'rows', type: 'int32' });
  const outputs = await session.run({ input_tensor: pixels });
  const scores = requireFloatOutput(session, outputs, 'StatefulPartitionedCall/Postprocessor/Slice');
  const boxes = requireFloatOutput(session, outputs, 'StatefulPartitionedCall/Postprocessor/ExpandDims_1');
  const found: { readonly score: number; readonly box: Box }[] = [];
  for (let at = 0; at < boxes.length / 4; at++) {
    const score = Math.max(...handClasses.map((type) => scores[classCount * at + type]));
    if (!(score >= minHandScore)) continue;
    const [top, left, bottom, right] = boxes.subarray(4 * at, 4 * at + 4).map((share) => share * side_px);
    const [x0, y0] = toPicture(placement, [left, top]);
    const [x1, y1] = toPicture(placement, [right, bottom]);
    found.push({ score, box: [x0, y0, x1 - x0, y1 - y0] });
  }
  const kept: Box[] = [];
  for (const { box } of found.sort((a, b) => b.score - a.score)) {
    if (kept.length >= max) break;
    if (kept.every((other) => boxIou(other, box) <= duplicateHandIou)) kept.push(box);
  }
  return kept;
}
