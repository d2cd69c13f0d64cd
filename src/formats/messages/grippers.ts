import type { GripperConvention, Stream } from '#episode';
import { significant } from '#kernel';

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
    const { dims } = stream.series;
    for (let d = 0; d < dims; d++) {
      const name = stream.names?.[d] ?? null;
      const named = gripperName.test(name ?? '') || (dims <= 2 && gripperName.test(stream.id));
      if (named) found.push(convention(stream, d, name));
    }
  }
  return found;
}

function convention(stream: Stream, dimension: number, name: string | null): GripperConvention {
  const { values, dims } = stream.series ?? { values: new Float64Array(0), dims: 1 };
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let at = dimension; at < values.length; at += dims) {
    if (values[at] < low) low = values[at];
    if (values[at] > high) high = values[at];
  }
  const seen = high >= low;
  return {
    stream: stream.id,
    dimension,
    name,
    unit: stream.unit.unit,
    range_observed: seen ? [significant(low), significant(high)] : [0, 0],
    open_value: null,
    evidence: 'unknown',
    reason: 'the recording does not say which value means open',
  };
}
