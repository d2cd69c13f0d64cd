import type { Clock, ClockChoice, Stream, UnitOfMeasure } from '#core/episode';
import type { Feature } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import type { ReadColumn } from './episodes/row-reader.ts';

export function clockPart(clock: ChosenClock | null): Pick<Stream, 'clocks' | 'clock'> {
  return clock === null ? { clocks: [], clock: null } : { clocks: [clock.clock], clock: clock.choice };
}

export const noUnit: UnitOfMeasure = { unit: 'unknown', evidence: 'unknown', reason: 'not a quantity' };

export function numericStream(
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
    ...clockPart(clock),
    series: { values, dims },
  };
}

export function textStream(
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
    ...clockPart(clock),
  };
}

export interface ChosenClock {
  readonly clock: Clock;
  readonly choice: ClockChoice;
}

/** A stamp lies on the grid when it is off by less than this share of a period: no recorder's own clock is so even. */
const gridTolerance = 1e-3;
/** Single stamps that were changed afterwards do not turn a computed clock into a measured one. */
const gridShare = 0.9;

/**
 * The clock of an episode's rows. Stamps that lie on multiples of 1/fps (from the first stamp on) were computed, not
 * measured: LeRobot defines `timestamp` as frame_index / fps.
 */
export function clockOfRows(
  stamps: Float64Array | null,
  rows: number,
  fps: number | null,
): ChosenClock | null {
  if (stamps === null) {
    if (fps === null) return null;
    const time_s = Float64Array.from({ length: rows }, (_, row) => row / fps);
    return chosen(
      'row / fps',
      'synthesised',
      time_s,
      `the set has no timestamp column; row / ${fps} stands in`,
    );
  }
  if (fps === null) {
    return chosen(
      'timestamp',
      'log',
      stamps,
      'the only clock; whether it was computed is unknown without fps',
    );
  }
  const even = evenStamps(stamps, fps);
  if (even < gridShare * rows || rows < 2) {
    const reason = `the only clock; ${rows - even} of ${rows} stamps lie off the grid of ${fps} Hz`;
    return chosen('timestamp', rows < 2 ? 'synthesised' : 'log', stamps, reason);
  }
  const start = stamps[0] === 0 ? '' : ` from ${Number(stamps[0].toPrecision(6))} s on`;
  const reason =
    even === rows
      ? `every stamp is a frame number / ${fps}${start}: computed, not measured`
      : `${even} of ${rows} stamps are a frame number / ${fps}${start}: computed, not measured`;
  return chosen('timestamp', 'synthesised', stamps, reason);
}

function chosen(
  name: string,
  provenance: Clock['provenance'],
  time_s: Float64Array,
  reason: string,
): ChosenClock {
  return { clock: { name, provenance, time_s }, choice: { index: 0, reason } };
}

function evenStamps(stamps: Float64Array, fps: number): number {
  const start = stamps[0];
  let even = 0;
  for (let row = 0; row < stamps.length; row++) {
    const frames = (stamps[row] - start) * fps;
    if (Math.abs(frames - Math.round(frames)) < gridTolerance) even += 1;
  }
  return even;
}
