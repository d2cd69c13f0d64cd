import { anyMode, type LayerRow, signals } from '../../layer.ts';
import { lane } from './lane.ts';

export const metadata: LayerRow = {
  id: 'metadata',
  title: 'Metadata',
  produces:
    'facts of the episode for search and filters: duration, rates, cameras, robot, tasks, outcome, gripper cycles, rest, extent and energy of motion',
  needs: signals,
  unfit: {},
  quality: {
    signal: 'filled_fraction',
    how: 'share told of the facts that such an episode has, each weighted alike',
  },
  exports: ['lerobot-v3', 'webdataset', 'coco-detection', 'image-folder', 'zarr-replay-buffer'],
  modes: anyMode,
  fallback: 'in_run',
  not_served: null,
  knobs: {},
  planned_compute_s: ({ duration_s }) => 0.005 + 0.0001 * duration_s,
  lane,
};
