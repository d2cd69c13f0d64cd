import { clamp, type JsonObject, significant } from '#core';
import { type LaneContext, type LaneFrame, roundToMicroseconds } from '../lane.ts';
import { type Box, boxIou } from './detection.ts';
import { CameraNotes } from './frame-selection.ts';

/** How to find one kind of pose and write it into the artifact. */
interface PoseSearch<P extends Pose> {
  readonly bones: readonly Bone[];
  /** Finds poses, with points in px of the frame. */
  readonly find: (frame: LaneFrame) => Promise<readonly P[]>;
  /** Returns the artifact entry of a frame, from points in px of the recorded picture. */
  readonly write: (found: readonly P[]) => JsonObject;
}

/** Poses found on sampled frames. */
interface PoseResults {
  readonly cameras: ReturnType<CameraNotes['json']>;
  readonly frames: readonly JsonObject[];
  readonly count: number;
  /** Value of `BoneSteadiness`; `null` if no pose has a successor in the next frame. */
  readonly quality: number | null;
}

/**
 * Finds poses on all frames of a lane with `find`, and returns artifact entries, the number of poses, and their
 * stability as quality (`null` if unknown); throws `unreadable_input` if there is no frame.
 */
export async function findPosesOnFrames<P extends Pose>(
  context: Pick<LaneContext, 'frames' | 'signal'>,
  { bones, find, write }: PoseSearch<P>,
): Promise<PoseResults> {
  const notes = new CameraNotes();
  const steadiness = new BoneSteadiness(bones);
  const frames: JsonObject[] = [];
  let count = 0;
  for await (const batch of context.frames()) {
    if (notes.add(batch)) steadiness.reset();
    for (const frame of batch.frames) {
      context.signal.throwIfAborted();
      const found = (await find(frame)).map((pose) => toStoredPose(pose, frame));
      steadiness.add(found);
      count += found.length;
      frames.push({ ...frameHeader(frame), ...write(found) });
    }
  }
  notes.requireFrames();
  const { value } = steadiness;
  return { cameras: notes.json(), frames, count, quality: value === null ? null : significant(value, 4) };
}

const toStoredPose = <P extends Pose>(pose: P, frame: LaneFrame): P => ({
  ...pose,
  points: pose.points.map((point) => toStoredPoint(point, frame)),
});

const frameHeader = ({ camera, row, time_s, stored_px: [width_px, height_px] }: LaneFrame): JsonObject => ({
  ...{ camera, row, time_s: roundToMicroseconds(time_s), width_px, height_px },
});

/** Indices of the two keypoints of a bone. */
type Bone = readonly [number, number];

/** Minimum IoU at which poses of consecutive frames count as the same. */
const samePoseIou = 0.3;
/** Maximum median relative length change of the bones of a stable pose, which allows for perspective and rotation. */
const maxLengthChange = 0.25;

/**
 * Measures pose stability: mean score times the fraction of poses whose bones keep their length in the next frame.
 */
export class BoneSteadiness {
  readonly #bones: readonly Bone[];
  #before: readonly Pose[] = [];
  #scores = 0;
  #seen = 0;
  #followed = 0;
  #steady = 0;

  constructor(bones: readonly Bone[]) {
    this.#bones = bones;
  }

  /** Starts a new sequence: the next frames are of another camera, or frames in between are missing. */
  reset(): void {
    this.#before = [];
  }

  /** Adds the poses of the next frame. */
  add(poses: readonly Pose[]): void {
    for (const pose of poses) {
      this.#seen++;
      this.#scores += pose.score;
      const box = boundingBox(pose.points);
      const before = this.#before.find(({ points }) => boxIou(boundingBox(points), box) >= samePoseIou);
      if (before === undefined) continue;
      this.#followed++;
      if (this.#change(before, pose) < maxLengthChange) this.#steady++;
    }
    this.#before = poses;
  }

  /** Mean score times stable fraction; `null` if no pose has a successor in the next frame. */
  get value(): number | null {
    if (this.#followed === 0) return null;
    return ((this.#scores / this.#seen) * this.#steady) / this.#followed;
  }

  #change(from: Pose, to: Pose): number {
    const shares = this.#bones.map((bone) => {
      const [before, now] = [boneLength(from, bone), boneLength(to, bone)];
      return Math.abs(now - before) / Math.max(before, now, 1e-9);
    });
    return shares.sort((a, b) => a - b)[shares.length >> 1];
  }
}

const boneLength = ({ points }: Pose, [a, b]: Bone): number =>
  Math.hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]);

/** A point in px. */
export type Point = readonly [x: number, y: number];

/** Keypoints of a hand or body, in px of the frame or of the recorded picture. */
export interface Pose {
  /** 0 to 1. */
  readonly score: number;
  readonly points: readonly Point[];
}

/** Returns the bounding box of points as left, top, width and height. There must be at least one point. */
export function boundingBox(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** Converts a point of the frame to px of the recorded picture, clamped to its edges. */
export const toStoredPoint = (
  [x, y]: Point,
  { width_px, height_px, stored_px: [width, height] }: LaneFrame,
): Point => [clamp((x * width) / width_px, 0, width), clamp((y * height) / height_px, 0, height)];

/** Rounds values to a tenth of a px. */
export const roundTenths = (values: readonly number[]): number[] =>
  values.map((px) => Math.round(10 * px) / 10);

/** Names of the 17 body keypoints, in COCO order. */
export const bodyKeypoints = [
  'nose',
  ...['eye', 'ear', 'shoulder', 'elbow', 'wrist', 'hip', 'knee', 'ankle'].flatMap((part) => [
    `left_${part}`,
    `right_${part}`,
  ]),
] as readonly string[];

/** Pairs of keypoint indices: arms, legs, shoulder line and hip line. */
export const limbs: readonly (readonly [number, number])[] = [
  ...([
    [5, 7],
    [7, 9],
    [6, 8],
    [8, 10],
  ] as const),
  ...([
    [11, 13],
    [13, 15],
    [12, 14],
    [14, 16],
  ] as const),
  ...([
    [5, 6],
    [11, 12],
  ] as const),
];

/** Names of the 21 hand keypoints, from wrist to fingertips. */
export const handKeypoints: readonly string[] = [
  'wrist',
  ...['thumb_cmc', 'thumb_mcp', 'thumb_ip', 'thumb_tip'],
  ...['index', 'middle', 'ring', 'pinky'].flatMap((finger) =>
    ['mcp', 'pip', 'dip', 'tip'].map((joint) => `${finger}_${joint}`),
  ),
];

/** Bones as pairs of keypoint indices, four per finger, from the wrist on. */
export const handBones: readonly (readonly [number, number])[] = [1, 5, 9, 13, 17].flatMap((first) => [
  [0, first] as const,
  ...[0, 1, 2].map((at) => [first + at, first + at + 1] as const),
]);
