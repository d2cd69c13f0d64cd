import { layerTitles } from '#core/titles';
import { type LayerRow, noMotionReason, noPicturesReason } from '../../layer.ts';

/** The 3D representation layer, which is catalogued but not implemented. */
export const representation3d: LayerRow = {
  id: 'representation_3d',
  title: layerTitles.representation_3d,
  produces: 'a scene that can be looked at from places where no camera was',
  needs: { signals: false, frames: null, layers: [], surfaces: [] },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: { signal: 'held_out_fidelity', how: 'likeness of held-out frames to what the scene shows there' },
  exports: [],
  modes: [],
  fallback: 'off',
  not_served: 'no program that builds such scenes is deployed with this version',
  knobs: {},
  planned_compute_s: () => 0,
  lane: null,
};
