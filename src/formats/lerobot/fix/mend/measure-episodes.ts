import type { LeRobotDraft } from '../draft/draft.ts';
import type { DraftEpisode } from '../draft/episode.ts';
import { tablePath } from './list-episodes.ts';
import { changed, type Home, homesOf, type Mend } from './mend.ts';

/** Lengths, row ranges and files of the table of episodes are those of the data. */
export const measureEpisodes: Mend = {
  id: 'measure-episodes',
  title: 'Lengths, row ranges and files in the table of episodes are those of the data',
  answers: ['length_mismatch', 'row_range_wrong', 'episode_elsewhere'],
  run: (draft) => {
    const homes = homesOf(draft);
    for (const episode of draft.episodes) {
      const home = homes.get(episode.index);
      if (home !== undefined) measure(draft, episode, home);
    }
  },
};

function measure(draft: LeRobotDraft, episode: DraftEpisode, { file, span, from }: Home): void {
  put(draft, episode, 'length', 'length', span.rows, 'length_mismatch');
  if (draft.layout === 'v2') return;
  put(draft, episode, 'from', 'dataset_from_index', from, 'row_range_wrong');
  put(draft, episode, 'to', 'dataset_to_index', from + span.rows, 'row_range_wrong');
  const place = /chunk-(\d+)\/file-(\d+)\.parquet$/.exec(file.path);
  if (place === null) return;
  put(draft, episode, 'chunk', 'data/chunk_index', Number(place[1]), 'episode_elsewhere');
  put(draft, episode, 'file', 'data/file_index', Number(place[2]), 'episode_elsewhere');
}

type Measured = 'length' | 'from' | 'to' | 'chunk' | 'file';

function put(
  draft: LeRobotDraft,
  episode: DraftEpisode,
  key: Measured,
  column: string,
  value: number,
  code: 'length_mismatch' | 'row_range_wrong' | 'episode_elsewhere',
): void {
  const before = episode[key];
  if (before === value) return;
  episode[key] = value;
  draft.episodeEdits.add(column);
  draft.episodesEdited.add(episode.index);
  // A row that is new was said already.
  if (episode.home === null) return;
  changed(draft, measureEpisodes, [code], {
    path: episode.home ?? tablePath(draft),
    episode: episode.index,
    what: column,
    before: String(before),
    after: String(value),
  });
}
