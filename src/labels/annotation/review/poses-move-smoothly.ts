import { z } from 'zod';
import { significant } from '#core';
import type { LayerId } from '#core/api';
import { type Box, overlap } from '../detection/boxes.ts';
import { evidenceOf, type Fault, type ReviewTest } from './review-test.ts';
import { isThereAndBack, medianOf, neighbours_s, offWay } from './there-and-back.ts';

type Place = readonly [number, number];

const pose = z.object({
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  keypoints: z.array(z.tuple([z.number(), z.number()]).rest(z.number())),
});
type Pose = z.infer<typeof pose>;

const knownPoses = <Name extends string>(name: Name) =>
  z.object({
    frames: z.array(
      z.object({ camera: z.string(), time_s: z.number() }).and(z.record(z.literal(name), z.array(pose))),
    ),
  });

interface Poses {
  readonly layer: LayerId;
  /** Member of a frame that holds them. */
  readonly name: 'hands' | 'people';
  readonly one: string;
}

/** From where poses of neighbouring frames are taken for one. */
const sameOne = 0.3;

/** A test that points of a hand or a body do not leap off their way and back. */
export const posesMoveSmoothly = ({ layer, name, one }: Poses): ReviewTest => ({
  id: `${name}_move_smoothly`,
  layer,
  says: `no ${one} has half of its points a quarter of its size off their way for one frame`,
  run: (artifact) => {
    const { frames } = knownPoses(name).parse(artifact);
    const faults: Fault[] = [];
    const offs: number[] = [];
    for (let at = 1; at + 1 < frames.length; at++) {
      const [before, now, after] = [frames[at - 1], frames[at], frames[at + 1]];
      const isRow = before.camera === now.camera && now.camera === after.camera;
      if (!isRow || after.time_s - before.time_s > 2 * neighbours_s) continue;
      for (const own of now[name]) {
        const size_px = Math.hypot(own.box[2], own.box[3]);
        const around = [nearest(own, before[name]), nearest(own, after[name])] as const;
        if (around[0] === null || around[1] === null) continue;
        const ways = own.keypoints.map((_, point) => waysOf(point, around[0]!, own, around[1]!));
        offs.push(medianOf(ways.map((three) => offWay(three, size_px))));
        const leapt = ways.filter((three) => isThereAndBack(three, size_px)).length;
        if (2 * leapt < ways.length) continue;
        faults.push({
          says: `${leapt} of ${ways.length} points of a ${one} leap at ${now.time_s} s in ${now.camera}`,
          at: { camera: now.camera, time_s: now.time_s },
        });
      }
    }
    if (offs.length === 0) return `no ${one} is seen in three frames in a row`;
    const improvement = `run the layer ${layer} again with a higher confidence_floor, or another model`;
    return evidenceOf(offs.length, faults, improvement, {
      median_jitter_of_size: significant(medianOf(offs), 3),
    });
  },
});

const nearest = (own: Pose, others: readonly Pose[]): Pose | null =>
  others
    .filter(({ keypoints }) => keypoints.length === own.keypoints.length)
    .map((other) => ({ other, shared: overlap(own.box as Box, other.box as Box) }))
    .filter(({ shared }) => shared >= sameOne)
    .sort((a, b) => b.shared - a.shared)[0]?.other ?? null;

const waysOf = (point: number, ...poses: readonly [Pose, Pose, Pose]): readonly [Place, Place, Place] =>
  poses.map(({ keypoints: all }): Place => [all[point][0], all[point][1]]) as unknown as readonly [
    Place,
    Place,
    Place,
  ];
