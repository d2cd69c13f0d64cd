/** Kinds of episodes, by what their streams record. */
export const kinds = [
  'teleop',
  'egocentric',
  'drive-log',
  'aerial-flight',
  'state-only',
  'vision-asset',
] as const;
export type Kind = (typeof kinds)[number];
