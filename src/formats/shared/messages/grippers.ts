import type { GripperConvention, Series, Stream } from '#core/episode';
import { observedRange } from '../observed-range.ts';

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Dimensions whose name says gripper, with the range they moved in. Which end is open is not told by any of these
 * message definitions, and is not guessed from the numbers.
 */
export function grippersOf(streams: readonly Stream[]): GripperConvention[] {
  const found: GripperConvention[] = [];
  for (const stream of streams) {
    if (stream.series === undefined || (stream.role !== 'state' && stream.role !== 'action')) continue;
    if (/velocity|effort/.test(stream.id)) continue;
    const { series } = stream;
    const { dims } = series;
    for (let d = 0; d < dims; d++) {
      const name = stream.names?.[d] ?? null;
      const named = gripperName.test(name ?? '') || (dims <= 2 && gripperName.test(stream.id));
      if (named) found.push(convention(stream, series, d, name));
    }
  }
  return found;
}

function convention(
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
    reason: 'the recording does not say which value means open',
  };
}
