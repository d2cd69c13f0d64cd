import { defineRegistry } from '#kernel';
import { cocoDetection } from './coco-detection/format.ts';
import type { ExportFormat } from './export-format.ts';
import { imageFolder } from './image-folder/format.ts';
import { lerobotV21 } from './lerobot-v2.1/format.ts';
import { lerobotV3 } from './lerobot-v3/format.ts';
import { mcapRecordings } from './mcap/format.ts';
import { webDataset } from './webdataset/format.ts';
import { zarrReplayBuffer } from './zarr-replay-buffer/format.ts';

/** Every export format, in the order in which they are shown. */
export const exportFormats = defineRegistry<ExportFormat>([
  lerobotV3,
  lerobotV21,
  webDataset,
  cocoDetection,
  imageFolder,
  zarrReplayBuffer,
  mcapRecordings,
]);
