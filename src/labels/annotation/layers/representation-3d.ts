import { layerTitles } from '#core/titles';
import { type LayerRow, noMotionReason, noPicturesReason } from '../layer.ts';

/** The 3D representation layer, which is catalogued but not implemented. */
export const representation3d: LayerRow = {
  id: 'representation_3d',
  title: layerTitles.representation_3d,
  produces: 'a 3D scene that can be rendered from new viewpoints',
  needs: { signals: false, frames: null, layers: [], models: [] },
  unfit: { 'state-only': noPicturesReason, 'vision-asset': noMotionReason },
  quality: { signal: 'held_out_fidelity', how: 'similarity of rendered views to held-out frames' },
  exports: [],
  modes: [],
  fallback: 'off',
  not_served: '3D reconstruction is not part of this version',
  knobs: {},
  planned_compute_s: () => 0,
  lane: null,
};
