import { type JsonObject, significant } from '#core';
import type { LaneContext, LaneFrame } from '../lane.ts';
import { micro } from '../micro.ts';
import { CameraNotes } from '../pictures/camera-notes.ts';
import { type Bone, BoneSteadiness } from './bone-steadiness.ts';
import { type Pose, storedPoint } from './pose.ts';

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
