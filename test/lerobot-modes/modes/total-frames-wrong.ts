import type { Mode } from '../mode.ts';

export const totalFramesWrong: Mode = {
  id: 'total_frames_wrong',
  row: 48,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['total_frames_wrong', 'metadata_count_mismatch'],
  least: { 'v2.1': 'warning', 'v3.0': 'blocking' },
  plant: (set, { random }) => {
    set.info.total_frames += random.integer(5, 40);
  },
};
