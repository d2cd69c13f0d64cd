import type { Camera } from '#engine';

/** A frame of a camera by its place in the order of recording. */
export interface ChosenFrame {
  readonly row: number;
  /** Since the start of the episode. */
  readonly time_s: number;
}

/** A stamp this little after the time asked for is that time: what was computed from a rate has lost its last digits. */
const rounding_s = 1e-6;

/** The frame shown at a time: the last at or before it, or the first where all are later. Null without any. */
export function chooseFrame(
  { time_s, sample_count, declared_rate_hz }: Pick<Camera, 'time_s' | 'sample_count' | 'declared_rate_hz'>,
  at_s: number,
): ChosenFrame | null {
  if (sample_count === 0) return null;
  if (time_s !== null && time_s.length > 0) return lastUntil(time_s, at_s + rounding_s);
  const rate_hz = declared_rate_hz ?? 1;
  const row = Math.min(sample_count - 1, Math.max(0, Math.floor(at_s * rate_hz + rounding_s)));
  return { row, time_s: row / rate_hz };
}

/** Stamps may run backwards: it is the latest stamp that counts, not the last in the file. */
function lastUntil(time_s: Float64Array, until_s: number): ChosenFrame {
  let best = -1;
  let earliest = 0;
  for (let row = 0; row < time_s.length; row++) {
    const time = time_s[row];
    if (time < time_s[earliest]) earliest = row;
    if (time <= until_s && (best < 0 || time >= time_s[best])) best = row;
  }
  const row = best < 0 ? earliest : best;
  return { row, time_s: time_s[row] };
}
