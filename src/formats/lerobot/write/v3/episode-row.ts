import type { PlacedEpisode } from '../layout.ts';
import { placeOf } from './place-files.ts';

/** A row of meta/episodes as plain JSON, statistics as `stats/<feature>/<name>`. */
export type EpisodeRow = Readonly<Record<string, unknown>>;

/** The row of meta/episodes, its columns in LeRobot's order. */
export function episodeRow({ index, rows, from_row, ...episode }: PlacedEpisode): EpisodeRow {
  const data = placeOf(episode.data_file);
  const row: Record<string, unknown> = {
    episode_index: index,
    tasks: episode.tasks,
    length: rows,
    'data/chunk_index': data.chunk_index,
    'data/file_index': data.file_index,
    dataset_from_index: from_row,
    dataset_to_index: from_row + rows,
  };
  for (const [camera, { file, from_s, to_s }] of Object.entries(episode.placed)) {
    const { chunk_index, file_index } = placeOf(file);
    row[`videos/${camera}/chunk_index`] = chunk_index;
    row[`videos/${camera}/file_index`] = file_index;
    row[`videos/${camera}/from_timestamp`] = from_s;
    row[`videos/${camera}/to_timestamp`] = to_s;
  }
  for (const [feature, statistics] of Object.entries(episode.statistics))
    for (const [name, value] of Object.entries(statistics)) row[`stats/${feature}/${name}`] = value;
  row['meta/episodes/chunk_index'] = 0;
  row['meta/episodes/file_index'] = 0;
  return row;
}
