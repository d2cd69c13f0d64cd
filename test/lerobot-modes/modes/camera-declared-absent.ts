import type { Mode } from '../mode.ts';

export const cameraDeclaredAbsent: Mode = {
  id: 'camera_declared_absent',
  row: 26,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['camera_without_files'],
  least: 'blocking',
  plant: (set) => {
    set.info.features['observation.images.wrist'] = { ...set.info.features[set.recording.cameras[0]] };
  },
};
