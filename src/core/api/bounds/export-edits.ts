/** Ids of the edits that an export can make, in the order in which they are applied. */
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
