import type { Stream, UnitOfMeasure } from '#core/episode';
import type { Feature } from '../metadata/info.ts';
import type { LeRobotSet } from '../metadata/lerobot-set.ts';
import type { ChosenClock } from './clock.ts';
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
