import type { ExportFormatId } from '#contract';
import type { Kind } from '#episode';
import { defineRegistry } from '#kernel';

/** A format that training data leaves in. */
interface ExportFormat {
  readonly id: ExportFormatId;
  readonly title: string;
  readonly carries: string;
  /** Kinds of data that it can hold. */
  readonly kinds: readonly Kind[];
  /** Why it cannot hold the others. */
  readonly otherwise: string;
}

const inTime = ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'state-only'] as const;
const withPictures = ['teleop', 'egocentric', 'drive-log', 'aerial-flight', 'vision-asset'] as const;

/** Every export format, in the order in which they are shown. */
export const exportFormats = defineRegistry<ExportFormat>([
  {
    id: 'lerobot-v3',
    title: 'LeRobot v3',
    carries: 'state, action, cameras as video, task text; one rate an episode set',
    kinds: inTime,
    otherwise: 'its rows are steps in time; still pictures have none',
  },
  {
    id: 'webdataset',
    title: 'WebDataset shards',
    carries: 'samples of any files in tar shards, read as a stream',
    kinds: [...inTime, 'vision-asset'],
    otherwise: '',
  },
  {
    id: 'coco-detection',
    title: 'COCO detection',
    carries: 'pictures with boxes, masks and categories',
    kinds: withPictures,
    otherwise: 'it holds labelled pictures; these recordings have no camera',
  },
  {
    id: 'image-folder',
    title: 'Image folder',
    carries: 'pictures in folders, with metadata.jsonl beside them',
    kinds: withPictures,
    otherwise: 'it holds pictures; these recordings have no camera',
  },
  {
    id: 'zarr-replay-buffer',
    title: 'zarr replay buffer',
    carries: 'one array a signal over all episodes, with the ends of the episodes',
    kinds: ['teleop', 'egocentric', 'state-only'],
    otherwise:
      'its arrays share one rate and one length; these recordings have sensors of many rates, or no time',
  },
]);
