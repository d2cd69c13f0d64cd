import { defineRegistry } from '#core';
import { cocoDetection } from '../coco/export-format.ts';
import { imageFolder } from '../image-folder/export-format.ts';
import { lerobotV3, lerobotV21 } from '../lerobot/write/layouts/export-formats.ts';
import { mcapRecordings } from '../mcap/write/format.ts';
import type { ExportFormat } from '../shared/write/export-format.ts';
import { webDataset } from '../webdataset/format.ts';
import { zarrReplayBuffer } from '../zarr/export-format.ts';

/** All export formats, in display order. */
export const exportFormats = defineRegistry<ExportFormat>([
  lerobotV3,
  lerobotV21,
  webDataset,
  cocoDetection,
  imageFolder,
  zarrReplayBuffer,
  mcapRecordings,
]);
