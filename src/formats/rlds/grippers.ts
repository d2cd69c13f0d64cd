import type { GripperConvention, Stream } from '#core/episode';
import { observedRange } from '../shared/observed-range.ts';
import type { KnownDataset, KnownGripper } from './known-datasets.ts';

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Grippers of an episode: those of a data set whose convention is known, and streams so named. Polarity is said only
 * where the name fixes it or the convention does and the numbers fit it; numbers alone decide nothing.
 */
export function grippersOf(streams: readonly Stream[], known: KnownDataset | null): GripperConvention[] {
  return streams.flatMap((stream) => {
    const { series, role, id } = stream;
    if (series === undefined || series.dims === 0 || (role !== 'state' && role !== 'action')) return [];
    const row = known?.grippers.find((one) => one.stream.test(id) && one.dims === series.dims);
    if (row !== undefined) return [byConvention(stream, row)];
    if (series.dims > 2 || !gripperName.test(id) || /velocity|effort|force/i.test(id)) return [];
    return Array.from({ length: series.dims }, (_, dimension) => byName(stream, dimension));
  });
}

function byConvention(stream: Stream, row: KnownGripper): GripperConvention {
  const base = baseOf(stream, stream.series!.dims - 1);
  const [low, high] = base.range_observed;
  const { unit, open_value, range, reason } = row;
  if (low >= range[0] && high <= range[1])
    return { ...base, unit, open_value, evidence: 'known_format', reason };
  return {
    ...base,
    unit: 'unknown',
    open_value: null,
    evidence: 'unknown',
    reason: `the values ${low} to ${high} leave the range of the data set's known convention (${reason})`,
  };
}

/** `open_gripper` says itself which value opens; nothing else does. */
function byName(stream: Stream, dimension: number): GripperConvention {
  const base = baseOf(stream, dimension);
  const [low, high] = base.range_observed;
  if (/(^|\/)open_gripper$/.test(stream.id) && low >= 0 && high <= 1)
    return {
      ...base,
      unit: '0..1 open',
      open_value: 1,
      evidence: 'declared',
      reason: 'by the name of the feature',
    };
  const reason = 'neither the files nor the name of the data set say which value is open';
  return { ...base, unit: 'unknown', open_value: null, evidence: 'unknown', reason };
}

function baseOf(
  { id, series }: Stream,
  dimension: number,
): Pick<GripperConvention, 'stream' | 'dimension' | 'name' | 'range_observed'> {
  return { stream: id, dimension, name: null, range_observed: observedRange(series!, dimension) };
}
