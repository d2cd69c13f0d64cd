import { z } from 'zod';
import type { LayerId } from '#core/api';
import type { Canvas, Point, Size } from './canvas.ts';
import { lastUntil, type Overlay, readArtifact, type Saying } from './overlay.ts';

/** A frame as lanes write it: which picture it is of, and how large that is in the recording. */
const framed = z.object({
  camera: z.string(),
  time_s: z.number(),
  width_px: z.number().positive(),
  height_px: z.number().positive(),
});

/** Brings places of a frame to those of the canvas. */
export type ToCanvas = (at: Point) => Point;

/** How a layer is drawn that says something frame by frame: `{frames: [{camera, time_s, width_px, height_px, …}]}`. */
export function framedOverlay<Shape extends z.ZodRawShape>(
  layer: LayerId,
  own: Shape,
  drawFrame: (frame: z.infer<z.ZodObject<Shape>>, canvas: Canvas, to: ToCanvas) => void,
): Overlay {
  const schema = z.object({ frames: z.array(z.intersection(framed, z.object(own))) });
  type Frame = z.infer<typeof framed> & z.infer<z.ZodObject<Shape>>;
  return {
    layer,
    open: (artifact) => {
      const { frames } = readArtifact(layer, schema, artifact) as { readonly frames: readonly Frame[] };
      const cameras = Map.groupBy(frames, ({ camera }) => camera);
      const saying = (frame: Frame): Saying => ({
        time_s: frame.time_s,
        covers: null,
        draw: (canvas) => {
          const size: Size = [frame.width_px, frame.height_px];
          drawFrame(frame, canvas, (at) => canvas.place(at, size));
        },
      });
      return {
        cameras: [...cameras.keys()],
        at: (camera, time_s) => {
          const frame = lastUntil(cameras.get(camera) ?? [], time_s);
          return frame === null ? null : saying(frame);
        },
      };
    },
  };
}

/** Left, top, width and height in px. */
export const boxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Two corners of a box on the canvas. */
export const cornersOf = (
  [left, top, width, height]: z.infer<typeof boxSchema>,
  to: ToCanvas,
): readonly [Point, Point] => [to([left, top]), to([left + width, top + height])];

/** `0.83`. */
export const scoreText = (score: number): string => score.toFixed(2);
