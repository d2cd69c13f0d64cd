export const kinds = [
  'teleop',
  'egocentric',
  'drive-log',
  'aerial-flight',
  'state-only',
  'vision-asset',
] as const;
export type Kind = (typeof kinds)[number];
