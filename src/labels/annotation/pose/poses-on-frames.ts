import { clamp, type JsonObject, significant } from '#core';
import { type Box, overlap } from '../detection/boxes.ts';
import type { LaneContext, LaneFrame } from '../lane.ts';
import { micro } from '../micro.ts';
import { CameraNotes } from '../pictures/camera-notes.ts';

/** How poses of one sort are looked for, and written down. */
interface PoseSearch<P extends Pose> {
  readonly bones: readonly Bone[];
  /** Points in px of the frame. */
  readonly find: (frame: LaneFrame) => Promise<readonly P[]>;
  /** What the artifact holds of a frame; points in px of the stored picture. */
  readonly write: (found: readonly P[]) => JsonObject;
}

/** What sampled frames show. */
interface PosesFound {
  readonly cameras: ReturnType<CameraNotes['json']>;
  readonly frames: readonly JsonObject[];
  readonly count: number;
  /** As `BoneSteadiness`; null: none is seen in two frames one after the other. */
  readonly quality: number | null;
}

/** Looks for poses on every frame that a lane is given. Throws where none could be had, as `CameraNotes`. */
export async function posesOnFrames<P extends Pose>(
  context: Pick<LaneContext, 'frames' | 'signal'>,
  { bones, find, write }: PoseSearch<P>,
): Promise<PosesFound> {
  const notes = new CameraNotes();
  const steadiness = new BoneSteadiness(bones);
  const frames: JsonObject[] = [];
  let count = 0;
  for await (const batch of context.frames()) {
    if (notes.add(batch)) steadiness.forget();
    for (const frame of batch.frames) {
      context.signal.throwIfAborted();
      const found = (await find(frame)).map((pose) => stored(pose, frame));
      steadiness.add(found);
      count += found.length;
      frames.push({ ...placeOf(frame), ...write(found) });
    }
  }
  notes.demandFrames();
  const { value } = steadiness;
  return { cameras: notes.json(), frames, count, quality: value === null ? null : significant(value, 4) };
}

const stored = <P extends Pose>(pose: P, frame: LaneFrame): P => ({
  ...pose,
  points: pose.points.map((point) => storedPoint(point, frame)),
});

const placeOf = ({ camera, row, time_s, stored_px: [width_px, height_px] }: LaneFrame): JsonObject => ({
  ...{ camera, row, time_s: micro(time_s), width_px, height_px },
});

/** Places of two points that a bone is between. */
type Bone = readonly [number, number];

/** From where two poses of neighbouring frames are taken for one. */
const sameOne = 0.3;
/** Bones keep their length where the middle one changes by less than that share, whatever comes nearer or turns. */
const keeps = 0.25;

/** How far poses can be trusted: mean confidence times the share of those whose bones keep their length in the next frame. */
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

  /** The frames that come next are of another camera, or frames lie between that nobody saw. */
  forget(): void {
    this.#before = [];
  }

  add(poses: readonly Pose[]): void {
    for (const pose of poses) {
      this.#seen++;
      this.#scores += pose.score;
      const box = boxAround(pose.points);
      const before = this.#before.find(({ points }) => overlap(boxAround(points), box) >= sameOne);
      if (before === undefined) continue;
      this.#followed++;
      if (this.#change(before, pose) < keeps) this.#steady++;
    }
    this.#before = poses;
  }

  /** Null: none is seen in two frames one after the other. */
  get value(): number | null {
    if (this.#followed === 0) return null;
    return ((this.#scores / this.#seen) * this.#steady) / this.#followed;
  }

  #change(from: Pose, to: Pose): number {
    const shares = this.#bones.map((bone) => {
      const [before, now] = [lengthOf(from, bone), lengthOf(to, bone)];
      return Math.abs(now - before) / Math.max(before, now, 1e-9);
    });
    return shares.sort((a, b) => a - b)[shares.length >> 1];
  }
}

const lengthOf = ({ points }: Pose, [a, b]: Bone): number =>
  Math.hypot(points[a][0] - points[b][0], points[a][1] - points[b][1]);

export type Point = readonly [x: number, y: number];

/** Points of a hand or a body, in px of the frame that a model was shown, or of the stored picture. */
export interface Pose {
  /** 0 to 1. */
  readonly score: number;
  readonly points: readonly Point[];
}

/** The smallest box around points. */
export function boxAround(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** A point of the frame in px of the stored picture, at its edge where it lies outside. */
export const storedPoint = (
  [x, y]: Point,
  { width_px, height_px, stored_px: [width, height] }: LaneFrame,
): Point => [clamp((x * width) / width_px, 0, width), clamp((y * height) / height_px, 0, height)];

/** To a tenth of a px. */
export const tenths = (values: readonly number[]): number[] => values.map((px) => Math.round(10 * px) / 10);
