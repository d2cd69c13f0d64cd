import { z } from 'zod';
import { type ArtifactTrack, type TracksCamera, tracksSchema } from '../artifact-schemas.ts';
import { handBones, limbs } from '../vision/poses.ts';
import { rleSchema } from '../vision/read-rle.ts';
import type { Canvas, Point, Size } from './canvas.ts';
import { colourByIndex, colourByName } from './colours.ts';
import {
  boxCorners,
  boxSchema,
  formatScore,
  framedOverlay,
  lastAtOrBefore,
  maskRaster,
  type Overlay,
  parseArtifact,
} from './overlay.ts';

const boxEntrySchema = z.object({
  label: z.string(),
  score: z.number(),
  box: boxSchema,
  /** Absent if outlines were not requested, `null` if none was found. */
  mask: rleSchema.nullish(),
});

/** Draws boxes with class and score, in the colour of the class, over the outlines if there are any. */
export const objectLabels = framedOverlay(
  'object_labels',
  { boxes: z.array(boxEntrySchema) },
  ({ boxes }, canvas, to) => {
    // Highest score on top.
    const rising = [...boxes].sort((a, b) => a.score - b.score);
    const masks = rising.flatMap(({ label, mask }) =>
      mask == null ? [] : [{ rle: mask, colour: colourByName(label) }],
    );
    const raster = maskRaster(masks);
    if (raster !== null) canvas.rasters.push(raster);
    for (const { label, score, box } of rising) {
      const [from, until] = boxCorners(box, to);
      canvas.box(from, until, `${label} ${formatScore(score)}`, colourByName(label));
    }
  },
);

const labelSchema = z.object({ label: z.string(), pixels: z.number(), rle: rleSchema });

/** Draws each class in its colour, and lists the classes with their share of the picture. */
export const segmentation = framedOverlay(
  'segmentation',
  { labels: z.array(labelSchema) },
  ({ labels }, canvas) => {
    const raster = maskRaster(labels.map(({ label, rle }) => ({ rle, colour: colourByName(label) })));
    if (raster === null) return;
    canvas.rasters.push(raster);
    const all = raster.width_px * raster.height_px;
    for (const { label, pixels } of [...labels].sort((a, b) => b.pixels - a.pixels))
      canvas.note(`${label} ${Math.round((100 * pixels) / all)} %`, colourByName(label));
  },
);

/** Duration of the trail behind a track. */
const trail_s = 1;

/** Draws each track at the current frame, with its id and trail. */
export const tracks: Overlay = {
  layer: 'tracks',
  open: (artifact) => {
    const { cameras } = parseArtifact('tracks', tracksSchema, artifact);
    const followed = cameras.filter(({ width_px, height_px }) => width_px > 0 && height_px > 0);
    return {
      cameras: followed.map(({ camera }) => camera),
      at: (id, time_s) => {
        const camera = followed.find((one) => one.camera === id);
        if (camera === undefined) return null;
        const times = camera.frames.time_s.map((at, frame) => ({ time_s: at, frame }));
        const now = lastAtOrBefore(times, time_s);
        if (now === null) return null;
        const draw = (canvas: Canvas) => {
          for (const track of camera.tracks) drawTrack(track, camera, now.frame, canvas);
        };
        return { time_s: now.time_s, opaque_size: null, draw };
      },
    };
  },
};

function drawTrack(
  track: ArtifactTrack,
  { frames, width_px, height_px }: TracksCamera,
  frame: number,
  canvas: Canvas,
): void {
  const now = track.frame.indexOf(frame);
  if (now < 0) return;
  const size: Size = [width_px, height_px];
  const colour = colourByIndex(track.id);
  const since_s = frames.time_s[frame] - trail_s;
  const way: Point[] = [];
  for (let at = now; at >= 0 && frames.time_s[track.frame[at]] >= since_s; at--) {
    const place = trackPosition(track, at);
    if (place !== null) way.push(canvas.toCanvas(place, size));
  }
  for (const [at, place] of way.slice(1).entries()) canvas.line(way[at], place, colour, 1.5);
  const box = 'box' in track ? track.box[now] : undefined;
  if (box !== undefined && 'label' in track) {
    const [left, top, width, height] = box;
    const corners = [
      canvas.toCanvas([left, top], size),
      canvas.toCanvas([left + width, top + height], size),
    ] as const;
    canvas.box(...corners, `${track.label} #${track.id}`, colour);
  } else if (way.length > 0) canvas.dot(way[0], colour, 3);
}

function trackPosition(track: ArtifactTrack, at: number): Point | null {
  if ('point' in track) return track.point[at] ?? null;
  const box = track.box[at];
  return box === undefined ? null : [box[0] + box[2] / 2, box[1] + box[3] / 2];
}

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
