import { limits, significant } from '#core';
import { parseObjectLabels, type SegmentationFrame, segmentationSchema } from '../../artifact-schemas.ts';
import type { Box } from '../../vision/detection.ts';
import { type CocoRle, decodeRuns, forEachPixel } from '../../vision/read-rle.ts';
import { buildEvidence, type Fault, isSingleOutlier, lowerMedian, type ReviewTest } from '../review-test.ts';

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
