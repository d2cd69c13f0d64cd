import type { PayloadSpan } from './gopro/payload-spans.ts';

/** Presentation times of a video's frames, from its container without decoding. */
export interface FrameTimes {
  /** Ascending, seconds on the file's own time axis. */
  readonly time_s: Float64Array;
  /** Smallest time step of the container in seconds. */
  readonly tick_s: number;
  /** `stamped`: each frame has a timestamp. `counted`: the container has a rate only. */
  readonly source: 'stamped' | 'counted';
  /** Codec name in the container: `avc1`, `V_AV1`. */
  readonly codec: string | null;
  /** Bytes that the container declares beyond the end of the file; 0 if the file is complete. */
  readonly missing_bytes: number;
  /** Payloads of a GoPro camera's telemetry; `null` or absent if the file has none. */
  readonly telemetry?: readonly PayloadSpan[] | null;
}

/**
 * Thrown if a container yields no frame times. `no_video`: it has other streams only; `not_read`: its timestamps are
 * not supported.
 */
export class FrameTimesError extends Error {
  readonly kind: 'no_video' | 'damaged' | 'not_read';

  constructor(kind: FrameTimesError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * True if all times lie on an even grid, within rounding to ticks: such times were computed, not recorded. Also true
 * for fewer than three times.
 */
export function isEvenGrid({ time_s, tick_s }: FrameTimes): boolean {
  const n = time_s.length;
  if (n < 3) return true;
  const step = (time_s[n - 1] - time_s[0]) / (n - 1);
  const allowed = 1.01 * tick_s + 1e-9;
  for (let i = 0; i < n; i++) if (Math.abs(time_s[i] - time_s[0] - i * step) > allowed) return false;
  return true;
}
