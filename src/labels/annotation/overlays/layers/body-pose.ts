import { z } from 'zod';
import { limbs } from '../../layers/body-pose/body-points.ts';
import { colourAt } from '../colours.ts';
import { boxSchema, framedOverlay, scoreText } from '../framed.ts';

/** Points that a model is less sure of are hidden or outside: no bone is drawn to them. */
const seen = 0.3;

/** Limbs and points of each person, the left side in another colour than the right one. */
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
      const points = keypoints.map(([x, y, sure]) => (sure >= seen ? to([x, y]) : null));
      for (const [from, until] of limbs) {
        const [a, b] = [points[from], points[until]];
        if (a == null || b == null) continue;
        // Left points have odd places in COCO's order.
        const side = from % 2 === until % 2 ? from % 2 : 2;
        canvas.line(a, b, colourAt(side), 2.5);
      }
      for (const one of points) if (one !== null) canvas.dot(one, [255, 255, 255]);
      canvas.chip(to([box[0], box[1]]), `person ${scoreText(score)}`, colourAt(1));
    }
  },
);
