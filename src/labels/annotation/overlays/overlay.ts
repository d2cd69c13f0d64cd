import { z } from 'zod';
import { AssayError, limits } from '#core';
import type { LayerId } from '#core/api';
import { type CocoRle, forEachPixel } from '../vision/read-rle.ts';
import type { Canvas, Point, Raster, Size } from './canvas.ts';
import type { Rgb } from './colours.ts';

/** Fields that lanes write for every frame. */
const frameFields = z.object({
  camera: z.string(),
  time_s: z.number(),
  width_px: z.number().positive(),
  height_px: z.number().positive(),
});

/** Converts a point of a frame to px of the canvas. */
export type ToCanvas = (at: Point) => Point;

/**
 * Creates the overlay of a layer whose artifact lists frames, which draws a camera's last frame at or before a time,
 * else its first, with `drawFrame`. The artifact has the form `{frames: [{camera, time_s, width_px, height_px, …}]}`;
 * `own` is the schema of the other members of a frame.
 */
export function framedOverlay<Shape extends z.ZodRawShape>(
  layer: LayerId,
  own: Shape,
  drawFrame: (frame: z.infer<z.ZodObject<Shape>>, canvas: Canvas, to: ToCanvas) => void,
): Overlay {
  const schema = z.object({ frames: z.array(z.intersection(frameFields, z.object(own))) });
  type Frame = z.infer<typeof frameFields> & z.infer<z.ZodObject<Shape>>;
  return {
    layer,
    open: (artifact) => {
      const { frames } = parseArtifact(layer, schema, artifact) as { readonly frames: readonly Frame[] };
      const cameras = Map.groupBy(frames, ({ camera }) => camera);
      const createDrawing = (frame: Frame): Drawing => ({
        time_s: frame.time_s,
        opaque_size: null,
        draw: (canvas) => {
          const size: Size = [frame.width_px, frame.height_px];
          drawFrame(frame, canvas, (at) => canvas.toCanvas(at, size));
        },
      });
      return {
        cameras: [...cameras.keys()],
        at: (camera, time_s) => {
          const frame = lastAtOrBefore(cameras.get(camera) ?? [], time_s);
          return frame === null ? null : createDrawing(frame);
        },
      };
    },
  };
}

/** A box as left, top, width and height in px. */
export const boxSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Converts a box to canvas coordinates and returns its top left and bottom right corner. */
export const boxCorners = (
  [left, top, width, height]: z.infer<typeof boxSchema>,
  to: ToCanvas,
): readonly [Point, Point] => [to([left, top]), to([left + width, top + height])];

/** Formats a score with two decimals. */
export const formatScore = (score: number): string => score.toFixed(2);

/** Loads the parts of an annotation on demand. */
export interface OverlayParts {
  /** Returns the bytes of a part. */
  readonly bytes: (name: string) => Promise<Uint8Array>;
  /** Returns the samples of a 16-bit PNG part, rows from the top. */
  readonly samples: (name: string) => Promise<Uint16Array>;
}

/** A layer's content for one picture. */
export interface Drawing {
  /** Time of the picture that it refers to; `null` if it applies to any picture at the requested time. */
  readonly time_s: number | null;
  /** Its size if it hides the whole picture, else `null`. */
  readonly opaque_size: Size | null;
  readonly draw: (canvas: Canvas, parts: OverlayParts) => Promise<void> | void;
}

/** A parsed artifact, ready to be drawn. */
export interface OpenOverlay {
  /** Cameras with content; `null` if it is independent of cameras and can be drawn over any. */
  readonly cameras: readonly string[] | null;
  /** Returns the latest content at or before a time, or the first if all is later; `null` if there is none. */
  readonly at: (camera: string, time_s: number) => Drawing | null;
}

/** Overlay of a layer. */
export interface Overlay {
  readonly layer: LayerId;
  /**
   * Parses an artifact.
   * @throws `unreadable_input` if it is not in the form that this version writes.
   */
  readonly open: (artifact: unknown) => OpenOverlay;
}

/** Parses an artifact with a schema, and throws `unreadable_input`, which names the layer, if it does not match. */
export function parseArtifact<Schema extends z.ZodType>(
  layer: LayerId,
  schema: Schema,
  artifact: unknown,
): z.infer<Schema> {
  const read = schema.safeParse(artifact);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AssayError('unreadable_input', `the ${layer} annotation is not in the expected format`, {
    advice: `at /${issue.path.join('/')}: ${issue.message}; run the layer again with this version`,
  });
}

/** Tolerance for timestamps, which are rounded to microseconds. */
const stampTolerance_s = 2e-6;

/**
 * Returns the last item at or before a time, or the first if all are later; `null` for an empty list. Items are in
 * time order.
 */
export function lastAtOrBefore<Timed extends { readonly time_s: number }>(
  all: readonly Timed[],
  time_s: number,
): Timed | null {
  return all.findLast((one) => one.time_s <= time_s + stampTolerance_s) ?? all[0] ?? null;
}

/** Alpha of masks, 0 to 255. */
const maskAlpha = 120;

/**
 * Paints masks in their colours into one translucent raster, later over earlier; `null` without masks, if their sizes
 * differ, or if they are too large.
 */
export function maskRaster(masks: readonly { readonly rle: CocoRle; readonly colour: Rgb }[]): Raster | null {
  const [first] = masks;
  if (first === undefined) return null;
  const [height_px, width_px] = first.rle.size;
  const isAlike = masks.every(({ rle: { size } }) => size[0] === height_px && size[1] === width_px);
  if (!isAlike || height_px * width_px > limits.recordings.picture_pixels.value) return null;
  const rgba = new Uint8Array(4 * height_px * width_px);
  for (const { rle, colour } of masks)
    forEachPixel(rle, (x, y) => {
      const at = 4 * (y * width_px + x);
      rgba.set(colour, at);
      rgba[at + 3] = maskAlpha;
    });
  return { width_px, height_px, rgba, sharp: true };
}
