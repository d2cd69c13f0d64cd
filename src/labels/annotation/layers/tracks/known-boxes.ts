import type { JsonObject } from '#core';
import type { Detection } from '../../detection/boxes.ts';
import { readObjects } from '../../grammar/known-objects.ts';

/** Boxes that the layer `object_labels` found. */
export interface KnownBoxes {
  /** By camera and millisecond. */
  readonly cameras: ReadonlyMap<string, ReadonlyMap<number, readonly Detection[]>>;
  /** Frames of a second that it looked at, of the camera where they were fewest. */
  readonly rate_hz: number;
}

/** Frames of a second from which on boxes of another layer are followed. */
const followed_hz = 5;

/** Null: the layer did not look, or at too few frames of a second for objects to be followed. */
export function knownBoxes(artifact: JsonObject | null): KnownBoxes | null {
  const cameras = new Map<string, Map<number, readonly Detection[]>>();
  for (const { camera, time_s, boxes } of readObjects(artifact)?.frames ?? []) {
    const own = cameras.get(camera) ?? new Map<number, readonly Detection[]>();
    cameras.set(camera, own.set(millisecond(time_s), boxes));
  }
  const rates = [...cameras.values()].map((times) => rateOf([...times.keys()]));
  const rate_hz = Math.min(...rates);
  return rates.length > 0 && rate_hz >= followed_hz ? { cameras, rate_hz } : null;
}

const rateOf = (times_ms: readonly number[]): number =>
  times_ms.length < 2 ? 0 : (1000 * (times_ms.length - 1)) / (times_ms.at(-1)! - times_ms[0]);

export const millisecond = (time_s: number): number => Math.round(1000 * time_s);
