import { significant } from '#core';
import { parseObjectLabels, type TracksCamera, tracksSchema } from '../artifact-schemas.ts';
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

/** Minimum IoU of boxes two frames apart that count as a stationary object. */
const stationaryIou = 0.5;
/** Minimum IoU of the box between them. */
const betweenIou = 0.3;

/** Tests that an object detected at the same place before and after a frame is detected in that frame. */
export const boxesDoNotFlicker: ReviewTest = {
  id: 'boxes_do_not_flicker',
  layer: 'object_labels',
  description:
    'an object detected at the same place in the frame before and the frame after is also detected in the frame between',
  run: (artifact) => {
    const frames = parseObjectLabels(artifact)?.frames ?? [];
    const faults: Fault[] = [];
    let checked = 0;
    for (let at = 1; at + 1 < frames.length; at++) {
      const [before, now, after] = [frames[at - 1], frames[at], frames[at + 1]];
      if (before.camera !== now.camera || now.camera !== after.camera) continue;
      for (const { label, box } of before.boxes) {
        const isIn = (boxes: typeof before.boxes, minIou: number) =>
          boxes.some((one) => one.label === label && boxIou(one.box, box) >= minIou);
        if (!isIn(after.boxes, stationaryIou)) continue;
        checked++;
        if (isIn(now.boxes, betweenIou)) continue;
        faults.push({
          message: `${label} is missing at ${now.time_s} s in ${now.camera}, but detected in the frames before and after`,
          moment: { camera: now.camera, time_s: now.time_s },
        });
      }
    }
    if (checked === 0) return 'no object stays at the same place for three frames';
    return buildEvidence(
      checked,
      faults,
      'run the layer object_labels again with a lower confidence_floor, or another detection model',
      { seen_between_fraction: significant(1 - faults.length / checked, 4) },
    );
  },
};

/** Tolerance for rounded corners. */
const tolerance_px = 1;

/** Tests that boxes have an area and lie inside the picture. */
export const boxesInsidePicture: ReviewTest = {
  id: 'boxes_inside_picture',
  layer: 'object_labels',
  description: 'every box has a positive area and lies inside its image',
  run: (artifact) => {
    const frames = parseObjectLabels(artifact)?.frames ?? [];
    if (frames.length === 0) return 'no frames were processed';
    const faults: Fault[] = [];
    let boxes = 0;
    for (const { camera, time_s, width_px, height_px, boxes: frameBoxes } of frames) {
      boxes += frameBoxes.length;
      const moment = { camera, time_s };
      for (const { label, box } of frameBoxes) {
        const [left, top, width, height] = box;
        const isInside =
          left >= -tolerance_px &&
          top >= -tolerance_px &&
          left + width <= width_px + tolerance_px &&
          top + height <= height_px + tolerance_px;
        if (!(width > 0 && height > 0))
          faults.push({ message: `the box of ${label} has no area at ${time_s} s in ${camera}`, moment });
        else if (!isInside)
          faults.push({
            message: `the box of ${label} extends beyond the image at ${time_s} s in ${camera}`,
            moment,
          });
      }
    }
    if (boxes === 0) return 'no objects were detected';
    return buildEvidence(boxes, faults, 'run the layer object_labels again with a higher confidence_floor');
  },
};

/** Maximum gap and minimum IoU at which a new track counts as the continuation of an ended one under another id. */
const maxSwitchGap_s = 2;
const minSwitchIou = 0.3;

/** Tests that tracks are not continued under another id. */
export const tracksHoldTogether: ReviewTest = {
  id: 'tracks_hold_together',
  layer: 'tracks',
  description: 'no track ends where another track of the same class starts within 2 s (broken track)',
  run: (artifact) => {
    const faults: Fault[] = [];
    let checked = 0;
    let longest_s = 0;
    for (const { camera, frames, tracks } of tracksSchema.parse(artifact).cameras) {
      const boxTracks = tracks.flatMap((track) => {
        if (!('box' in track) || track.box.length === 0) return [];
        const [from_s, to_s] = [frames.time_s[track.frame[0]], frames.time_s[track.frame.at(-1)!]];
        return [{ ...track, from_s, to_s, first: track.box[0] as Box, last: track.box.at(-1)! as Box }];
      });
      checked += boxTracks.length;
      for (const way of boxTracks) {
        const predecessor = boxTracks.find(
          ({ label, to_s, last }) =>
            label === way.label &&
            to_s < way.from_s &&
            way.from_s - to_s <= maxSwitchGap_s &&
            boxIou(last, way.first) >= minSwitchIou,
        );
        if (predecessor === undefined) continue;
        const gap_s = way.from_s - predecessor.to_s;
        longest_s = Math.max(longest_s, gap_s);
        faults.push({
          message: `${way.label} #${way.id} starts at ${way.from_s} s in ${camera} where #${predecessor.id} ended ${gap_s.toFixed(2)} s earlier`,
          moment: { camera, time_s: way.from_s },
        });
      }
    }
    if (checked === 0) return 'no object is tracked';
    const improvement =
      longest_s > 1
        ? 'run the layer tracks again with a longer max_gap_s'
        : 'choose another detection model with more reliable boxes, then run the layer tracks again';
    return buildEvidence(checked, faults, improvement, { longest_gap_s: significant(longest_s, 4) });
  },
};

/** Minimum duration of a useful track. */
const minTrack_s = 1;
/** Minimum tracked duration of a camera. */
const minTracked_s = 3;
/** Width of the picture border in which objects enter or leave, as a fraction of the picture width. */
const borderFraction = 0.05;

type Track = TracksCamera['tracks'][number];

/** Tests that tracks are not short, unless they start or end with the recording or at the picture border. */
export const tracksLast: ReviewTest = {
  id: 'tracks_last',
  layer: 'tracks',
  description:
    'tracks last at least 1 s, except those that start or end with the recording or at the image border',
  run: (artifact) => {
    const faults: Fault[] = [];
    const lengths_s: number[] = [];
    for (const own of tracksSchema.parse(artifact).cameras) {
      const { time_s } = own.frames;
      if (time_s.length === 0 || time_s.at(-1)! - time_s[0] < minTracked_s) continue;
      for (const track of own.tracks) {
        if (track.frame.length === 0) continue;
        const from_s = time_s[track.frame[0]];
        const length_s = time_s[track.frame.at(-1)!] - from_s;
        // A truncated track may have been longer.
        if (length_s < minTrack_s && isTruncated(track, own)) continue;
        lengths_s.push(length_s);
        if (length_s >= minTrack_s) continue;
        faults.push({
          message: `track ${track.id} in ${own.camera} lasts only ${length_s.toFixed(2)} s from ${from_s} s`,
          moment: { camera: own.camera, time_s: from_s },
        });
      }
    }
    if (lengths_s.length === 0) return `no complete track in a camera tracked for at least ${minTracked_s} s`;
    return buildEvidence(
      lengths_s.length,
      faults,
      'run the layer tracks again with a longer min_track_s, or a longer max_gap_s if track ids change',
      { median_track_s: significant(lowerMedian(lengths_s), 4) },
    );
  },
};

function isTruncated(track: Track, { frames, width_px, height_px }: TracksCamera): boolean {
  const last = frames.time_s.length - 1;
  if (track.frame[0] === 0 || track.frame.at(-1) === last) return true;
  return [0, track.frame.length - 1].some((at) => isAtBorder(trackBounds(track, at), [width_px, height_px]));
}

/** Returns left, top, right and bottom of a track's position. */
function trackBounds(track: Track, at: number): readonly [number, number, number, number] {
  if ('point' in track) {
    const [x, y] = track.point[at];
    return [x, y, x, y];
  }
  const [left, top, width, height] = track.box[at];
  return [left, top, left + width, top + height];
}

function isAtBorder(
  [left, top, right, bottom]: readonly [number, number, number, number],
  [width_px, height_px]: readonly [number, number],
): boolean {
  const near_px = borderFraction * width_px;
  return left <= near_px || top <= near_px || right >= width_px - near_px || bottom >= height_px - near_px;
}

type Position = readonly [number, number];

/** Tests that boxes of a track do not jump away and back within one frame. */
export const tracksMoveSmoothly: ReviewTest = {
  id: 'tracks_move_smoothly',
  layer: 'tracks',
  description: 'no box jumps by 1/4 of its size for a single frame',
  run: (artifact) => {
    const faults: Fault[] = [];
    const deviations: number[] = [];
    for (const { camera, frames, tracks } of tracksSchema.parse(artifact).cameras)
      for (const track of tracks) {
        if (!('box' in track)) continue;
        for (let at = 1; at + 1 < track.frame.length; at++) {
          const [from, to] = [track.frame[at - 1], track.frame[at + 1]];
          if (to - from !== 2 || frames.time_s[to] - frames.time_s[from] > 2 * maxNeighbourGap_s) continue;
          const boxes = [track.box[at - 1], track.box[at], track.box[at + 1]];
          const size_px = lowerMedian(boxes.map(([, , width, height]) => Math.hypot(width, height)));
          const places = boxes.map(([x, y, width, height]): Position => [x + width / 2, y + height / 2]);
          const triple = places as unknown as readonly [Position, Position, Position];
          const deviation = relativeDeviation(triple, size_px);
          deviations.push(deviation);
          if (!isPositionOutlier(triple, size_px)) continue;
          const time_s = frames.time_s[track.frame[at]];
          faults.push({
            message: `${track.label} #${track.id} jumps by ${Math.round(100 * deviation)} % of its size at ${time_s} s in ${camera}`,
            moment: { camera, time_s },
          });
        }
      }
    if (deviations.length === 0) return 'no object is tracked through three consecutive frames';
    return buildEvidence(
      deviations.length,
      faults,
      'choose another detection model (its boxes do not stay on the object), then run the layer tracks again',
      { median_jitter_of_size: significant(lowerMedian(deviations), 3) },
    );
  },
};
