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
    'facts about the episode for search and filters: duration, rates, cameras, robot, tasks, outcome, gripper cycles, idle time, range and energy of motion; brightness, blur, clutter, scene cuts and camera motion; people, hands and environment found by other layers',
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
    how: 'fraction of the applicable facts that are known, all with the same weight',
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
