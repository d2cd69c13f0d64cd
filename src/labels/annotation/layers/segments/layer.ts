import { layerTitles } from '#core/titles';
import { allModes, type LayerRow, noMotionReason } from '../../layer.ts';
import { statisticsSize } from '../../vision/frame-statistics.ts';
import { knobs, lane } from './lane.ts';

/** The segments layer. */
export const segments: LayerRow = {
  id: 'segments',
  title: layerTitles.segments,
  produces: 'segments of the episode between gripper events, stops and changes of motion, each with its kind',
  needs: {
    signals: true,
    frames: () => ({ cameras: 'first', rate_hz: 5, ...statisticsSize }),
    frames_optional: true,
    layers: [],
    surfaces: [],
  },
  unfit: {
    'drive-log': 'driving is one continuous action; for manoeuvres see the metadata layer',
    'vision-asset': noMotionReason,
  },
  quality: {
    signal: 'boundary_contrast',
    how: 'median over the boundaries of how much the motion or gripper state differs between both sides, relative to its variation within them',
  },
  exports: ['lerobot-v3', 'webdataset', 'mcap'],
  modes: allModes,
  fallback: 'in_run',
  not_served: null,
  knobs,
  planned_compute_s: ({ duration_s }) => 0.01 + 0.0005 * duration_s,
  lane,
};
