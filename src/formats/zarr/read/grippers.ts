import type { GripperConvention, Stream } from '#core/episode';
import { observedRange } from '../../shared/observed-range.ts';

const gripperName = /gripper|finger|jaw|claw/i;

/**
 * Grippers by the names of arrays. UMI records the width between the fingers, so that larger is open; how wide open is
 * depends on the gripper. Of other sets nobody says which end is open, and numbers alone do not tell.
 */
export function grippersOf(streams: readonly Stream[], umi: boolean): GripperConvention[] {
  return streams.flatMap((stream) => {
    const { series, role, id } = stream;
    if (series === undefined || series.dims > 2 || (role !== 'state' && role !== 'action')) return [];
    if (!gripperName.test(id) || /vel|force|effort/i.test(id)) return [];
    return Array.from({ length: series.dims }, (_, dimension) => conventionOf(stream, dimension, umi));
  });
}

function conventionOf({ id, series }: Stream, dimension: number, umi: boolean): GripperConvention {
  const base = {
    stream: id,
    dimension,
    name: null,
    range_observed: observedRange(series!, dimension),
    open_value: null,
  };
  if (umi && /_gripper_width$/.test(id))
    return {
      ...base,
      unit: 'm between the fingers, larger is open',
      evidence: 'known_format',
      reason:
        'UMI records the width in metres; the width when open is the gripper’s own (gripper_range.json)',
    };
  return {
    ...base,
    unit: 'unknown',
    evidence: 'unknown',
    reason: 'a replay buffer does not say which value is open',
  };
}
