import type { Mode } from '../mode.ts';

/** Channels first under names that say channels last, or no names. */
export const pictureShapeTurned: Mode = {
  id: 'picture_shape_turned',
  row: 23,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['picture_shape_turned', 'camera_names_wrong'],
  least: 'error',
  plant: (set, { camera, random }) => {
    const feature = set.info.features[set.recording.cameras[camera]];
    if (random.next() < 0.5) feature.names = null;
    else feature.shape = [feature.shape[2], feature.shape[0], feature.shape[1]];
  },
};
