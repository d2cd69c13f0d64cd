import { layerTitles } from '#core/titles';
import { numberKnob } from '../../knob.ts';
import {
  countSampledPictures,
  type LayerRow,
  noMotionReason,
  noPicturesReason,
  onDemandModes,
} from '../../layer.ts';
import { lane, trackingRate_hz } from './lane.ts';

/** The tracks layer. */
export const tracks: LayerRow = {
  id: 'tracks',
  title: layerTitles.tracks,
  produces: 'tracks of each object (or of points, if no objects are detected) through the frames of a camera',
  needs: {
    signals: false,
    frames: () => ({ cameras: 'all', rate_hz: trackingRate_hz, longest_side_px: 640 }),
    layers: ['object_labels'],
    models: [{ surface: 'tracking' }, { surface: 'detection' }],
  },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: {
    signal: 'unbroken_fraction',
    how: 'fraction of the tracked time in tracks without gaps or jumps',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: onDemandModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    min_track_s: numberKnob([0.1, 10, 0.5], 's', { summary: 'minimum duration of a track' }),
    max_gap_s: numberKnob([0, 5, 1], 's', {
      summary: 'maximum time an object may be out of sight within a track',
    }),
  },
  planned_compute_s: (size) => 0.15 * countSampledPictures(size, trackingRate_hz),
  lane,
};
