import { layerTitles } from '#core/titles';
import { allModes, countSampledPictures, type LayerRow } from '../../layer.ts';
import { statisticsSize } from '../../vision/frame-statistics.ts';
import { lane } from './lane.ts';

/** Analysed frames per second. */
const analysed_hz = 2;

/** The metadata layer. */
export const metadata: LayerRow = {
  id: 'metadata',
  title: layerTitles.metadata,
  produces:
    'facts of the episode for search and filters: duration, rates, cameras, robot, tasks, outcome, gripper cycles, rest, extent and energy of motion; brightness, blur, clutter, cuts and camera motion of its pictures, and who other layers saw in them',
  needs: {
    signals: true,
    frames: () => ({ cameras: 'all', rate_hz: analysed_hz, ...statisticsSize }),
    frames_optional: true,
    layers: [],
    layers_after_frames: ['object_labels', 'hand_pose', 'body_pose'],
    surfaces: [],
  },
  unfit: {},
  quality: {
    signal: 'filled_fraction',
    how: 'share told of the facts that such an episode has, each weighted alike',
  },
  exports: [],
  modes: allModes,
  fallback: 'in_run',
  not_served: null,
  knobs: {},
  planned_compute_s: (size) =>
    0.005 + 0.0001 * size.duration_s + 0.005 * countSampledPictures(size, analysed_hz),
  lane,
};
