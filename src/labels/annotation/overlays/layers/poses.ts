import { z } from 'zod';
import { handBones, limbs } from '../../vision/poses.ts';
import { colourByIndex } from '../colours.ts';
import { boxSchema, formatScore, framedOverlay } from '../overlay.ts';

/** Minimum confidence of a keypoint to be drawn. */
const minKeypointScore = 0.3;

/** Draws limbs and keypoints of each person, left and right in different colours. */
export const bodyPose = framedOverlay(
  'body_pose',
  {
    people: z.array(
      z.object({
        box: boxSchema,
        score: z.number(),
        keypoints: z.array(z.tuple([z.number(), z.number(), z.number()])),
      }),
    ),
  },
  ({ people }, canvas, to) => {
    for (const { box, score, keypoints } of people) {
      const points = keypoints.map(([x, y, sure]) => (sure >= minKeypointScore ? to([x, y]) : null));
      for (const [from, until] of limbs) {
        const [a, b] = [points[from], points[until]];
        if (a == null || b == null) continue;
        // Left keypoints have odd indices in COCO order.
        const side = from % 2 === until % 2 ? from % 2 : 2;
        canvas.line(a, b, colourByIndex(side), 2.5);
      }
      for (const one of points) if (one !== null) canvas.dot(one, [255, 255, 255]);
      canvas.chip(to([box[0], box[1]]), `person ${formatScore(score)}`, colourByIndex(1));
    }
  },
);

const keypointSchema = z.tuple([z.number(), z.number()]);

/** Draws bones and joints of each hand, one colour per finger. */
export const handPose = framedOverlay(
  'hand_pose',
  {
    hands: z.array(
      z.object({
        box: boxSchema,
        handedness: z.string(),
        score: z.number(),
        keypoints: z.array(keypointSchema),
      }),
    ),
  },
  ({ hands }, canvas, to) => {
    for (const { box, handedness, score, keypoints } of hands) {
      const points = keypoints.map(to);
      // Four bones per finger, finger by finger.
      for (const [at, [from, until]] of handBones.entries())
        if (points[from] !== undefined && points[until] !== undefined)
          canvas.line(points[from], points[until], colourByIndex(at >> 2));
      for (const one of points) canvas.dot(one, [255, 255, 255], 2);
      canvas.chip(to([box[0], box[1]]), `${handedness} ${formatScore(score)}`, colourByIndex(0));
    }
  },
);
