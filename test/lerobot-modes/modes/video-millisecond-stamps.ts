import type { Mode } from '../mode.ts';

/** Whole milliseconds, which cannot say 1/30 s. */
export const videoMillisecondStamps: Mode = {
  id: 'video_millisecond_stamps',
  row: 21,
  versions: ['v2.1', 'v3.0'],
  at: 'set',
  codes: ['video_stamps_off_grid', 'camera_rows_refused'],
  least: 'blocking',
  plant: (set) => {
    for (const file of set.videos) file.encoding = { muxer: { video_track_timescale: '1000' } };
  },
};
