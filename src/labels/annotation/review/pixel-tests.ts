import { z } from 'zod';
import { limits, significant } from '#core';
import {
  depthArtifactSchema,
  parseObjectLabels,
  type SegmentationFrame,
  segmentationSchema,
} from '../artifact-schemas.ts';
import type { Box } from '../vision/detection.ts';
import { type CocoRle, decodeRuns, forEachPixel } from '../vision/read-rle.ts';
import { buildEvidence, type Fault, isSingleOutlier, lowerMedian, type ReviewTest } from './review-test.ts';

/** Ratio of mask areas between neighbouring frames that counts as a jump. */
const areaJumpRatio = 3;

/** Tests that the area of a class does not jump for a single frame. */
export const maskAreasSteady: ReviewTest = {
  id: 'mask_areas_steady',
  layer: 'segmentation',
  description: 'the area of a class does not triple or shrink to a third for a single frame',
  run: (artifact) => {
    const { frames } = segmentationSchema.parse(artifact);
    const faults: Fault[] = [];
    let checked = 0;
    for (let at = 1; at + 1 < frames.length; at++) {
      const three = [frames[at - 1], frames[at], frames[at + 1]];
      const [{ camera, time_s, labels }] = three.slice(1);
      if (three.some((frame) => frame.camera !== camera)) continue;
      for (const { label } of labels) {
        const shares = three.map((frame) => areaFraction(frame, label));
        if (shares.includes(0)) continue;
        checked++;
        const [before, now] = shares;
        if (!isSingleOutlier(shares as unknown as readonly [number, number, number], areaJumpRatio)) continue;
        faults.push({
          message: `${label} covers ${formatPercent(now)} of the image at ${time_s} s in ${camera}, and ${formatPercent(before)} before`,
          moment: { camera, time_s },
        });
      }
    }
    if (checked === 0) return 'no class has a mask in three consecutive frames';
    return buildEvidence(
      checked,
      faults,
      'run the layer segmentation again with a higher sample_hz, or name the classes that matter',
    );
  },
};

const areaFraction = ({ labels, width_px, height_px }: SegmentationFrame, label: string): number =>
  (labels.find((one) => one.label === label)?.pixels ?? 0) / Math.max(1, width_px * height_px);

const formatPercent = (share: number): string => `${significant(100 * share, 3)} %`;

/** Tests that masks match the picture size and their stated pixel count. */
export const masksFitPicture: ReviewTest = {
  id: 'masks_fit_picture',
  layer: 'segmentation',
  description:
    'every mask has the size of its image, a run-length encoding of exactly that many pixels, and the stated pixel count',
  run: (artifact) => {
    const faults: Fault[] = [];
    let checked = 0;
    for (const frame of segmentationSchema.parse(artifact).frames)
      for (const entry of frame.labels) {
        checked++;
        const fault = findMaskFault(entry, frame);
        if (fault === null) continue;
        const { camera, time_s } = frame;
        const message = `the mask of ${entry.label} ${fault}, at ${time_s} s in ${camera}`;
        faults.push({ message, moment: { camera, time_s } });
      }
    if (checked === 0) return 'no masks';
    return buildEvidence(checked, faults, 'run the layer segmentation again');
  },
};

function findMaskFault(
  { pixels, rle }: SegmentationFrame['labels'][number],
  { width_px, height_px }: SegmentationFrame,
): string | null {
  const [height, width] = rle.size;
  if (height !== height_px || width !== width_px)
    return `is ${width}x${height} px, not ${width_px}x${height_px}`;
  const runs = decodeRuns(rle.counts);
  if (runs.some((run) => run < 0)) return 'has a negative run length';
  const all = runs.reduce((sum, run) => sum + run, 0);
  const reach = runs.length % 2 === 0 ? all : all - runs.at(-1)!;
  if (all !== width * height || reach > width * height)
    return `encodes ${all} px instead of ${width * height}`;
  const inside = runs.reduce((sum, run, at) => sum + (at % 2 === 1 ? run : 0), 0);
  return inside === pixels ? null : `has ${inside} px but states ${pixels}`;
}

/** Maximum time difference of frames that are compared. */
const maxTimeDifference_s = 0.02;
/** Minimum fraction of a mask inside the boxes of its class. */
const minInsideFraction = 0.5;

/** Tests that masks lie within the boxes that `object_labels` has for the same class and frame. */
export const masksLieInBoxes: ReviewTest = {
  id: 'masks_lie_in_boxes',
  layer: 'segmentation',
  description:
    'at least half of the pixels of each class lie inside its object_labels boxes in the same frame',
  run: (artifact, { artifacts: { object_labels } }) => {
    if (object_labels === undefined) return 'the episode has no object_labels to compare with';
    const objects = parseObjectLabels(object_labels)?.frames ?? [];
    const faults: Fault[] = [];
    const shares: number[] = [];
    for (const { camera, time_s, width_px, height_px, labels } of segmentationSchema.parse(artifact).frames) {
      if (width_px * height_px > limits.recordings.picture_pixels.value) continue;
      const matchingFrame = objects.find(
        (one) => one.camera === camera && Math.abs(one.time_s - time_s) <= maxTimeDifference_s,
      );
      for (const { label, rle } of matchingFrame === undefined ? [] : labels) {
        const boxes = matchingFrame!.boxes.filter((one) => one.label === label).map(({ box }) => box);
        // A class without boxes is skipped: differing confidence says nothing about the outline.
        const share = boxes.length === 0 ? null : fractionInside(rle, boxes);
        if (share === null) continue;
        shares.push(share);
        if (share >= minInsideFraction) continue;
        const message = `only ${Math.round(100 * share)} % of the ${label} pixels lie inside its boxes at ${time_s} s in ${camera}`;
        faults.push({ message, moment: { camera, time_s } });
      }
    }
    if (shares.length === 0) return 'no frame has both masks and boxes of the same class';
    return buildEvidence(
      shares.length,
      faults,
      'run segmentation and object_labels again with the same detection model',
      { median_within_fraction: significant(lowerMedian(shares), 4) },
    );
  },
};

/** Returns the fraction of mask pixels inside any of the boxes; `null` for an empty mask. */
function fractionInside(rle: CocoRle, boxes: readonly Box[]): number | null {
  let [all, within] = [0, 0];
  forEachPixel(rle, (x, y) => {
    all++;
    const isIn = ([left, top, width, height]: Box) =>
      x + 0.5 >= left && x + 0.5 <= left + width && y + 0.5 >= top && y + 0.5 <= top + height;
    if (boxes.some(isIn)) within++;
  });
  return all === 0 ? null : within / all;
}

/** Minimum fraction of pixels with depth. */
const minFilledFraction = 0.1;
/** Measuring range of depth cameras. */
const range_m = { min: 0.01, max: 1000 } as const;

type Camera = z.infer<typeof depthArtifactSchema>['cameras'][number];

/** Tests that depth maps are filled, not flat and, if metric, within the range of depth cameras. */
export const depthInRange: ReviewTest = {
  id: 'depth_in_range',
  layer: 'depth',
  description:
    'at least 10 % of the pixels have a depth, maps are not constant, and metric depth is between 1 cm and 1 km',
  run: (artifact) => {
    const faults: Fault[] = [];
    const filled: number[] = [];
    for (const { camera, unit, frames } of depthArtifactSchema.parse(artifact).cameras)
      for (const frame of frames) {
        filled.push(frame.with_depth_fraction);
        const fault = findFault(frame, unit);
        if (fault === null) continue;
        const { time_s } = frame;
        faults.push({
          message: `the depth map at ${time_s} s in ${camera} ${fault}`,
          moment: { camera, time_s },
        });
      }
    if (filled.length === 0) return 'no depth maps';
    return buildEvidence(
      filled.length,
      faults,
      'check the unit and the encoding of the depth stream, or estimate depth with another model',
      { median_with_depth_fraction: significant(lowerMedian(filled), 4) },
    );
  },
};

function findFault(
  { with_depth_fraction, quantiles }: Camera['frames'][number],
  unit: string | null,
): string | null {
  if (with_depth_fraction < minFilledFraction)
    return `has depth for only ${significant(100 * with_depth_fraction, 3)} % of its pixels`;
  if (quantiles == null) return null;
  const { p02, p98 } = quantiles;
  if (p02 === p98) return `is constant: nearly all values are ${p02}`;
  if (unit === 'm' && p02 < range_m.min) return `has depths below ${range_m.min} m: ${p02} m`;
  if (unit === 'm' && p98 > range_m.max) return `has depths above ${range_m.max} m: ${p98} m`;
  return null;
}

/** Ratio of median depths between neighbouring frames that counts as a jump. */
const depthJumpRatio = 1.5;

/** Tests that the median depth does not jump for a single frame. */
export const depthSteady: ReviewTest = {
  id: 'depth_steady',
  layer: 'depth',
  description: 'the median depth does not jump to 1.5 times or 2/3 of its value for a single frame',
  run: (artifact) => {
    const faults: Fault[] = [];
    let checked = 0;
    for (const { camera, unit, frames } of depthArtifactSchema.parse(artifact).cameras) {
      // Depth without a unit has a different scale in each frame.
      if (unit === null) continue;
      for (let at = 1; at + 1 < frames.length; at++) {
        const medians = [at - 1, at, at + 1].map((one) => frames[one].quantiles?.p50 ?? null);
        if (medians.includes(null)) continue;
        const three = medians as unknown as readonly [number, number, number];
        checked++;
        if (!isSingleOutlier(three, depthJumpRatio)) continue;
        const { time_s } = frames[at];
        const [before, now] = three;
        faults.push({
          message: `the median depth jumps to ${now} ${unit} at ${time_s} s in ${camera}, from ${before} ${unit} before and about the same after`,
          moment: { camera, time_s },
        });
      }
    }
    if (checked === 0) return 'no camera has three consecutive depth maps with a unit';
    return buildEvidence(checked, faults, 'exclude these frames, or run the layer depth again');
  },
};

const numberList = z.array(z.number());
const flowSchema = z.object({
  cameras: z.array(
    z.object({
      camera: z.string(),
      pairs: z.object({
        from_s: numberList,
        to_s: numberList,
        consistent_fraction: numberList,
        left_fraction: numberList,
      }),
    }),
  ),
});

/** Minimum consistent fraction of the pixels that stay in the picture. */
const minConsistentFraction = 0.5;

/** Tests that forward and backward flow agree. */
export const flowComesBack: ReviewTest = {
  id: 'flow_comes_back',
  layer: 'optical_flow',
  description:
    'forward and backward flow agree to within one pixel for at least half of the pixels that stay in the image',
  run: (artifact) => {
    const faults: Fault[] = [];
    const shares: number[] = [];
    let apart_s = 0;
    for (const { camera, pairs } of flowSchema.parse(artifact).cameras)
      for (const [at, from_s] of pairs.from_s.entries()) {
        const stays = 1 - pairs.left_fraction[at];
        const share = stays > 0 ? Math.min(1, pairs.consistent_fraction[at] / stays) : 0;
        shares.push(share);
        if (share >= minConsistentFraction) continue;
        apart_s = Math.max(apart_s, pairs.to_s[at] - from_s);
        faults.push({
          message: `forward and backward flow agree for only ${Math.round(100 * share)} % of the pixels, from ${from_s} s to ${pairs.to_s[at]} s in ${camera}`,
          moment: { camera, time_s: from_s },
        });
      }
    if (shares.length === 0) return 'no two frames were compared';
    return buildEvidence(
      shares.length,
      faults,
      `run the layer optical_flow again with a higher sample_hz: frames are up to ${significant(apart_s, 3)} s apart`,
      {
        least_consistent_fraction: significant(Math.min(...shares), 4),
        median_consistent_fraction: significant(lowerMedian(shares), 4),
      },
    );
  },
};
