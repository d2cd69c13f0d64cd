import type { FeatureStatistics } from '../aggregate-statistics.ts';
import type { KeptEpisode, PlacedVideo } from './kept-episode.ts';
import { placeOf } from './place-files.ts';
import type { EpisodeRow } from './write-metadata.ts';

export interface PlacedEpisode {
  readonly tasks: readonly string[];
  readonly data_file: number;
  /** By camera. */
  readonly videos: Readonly<Record<string, PlacedVideo>>;
  readonly statistics: Readonly<Record<string, FeatureStatistics>>;
}

/** The row of meta/episodes, its columns in LeRobot's order. */
export function episodeRow({ index, rows, from_row }: KeptEpisode, placed: PlacedEpisode): EpisodeRow {
  const data = placeOf(placed.data_file);
  const row: Record<string, unknown> = {
    episode_index: index,
    tasks: placed.tasks,
    length: rows,
    'data/chunk_index': data.chunk_index,
    'data/file_index': data.file_index,
    dataset_from_index: from_row,
    dataset_to_index: from_row + rows,
  };
  for (const [camera, { file, from_s, to_s }] of Object.entries(placed.videos)) {
    const { chunk_index, file_index } = placeOf(file);
    row[`videos/${camera}/chunk_index`] = chunk_index;
    row[`videos/${camera}/file_index`] = file_index;
    row[`videos/${camera}/from_timestamp`] = from_s;
    row[`videos/${camera}/to_timestamp`] = to_s;
  }
  for (const [feature, statistics] of Object.entries(placed.statistics))
    for (const [name, value] of Object.entries(statistics)) row[`stats/${feature}/${name}`] = value;
  row['meta/episodes/chunk_index'] = 0;
  row['meta/episodes/file_index'] = 0;
  return row;
}
