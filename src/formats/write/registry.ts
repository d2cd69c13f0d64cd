import { defineRegistry } from '#core';
import { cocoDetection } from '../coco/write/format.ts';
import { imageFolder } from '../image-folder/write/format.ts';
import { lerobotV3 } from '../lerobot/write/v3/format.ts';
import { lerobotV21 } from '../lerobot/write/v21/format.ts';
import { mcapRecordings } from '../mcap/write/format.ts';
import type { ExportFormat } from '../shared/write/export-format.ts';
import { webDataset } from '../webdataset/format.ts';
import { zarrReplayBuffer } from '../zarr/write/format.ts';

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
