/** Export formats, in display order. */
export const exportFormatIds = [
  'lerobot-v3',
  'lerobot-v2.1',
  'webdataset',
  'coco-detection',
  'image-folder',
  'zarr-replay-buffer',
  'mcap',
] as const;
export type ExportFormatId = (typeof exportFormatIds)[number];
