import type { Mode } from '../mode.ts';

export const v3VideoColumnsMissing: Mode = {
  id: 'v3_video_columns_missing',
  row: 45,
  versions: ['v3.0'],
  at: 'set',
  codes: ['video_columns_missing'],
  least: 'blocking',
  plant: (set, { camera }) => {
    const key = `videos/${set.recording.cameras[camera]}/`;
    for (const row of set.episodes)
      for (const name of Object.keys(row)) if (name.startsWith(key)) delete row[name];
  },
};
