import { z } from 'zod';
import { significant } from '#core';
import type { LayerId } from '#core/api';
import { type Box, boxIou } from '../vision/detection.ts';
import {
  buildEvidence,
  type Fault,
  isPositionOutlier,
  lowerMedian,
  maxNeighbourGap_s,
  type ReviewTest,
  relativeDeviation,
} from './review-test.ts';

type Position = readonly [number, number];

const pose = z.object({
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  keypoints: z.array(z.tuple([z.number(), z.number()]).rest(z.number())),
});
type Pose = z.infer<typeof pose>;

const posesSchema = <Name extends string>(name: Name) =>
  z.object({
    frames: z.array(
      z.object({ camera: z.string(), time_s: z.number() }).and(z.record(z.literal(name), z.array(pose))),
    ),
  });

interface PoseLayer {
  readonly layer: LayerId;
  /** Member of a frame that holds the poses. */
  readonly name: 'hands' | 'people';
  readonly noun: string;
}

/** Minimum IoU at which poses of consecutive frames count as the same. */
const samePoseIou = 0.3;

/** Creates the test that keypoints of a hand or body do not jump away and back within one frame. */
const poseSmoothnessTest = ({ layer, name, noun }: PoseLayer): ReviewTest => ({
  id: `${name}_move_smoothly`,
  layer,
  description: `at least half of the keypoints of each ${noun} move smoothly (no jump by 1/4 of its size for a single frame)`,
  run: (artifact) => {
    const { frames } = posesSchema(name).parse(artifact);
    const faults: Fault[] = [];
    const deviations: number[] = [];
    for (let at = 1; at + 1 < frames.length; at++) {
      const [before, now, after] = [frames[at - 1], frames[at], frames[at + 1]];
      const isRow = before.camera === now.camera && now.camera === after.camera;
      if (!isRow || after.time_s - before.time_s > 2 * maxNeighbourGap_s) continue;
      for (const pose of now[name]) {
        const size_px = Math.hypot(pose.box[2], pose.box[3]);
        const neighbours = [nearestPose(pose, before[name]), nearestPose(pose, after[name])] as const;
        if (neighbours[0] === null || neighbours[1] === null) continue;
        const positions = pose.keypoints.map((_, point) =>
          keypointPositions(point, neighbours[0]!, pose, neighbours[1]!),
        );
        deviations.push(lowerMedian(positions.map((triple) => relativeDeviation(triple, size_px))));
        const jumped = positions.filter((triple) => isPositionOutlier(triple, size_px)).length;
        if (2 * jumped < positions.length) continue;
        faults.push({
          message: `${jumped} of ${positions.length} keypoints of a ${noun} jump at ${now.time_s} s in ${now.camera}`,
          moment: { camera: now.camera, time_s: now.time_s },
        });
      }
    }
    if (deviations.length === 0) return `no ${noun} is visible in three consecutive frames`;
    const improvement = `run the layer ${layer} again with a higher confidence_floor, or another model`;
    return buildEvidence(deviations.length, faults, improvement, {
      median_jitter_of_size: significant(lowerMedian(deviations), 3),
    });
  },
});

const nearestPose = (pose: Pose, others: readonly Pose[]): Pose | null =>
  others
    .filter(({ keypoints }) => keypoints.length === pose.keypoints.length)
    .map((other) => ({ other, shared: boxIou(pose.box as Box, other.box as Box) }))
    .filter(({ shared }) => shared >= samePoseIou)
    .sort((a, b) => b.shared - a.shared)[0]?.other ?? null;

const keypointPositions = (
  point: number,
  ...poses: readonly [Pose, Pose, Pose]
): readonly [Position, Position, Position] =>
  poses.map(({ keypoints: all }): Position => [all[point][0], all[point][1]]) as unknown as readonly [
    Position,
    Position,
    Position,
  ];

/** Tests that hand keypoints do not jump for a single frame. */
export const handsMoveSmoothly = poseSmoothnessTest({ layer: 'hand_pose', name: 'hands', noun: 'hand' });

/** Tests that body keypoints do not jump for a single frame. */
export const peopleMoveSmoothly = poseSmoothnessTest({ layer: 'body_pose', name: 'people', noun: 'body' });
