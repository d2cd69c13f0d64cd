import { z } from 'zod';
import { handBones } from '../../layers/hand-pose/hand-points.ts';
import { colourAt } from '../colours.ts';
import { boxSchema, framedOverlay, scoreText } from '../framed.ts';

const point = z.tuple([z.number(), z.number()]);

/** Bones and joints of each hand, a colour a finger. */
export const handPose = framedOverlay(
  'hand_pose',
  {
    hands: z.array(
      z.object({
        box: boxSchema,
        handedness: z.string(),
        score: z.number(),
        keypoints: z.array(point),
      }),
    ),
  },
  ({ hands }, canvas, to) => {
    for (const { box, handedness, score, keypoints } of hands) {
      const points = keypoints.map(to);
      // Four bones a finger, one finger after the other.
      for (const [at, [from, until]] of handBones.entries())
        if (points[from] !== undefined && points[until] !== undefined)
          canvas.line(points[from], points[until], colourAt(at >> 2));
      for (const one of points) canvas.dot(one, [255, 255, 255], 2);
      canvas.chip(to([box[0], box[1]]), `${handedness} ${scoreText(score)}`, colourAt(0));
    }
  },
);
