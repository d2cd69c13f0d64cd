import { overlap } from '../detection/boxes.ts';
import { boxAround, type Pose } from './pose.ts';

/** Places of two points that a bone is between. */
export type Bone = readonly [number, number];

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
