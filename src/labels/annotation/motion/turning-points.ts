/** An extreme of a series: the first and the last place at which it stood there before it turned. */
export interface TurningPoint {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly is_peak: boolean;
}

/**
 * The extremes of `values[from..to)` between which it rises or falls by at least `least` (hysteresis, a zigzag
 * filter): smaller to and fro is passed over. Peaks and valleys alternate; the last one is the extreme reached since
 * the last turn. One pass; none for a series that never moves so far. NaN must not be among them.
 */
export function turningPoints(values: Float64Array, from: number, to: number, least: number): TurningPoint[] {
  const found: TurningPoint[] = [];
  /** 1: rising towards a peak; −1: falling towards a valley; 0: not known yet. */
  let heading = 0;
  let [low, lowFrom, lowTo] = [values[from], from, from];
  let [high, highFrom, highTo] = [low, from, from];
  for (let i = from + 1; i < to; i++) {
    const value = values[i];
    if (value >= high) {
      if (value > high) highFrom = i;
      high = value;
      highTo = i;
    }
    if (value <= low) {
      if (value < low) lowFrom = i;
      low = value;
      lowTo = i;
    }
    const isPeak = heading >= 0 && high - value >= least;
    if (!isPeak && (heading > 0 || value - low < least)) continue;
    found.push(
      isPeak
        ? { from: highFrom, to: highTo, value: high, is_peak: true }
        : { from: lowFrom, to: lowTo, value: low, is_peak: false },
    );
    heading = isPeak ? -1 : 1;
    [low, lowFrom, lowTo] = [value, i, i];
    [high, highFrom, highTo] = [value, i, i];
  }
  if (heading > 0) found.push({ from: highFrom, to: highTo, value: high, is_peak: true });
  if (heading < 0) found.push({ from: lowFrom, to: lowTo, value: low, is_peak: false });
  return found;
}
