/** What numbers of a depth camera mean; `step` is null where nobody knows. */
export interface RecordedUnit {
  /** Metres of a step of one. */
  readonly step_m: number | null;
  readonly reason: string;
}

/**
 * By the convention of ROS (REP 118): 16UC1 is in millimetres, 32FC1 in metres. What no encoding is known of has no unit.
 */
export function recordedUnit(encoding: string | null): RecordedUnit {
  if (encoding !== null && /32FC1.*compressedDepth/i.test(encoding))
    return {
      step_m: null,
      reason: 'compressedDepth of 32FC1 keeps inverse depth by parameters that are not read here',
    };
  if (encoding !== null && /16UC1/i.test(encoding))
    return { step_m: 0.001, reason: '16UC1 is in millimetres (REP 118)' };
  if (encoding !== null && /32FC1/i.test(encoding))
    return { step_m: 1, reason: '32FC1 is in metres (REP 118)' };
  return { step_m: null, reason: 'the recording does not say in which unit its depth is' };
}
