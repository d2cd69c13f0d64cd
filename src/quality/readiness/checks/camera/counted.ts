import { clamp, significant } from '#core';
import type { Aspect } from '../../check.ts';
import type { CameraFacts } from './facts.ts';

/** Cameras that no loader asks by time: how much of the episode they cover. */
export function coverage(
  { camera, covered, frames, first_s, last_s }: CameraFacts,
  duration_s: number,
): Aspect[] {
  if (covered === null || first_s === null || last_s === null || duration_s <= 0) return [];
  const frame = frames !== null && frames > 1 ? covered / frames : 0;
  const late = first_s > duration_s - last_s;
  return [
    {
      flag: 'camera_truncated',
      score: clamp(1 - 8 * Math.max(0, 1 - covered - frame - 0.1 / duration_s), 0, 1),
      observed: covered,
      message: () =>
        `${camera} covers ${(100 * covered).toFixed(1)} % of the episode: frames from ${first_s.toFixed(2)} s to ${last_s.toFixed(2)} s of ${duration_s.toFixed(2)} s`,
      marks: [
        late
          ? { stream: camera, from_s: 0, to_s: first_s }
          : { stream: camera, from_s: last_s, to_s: duration_s },
      ],
    },
  ];
}

/** Cameras that no loader asks by time: frames found against rows. */
export function frameCounts(
  { camera, expected_frames: expected, frames }: CameraFacts,
  duration_s: number,
): Aspect[] {
  if (expected === null || frames === null || expected <= 0) return [];
  const lacking = (expected - frames) / expected;
  const beyondOne = Math.max(0, Math.abs(expected - frames) - 1) / expected;
  return [
    {
      flag: lacking >= 0 ? 'camera_frames_missing' : 'camera_frames_extra',
      score: clamp(1 - 10 * beyondOne, 0, 1),
      observed: significant(lacking),
      message: () => `${camera} has ${frames} frames for ${expected} rows`,
      marks: [{ stream: camera, from_s: 0, to_s: duration_s }],
    },
  ];
}
