import type { GripperConvention, Stream } from '#core/episode';
import { observedRange } from '../observed-range.ts';

/** A gripper whose meaning the layout of the file fixes. */
export interface KnownGripper {
  readonly unit: string;
  /** null: the unit is known, which value is open is not. */
  readonly open_value: number | null;
  /** What the numbers must stay within for the convention to be believed. */
  readonly range: readonly [number, number];
  readonly reason: string;
}

/**
 * One dimension of a stream as a gripper. Polarity is said only where the convention is known and the numbers fit it;
 * they alone decide nothing.
 */
export function gripperOf(stream: Stream, dimension: number, known: KnownGripper | null): GripperConvention {
  const { series = { values: new Float64Array(0), dims: 1 } } = stream;
  const range_observed = observedRange(series, dimension);
  const base = { stream: stream.id, dimension, name: stream.names?.[dimension] ?? null, range_observed };
  const unknown = { unit: 'unknown', open_value: null, evidence: 'unknown' } as const;
  if (known === null) {
    return { ...base, ...unknown, reason: 'the file does not say which value is open' };
  }
  const [low, high] = range_observed;
  if (low < known.range[0] || high > known.range[1]) {
    const reason = `the values ${low} to ${high} leave the range of the known convention (${known.reason})`;
    return { ...base, ...unknown, reason };
  }
  const { unit, open_value, reason } = known;
  return { ...base, unit, open_value, evidence: open_value === null ? 'unknown' : 'known_format', reason };
}
