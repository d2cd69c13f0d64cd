import { integer, number } from '../knob.ts';
import { anyMode, type LayerRow, noTime } from '../layer.ts';

export const segments: LayerRow = {
  id: 'segments',
  title: 'Segments',
  produces: 'spans of the episode between gripper events, stops and changes of motion, each with its kind',
  surfaces: [],
  unfit: {
    'drive-log': 'driving is one unbroken act; manoeuvres are not segmented',
    'vision-asset': noTime,
  },
  quality: {
    signal: 'boundary_contrast',
    how: 'median, over boundaries, of how much motion, or the gripper, differs between both sides, relative to how it varies within them',
  },
  exports: ['lerobot-v3', 'webdataset', 'zarr-replay-buffer'],
  modes: anyMode,
  fallback: 'in_run',
  not_served: null,
  knobs: {
    min_duration_s: number([0.2, 10, 0.5], 's', { summary: 'shortest span' }),
    max_segments: integer([1, 200, 50], null, { summary: 'most spans of an episode' }),
  },
  planned_compute_s: ({ duration_s }) => 0.01 + 0.0005 * duration_s,
};
