import type { Clock, ClockChoice, Stream, UnitOfMeasure } from '#core/episode';
import type { Feature } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import type { ReadColumn } from './episodes/row-reader.ts';

/** Returns the clock fields of a stream: the chosen clock and the reason, or no clock. */
export function clockFields(clock: ChosenClock | null): Pick<Stream, 'clocks' | 'clock'> {
  return clock === null ? { clocks: [], clock: null } : { clocks: [clock.clock], clock: clock.choice };
}

/** Unit of streams that are not quantities. */
export const noUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'not a physical quantity',
};

/**
 * Creates the stream of a numeric column with its values; shape and names are the declared ones only if the rows have
 * the declared width.
 */
export function createNumericStream(
  set: LeRobotSet,
  column: ReadColumn,
  unit: UnitOfMeasure,
  rows: number,
  clock: ChosenClock | null,
): Stream {
  const { plan, dims, values } = column;
  const { feature } = plan;
  return {
    id: feature.key,
    role: plan.role,
    modality: 'numeric',
    shape: dims === plan.dims && feature.shape.length > 0 ? feature.shape : [dims],
    names: dims === plan.dims ? feature.names : null,
    unit,
    declared_rate_hz: set.info.fps,
    sample_count: rows,
    ...clockFields(clock),
    series: { values, dims },
  };
}

/** Creates the stream of a text column, with role `annotation` and without its texts. */
export function createTextStream(
  set: LeRobotSet,
  feature: Feature,
  rows: number,
  clock: ChosenClock | null,
): Stream {
  return {
    id: feature.key,
    role: 'annotation',
    modality: 'text',
    shape: feature.shape,
    names: null,
    unit: noUnit,
    declared_rate_hz: set.info.fps,
    sample_count: rows,
    ...clockFields(clock),
  };
}

/** The clock of an episode with the reason for its choice. */
export interface ChosenClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/** Maximum offset of a timestamp from the grid, in periods; no measured clock is that regular. */
const gridTolerance_periods = 1e-3;
/** Minimum fraction of timestamps on the grid for a computed clock; some may have been changed afterwards. */
const minGridFraction = 0.9;

/**
 * Returns the timestamps as clock, `synthesised` if at least 90 % of them are multiples of 1 / fps, else `log`; row /
 * fps without timestamps, and null without both. LeRobot defines `timestamp` as frame_index / fps, so such timestamps
 * are computed, not measured. Multiples count from the first timestamp on.
 */
export function chooseClock(
  stamps: Float64Array | null,
  rows: number,
  fps: number | null,
): ChosenClock | null {
  if (stamps === null) {
    if (fps === null) return null;
    const time_s = Float64Array.from({ length: rows }, (_, row) => row / fps);
    return createClock(
      'row / fps',
      'synthesised',
      time_s,
      `the dataset has no timestamp column; row / ${fps} is used instead`,
    );
  }
  if (fps === null) {
    return createClock(
      'timestamp',
      'log',
      stamps,
      'the only clock; without fps, it is unknown whether it was measured or computed',
    );
  }
  const even = countGridStamps(stamps, fps);
  if (even < minGridFraction * rows || rows < 2) {
    const reason = `the only clock; ${rows - even} of ${rows} timestamps are not multiples of 1 / ${fps} s`;
    return createClock('timestamp', rows < 2 ? 'synthesised' : 'log', stamps, reason);
  }
  const start = stamps[0] === 0 ? '' : `, starting at ${Number(stamps[0].toPrecision(6))} s`;
  const reason =
    even === rows
      ? `every timestamp is a frame number / ${fps}${start}: computed, not measured`
      : `${even} of ${rows} timestamps are a frame number / ${fps}${start}: computed, not measured`;
  return createClock('timestamp', 'synthesised', stamps, reason);
}

function createClock(
  name: string,
  provenance: Clock['provenance'],
  time_s: Float64Array,
  reason: string,
): ChosenClock {
  return { clock: { name, provenance, time_s }, choice: { index: 0, reason } };
}

/** Counts the timestamps on the grid. */
function countGridStamps(stamps: Float64Array, fps: number): number {
  const start = stamps[0];
  let even = 0;
  for (let row = 0; row < stamps.length; row++) {
    const frames = (stamps[row] - start) * fps;
    if (Math.abs(frames - Math.round(frames)) < gridTolerance_periods) even += 1;
  }
  return even;
}
