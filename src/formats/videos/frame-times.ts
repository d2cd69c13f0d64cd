/** When the frames of a video are shown, by its container; nothing is decoded. */
export interface FrameTimes {
  /** Ascending, seconds in the file's own time. */
  readonly time_s: Float64Array;
  /** Seconds of the smallest step the container can write. */
  readonly tick_s: number;
  /** `stamped`: each frame has a stamp. `counted`: the container only knows a rate. */
  readonly source: 'stamped' | 'counted';
  /** What the container calls its codec: `avc1`, `V_AV1`. */
  readonly codec: string | null;
  /** Bytes that the container says it holds beyond the end of the file; 0 when the file is whole. */
  readonly missing_bytes: number;
}

/** Why a container gives no times. `no_video`: it holds other streams only. */
export class NoTimes extends Error {
  readonly kind: 'no_video' | 'damaged' | 'not_read';

  constructor(kind: NoTimes['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Whether stamps lie on a grid of one constant step, within rounding to ticks: such stamps were computed. */
export function isGrid({ time_s, tick_s }: FrameTimes): boolean {
  const n = time_s.length;
  if (n < 3) return true;
  const step = (time_s[n - 1] - time_s[0]) / (n - 1);
  const allowed = 1.01 * tick_s + 1e-9;
  for (let i = 0; i < n; i++) if (Math.abs(time_s[i] - time_s[0] - i * step) > allowed) return false;
  return true;
}
