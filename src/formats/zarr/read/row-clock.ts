import type { Clock, ClockChoice } from '#core/episode';

/** When the rows of an episode were taken. */
export interface RowClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
  /** Zero of the stamps, nanoseconds since 1970; null where they do not count from there. */
  readonly start_ns: string | null;
  readonly duration_s: number;
}

/** GoPro's 59.94, which is 60000 / 1001. */
const umiRate_hz = 60_000 / 1001;
/** Later than 1973: seconds since 1970, not since some start. */
const epoch_s = 1e8;
/** As for LeRobot: no recorder's own clock keeps to a grid so well. */
const gridTolerance = 1e-3;
const gridShare = 0.9;

/** UMI keeps no times; its rows are the frames of a GoPro. */
export function umiClock(rows: number): RowClock {
  const time_s = Float64Array.from({ length: rows }, (_, row) => row / umiRate_hz);
  const reason = 'UMI keeps no times; its rows are frames of a GoPro, 59.94 a second by how they are made';
  return {
    clock: { name: 'row / 59.94 Hz', provenance: 'synthesised', time_s },
    choice: { index: 0, reason },
    start_ns: null,
    duration_s: rows / umiRate_hz,
  };
}

/** The array `timestamp`, from the episode's first stamp on where it counts from 1970. */
export function stampClock(stamps: Float64Array): RowClock {
  const since = stamps.length > 0 && stamps[0] > epoch_s ? stamps[0] : null;
  const time_s = since === null ? stamps : stamps.map((stamp) => stamp - since);
  const rows = time_s.length;
  const span = rows === 0 ? 0 : time_s[rows - 1] - time_s[0];
  const period = rows > 1 ? span / (rows - 1) : 0;
  const { even, step } = evenness(time_s);
  const computed = rows > 1 && even >= gridShare * (rows - 1);
  const rate = step > 0 ? `${Number((1 / step).toPrecision(4))} Hz` : 'one time';
  return {
    clock: { name: 'timestamp', provenance: computed ? 'synthesised' : 'log', time_s },
    choice: {
      index: 0,
      reason: computed
        ? `${even} of ${rows - 1} steps of the array timestamp are those of ${rate}: laid on a grid, not measured`
        : 'the array timestamp, the only clock of the set',
    },
    start_ns: since === null ? null : String(BigInt(Math.round(since * 1e6)) * 1000n),
    duration_s: Number.isFinite(span) ? Math.max(0, span + period) : 0,
  };
}

/** Steps as long as the first one, on which the library relies: it takes dt from the first two stamps. */
function evenness(time_s: Float64Array): { even: number; step: number } {
  const step = time_s.length > 1 ? time_s[1] - time_s[0] : 0;
  let even = 0;
  for (let row = 1; row < time_s.length; row++) {
    const steps = (time_s[row] - time_s[row - 1]) / step;
    if (Math.abs(steps - 1) < gridTolerance) even++;
  }
  return { even, step };
}
