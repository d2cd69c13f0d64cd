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
  produces: 'the way of each object, or of points where none is detected, through the frames of a camera',
  needs: {
    signals: false,
    frames: () => ({ cameras: 'all', rate_hz: trackingRate_hz, longest_side_px: 640 }),
    layers: ['object_labels'],
    surfaces: ['tracking', 'detection'],
  },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: {
    signal: 'unbroken_fraction',
    how: 'share of the tracked time that lies in tracks without a gap or a leap',
  },
  exports: ['lerobot-v3', 'lerobot-v2.1'],
  modes: onDemandModes,
  fallback: 'on_demand',
  not_served: null,
  knobs: {
    min_track_s: numberKnob([0.1, 10, 0.5], 's', { summary: 'shortest track that is kept' }),
    max_gap_s: numberKnob([0, 5, 1], 's', { summary: 'longest time out of sight that a track survives' }),
  },
  planned_compute_s: (size) => 0.15 * countSampledPictures(size, trackingRate_hz),
  lane,
};
