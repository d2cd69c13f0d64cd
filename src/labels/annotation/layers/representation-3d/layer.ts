import { type LayerRow, noPictures, noTime } from '../../layer.ts';

export const representation3d: LayerRow = {
  id: 'representation_3d',
  title: '3D representation',
  produces: 'a scene that can be looked at from places where no camera was',
  needs: { signals: false, frames: null, layers: [], surfaces: [] },
  unfit: { 'state-only': noPictures, 'vision-asset': noTime },
  quality: { signal: 'held_out_fidelity', how: 'likeness of held-out frames to what the scene shows there' },
  exports: [],
  modes: [],
  fallback: 'off',
  not_served: 'no program that builds such scenes is deployed with this version',
  knobs: {},
  planned_compute_s: () => 0,
  lane: null,
};
