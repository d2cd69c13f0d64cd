import { significant } from '#core';
import type { GripperConvention, Series, Stream } from '#core/episode';

/** Gripper convention that a file layout defines. */
export interface GripperLayout {
  readonly unit: string;
  /** `null` if only the unit is known, not which value means open. */
  readonly open_value: number | null;
  /** Range that the values must stay within for the convention to be accepted. */
  readonly range: readonly [number, number];
  readonly reason: string;
}

/**
 * Describes one dimension of a stream as a gripper; the open value is set only if `known` defines it and the values lie
 * in its range. It is never guessed from the values alone.
 */
export function describeGripper(
  stream: Stream,
  dimension: number,
  known: GripperLayout | null,
): GripperConvention {
  const { series = { values: new Float64Array(0), dims: 1 } } = stream;
  const range_observed = observedRange(series, dimension);
  const base = { stream: stream.id, dimension, name: stream.names?.[dimension] ?? null, range_observed };
  const unknown = { unit: 'unknown', open_value: null, evidence: 'unknown' } as const;
  if (known === null) {
    return { ...base, ...unknown, reason: 'the file does not define which gripper value means open' };
  }
  const [low, high] = range_observed;
  if (low < known.range[0] || high > known.range[1]) {
    const reason = `the values ${low} to ${high} are outside the range of the known convention (${known.reason})`;
    return { ...base, ...unknown, reason };
  }
  const { unit, open_value, reason } = known;
  return { ...base, unit, open_value, evidence: open_value === null ? 'unknown' : 'known_format', reason };
}

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Returns the gripper dimensions of state and action streams, found by their names, with the range of their values; the
 * open value stays `null`. These message definitions do not say which end is open, and it is not guessed from the
 * values.
 */
export function detectGrippers(streams: readonly Stream[]): GripperConvention[] {
  const found: GripperConvention[] = [];
  for (const stream of streams) {
    if (stream.series === undefined || (stream.role !== 'state' && stream.role !== 'action')) continue;
    if (/velocity|effort/.test(stream.id)) continue;
    const { series } = stream;
    const { dims } = series;
    for (let d = 0; d < dims; d++) {
      const name = stream.names?.[d] ?? null;
      const named = gripperName.test(name ?? '') || (dims <= 2 && gripperName.test(stream.id));
      if (named) found.push(undeclaredGripper(stream, series, d, name));
    }
  }
  return found;
}

function undeclaredGripper(
  stream: Stream,
  series: Series,
  dimension: number,
  name: string | null,
): GripperConvention {
  return {
    stream: stream.id,
    dimension,
    name,
    unit: stream.unit.unit,
    range_observed: observedRange(series, dimension),
    open_value: null,
    evidence: 'unknown',
    reason: 'the recording does not define which gripper value means open',
  };
}

/**
 * Returns [min, max] of one dimension in the unit of the values, rounded to significant digits; [0, 0] if it has no
 * number.
 */
export function observedRange({ values, dims }: Series, dimension: number): readonly [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = dimension; at < values.length; at += dims) {
    const value = values[at];
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high >= low ? [significant(low), significant(high)] : [0, 0];
}
