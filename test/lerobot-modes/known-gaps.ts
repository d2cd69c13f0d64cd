/** Modes that are not named in every set. All others must be, in each version that they can be planted in. */
export const notAlwaysNamed: readonly string[] = [
  'camera_lags',
  'instruction_wrong',
  'joints_swapped',
  'operator_idle',
];

/** Sound sets that are accused of something. No other may be: nothing above a remark, and every episode accepted. */
export const accusedYet: readonly string[] = ['fifteen_rows_a_second'];
