import { anyMode, type LayerRow, noTime } from '../../layer.ts';
import { look } from '../../looks/grey.ts';
import { knobs, lane } from './lane.ts';

export const segments: LayerRow = {
  id: 'segments',
  title: 'Segments',
  produces: 'spans of the episode between gripper events, stops and changes of motion, each with its kind',
  needs: {
    signals: true,
    frames: () => ({ cameras: 'first', rate_hz: 5, ...look }),
    frames_optional: true,
    layers: [],
    surfaces: [],
  },
  unfit: {
    'drive-log': 'driving is one unbroken act; manoeuvres are not segmented',
    'vision-asset': noTime,
  },
  quality: {
    signal: 'boundary_contrast',
    how: 'median, over boundaries, of how much motion, or the gripper, differs between both sides, relative to how it varies within them',
  },
  exports: ['lerobot-v3', 'webdataset', 'mcap'],
  modes: anyMode,
  fallback: 'in_run',
  not_served: null,
  knobs,
  planned_compute_s: ({ duration_s }) => 0.01 + 0.0005 * duration_s,
  lane,
};
