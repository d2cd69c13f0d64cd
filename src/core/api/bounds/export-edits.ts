/** What an export may change on the way, in the order in which it is done. */
export const exportEditIds = [
  'drop',
  'convert',
  'cut',
  'shift',
  'trim',
  'video',
  'size',
  'rename',
  'split',
] as const;
export type ExportEditId = (typeof exportEditIds)[number];
