import type { CleanVariant } from '../mode.ts';
import { libraryFooter, pngOf } from '../tables-with-pictures.ts';

/** Version 3 reads them without the library's own footer entry as well; version 2.1 needs it. */
export const picturesInTables: CleanVariant = {
  id: 'pictures_in_tables',
  versions: ['v2.1', 'v3.0'],
  record: (recording) => {
    recording.cameras = recording.cameras.slice(0, 1);
    for (const episode of recording.episodes) episode.shots = episode.shots.slice(0, 1);
  },
  lay: (set) => {
    const [camera] = set.recording.cameras;
    set.videos = [];
    set.info.video_path = null;
    const { shape, names } = set.info.features[camera];
    set.info.features[camera] = { dtype: 'image', shape, names };
    for (const row of set.episodes)
      for (const name of Object.keys(row)) if (name.startsWith('videos/')) delete row[name];
    for (const file of set.data) {
      file.columns[camera] = 'PICTURE';
      for (const { values, truth } of file.rows) {
        const shot = set.recording.episodes[truth.episode].shots[0][truth.row];
        values[camera] = pngOf(set.studio.picture(shot));
      }
      if (set.version === 'v2.1') file.footer = { huggingface: libraryFooter(set) };
    }
    if (set.version === 'v2.1') set.info.total_videos = 0;
  },
};
