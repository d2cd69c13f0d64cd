import { anywhere, type Mode } from '../mode.ts';

/** A buffer holds a camera back by a fixed number of frames. */
export const cameraLags: Mode = {
  id: 'camera_lags',
  row: 28,
  versions: ['v2.1', 'v3.0'],
  at: anywhere,
  codes: ['camera_lag', 'camera_lags'],
  least: 'warning',
  record: ({ episodes }, { episode, camera, random }) => {
    const lag = random.integer(6, 10);
    const shots = episodes[episode].shots[camera];
    episodes[episode].shots[camera] = shots.map((shot, row) =>
      row < lag ? { ...shots[0], grain: 20 + row } : { ...shots[row - lag], grain: shot.grain ?? 1 },
    );
  },
};
