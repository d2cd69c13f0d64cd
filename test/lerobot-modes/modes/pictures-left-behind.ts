import type { Mode } from '../mode.ts';

const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export const picturesLeftBehind: Mode = {
  id: 'pictures_left_behind',
  row: 50,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['pictures_left_behind'],
  least: 'info',
  plant: (set) => {
    const folder = `images/${set.recording.cameras[0]}/episode_000009`;
    for (const frame of ['000000', '000001', '000002']) set.extra[`${folder}/frame_${frame}.png`] = png;
  },
};
