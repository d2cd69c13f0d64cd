import type { LeRobotDraft } from '../draft.ts';
import { createEpisode, type DraftEpisode } from '../tables.ts';
import {
  type EpisodeLocation,
  formatList,
  type LeRobotFix,
  locateEpisodes,
  recordChange,
  recordUnfixed,
} from './fix.ts';

/** Fix: lists every episode that has rows exactly once, in order. */
export const listEpisodes: LeRobotFix = {
  id: 'list-episodes',
  title: 'List every episode with rows in the episode table, in order',
  answers: [
    'episodes_missing',
    'episodes_unreadable',
    'episodes_out_of_order',
    'episode_unlisted',
    'episode_without_rows',
  ],
  run: (draft) => {
    const locations = locateEpisodes(draft);
    dropRepeatedRows(draft);
    dropTrailingEpisodes(draft, locations);
    addMissing(draft, locations);
    sortRows(draft);
    reportMissingEpisodes(draft, locations);
  },
};

/**
 * Returns the path of the episodes table: `meta/episodes.jsonl` (v2) or its first Parquet file (v3), or the default
 * path if there is none.
 */
export function episodeTablePath(draft: LeRobotDraft): string {
  if (draft.layout === 'v2') return 'meta/episodes.jsonl';
  return draft.episodeFiles[0] ?? draft.episodeFilesDamaged[0] ?? 'meta/episodes/chunk-000/file-000.parquet';
}

/** Removes repeated rows of an episode; the first one is retained. */
function dropRepeatedRows(draft: LeRobotDraft): void {
  const seen = new Map<number, DraftEpisode>();
  for (const episode of draft.episodes) seen.set(episode.index, seen.get(episode.index) ?? episode);
  if (seen.size === draft.episodes.length) return;
  recordChange(draft, listEpisodes, ['episodes_out_of_order'], {
    path: episodeTablePath(draft),
    what: 'duplicate episodes',
    before: `${draft.episodes.length} rows`,
    after: `${seen.size} rows`,
  });
  draft.episodes = [...seen.values()];
  draft.episodesReordered = true;
}

/** Removes rows after the last episode with data, as a stopped recorder leaves them. */
function dropTrailingEpisodes(draft: LeRobotDraft, locations: ReadonlyMap<number, EpisodeLocation>): void {
  if (locations.size === 0 || draft.damaged.size > 0) return;
  const last = Math.max(...locations.keys());
  const empty = draft.episodes.filter(({ index }) => index > last);
  if (empty.length === 0) return;
  draft.episodes = draft.episodes.filter(({ index }) => index <= last);
  draft.episodesReordered = true;
  recordChange(draft, listEpisodes, ['episode_without_rows'], {
    path: episodeTablePath(draft),
    what: `episodes without data: ${formatList(empty.map(({ index }) => index))}`,
    before: 'listed',
    after: 'not listed',
  });
}

/** Adds rows for episodes that have data and are not listed. */
function addMissing(draft: LeRobotDraft, locations: ReadonlyMap<number, EpisodeLocation>): void {
  const listed = new Set(draft.episodes.map(({ index }) => index));
  const missing = [...locations.keys()].filter((index) => !listed.has(index));
  if (missing.length === 0) return;
  const none = draft.episodeFiles.length === 0;
  for (const index of missing) draft.episodes.push(createEpisode(index));
  draft.episodesReordered = true;
  const code = !none
    ? 'episode_unlisted'
    : hasDamagedFiles(draft)
      ? 'episodes_unreadable'
      : 'episodes_missing';
  recordChange(draft, listEpisodes, [code, ...(none ? [] : (['episodes_out_of_order'] as const))], {
    path: episodeTablePath(draft),
    what: `episodes ${formatList(missing)}`,
    before: none ? 'no readable table' : 'not listed',
    after: 'listed, taken from the data files',
  });
}

function hasDamagedFiles(draft: LeRobotDraft): boolean {
  return draft.episodeFilesDamaged.length > 0;
}

/** Sorts the rows by episode_index. */
function sortRows(draft: LeRobotDraft): void {
  const sorted = draft.episodes.toSorted((a, b) => a.index - b.index);
  const wrong = draft.episodes.filter(
    ({ index, tableFile }, at) => index !== sorted[at].index && tableFile !== null,
  );
  draft.episodes = sorted;
  if (wrong.length === 0 || draft.episodesReordered) return;
  draft.episodesReordered = true;
  recordChange(draft, listEpisodes, ['episodes_out_of_order'], {
    path: episodeTablePath(draft),
    what: 'row order',
    before: `${wrong.length} ${wrong.length === 1 ? 'row' : 'rows'} out of order, for example episode ${wrong[0].index}`,
    after: 'sorted by episode_index',
  });
}

/** Reports listed episodes without rows as unfixed: the surrounding files are intact, so that data was lost. */
function reportMissingEpisodes(draft: LeRobotDraft, locations: ReadonlyMap<number, EpisodeLocation>): void {
  const holes = draft.episodes.filter(({ index }) => !locations.has(index));
  if (holes.length === 0) return;
  recordUnfixed(draft, 'episode_without_rows', {
    path: episodeTablePath(draft),
    message: `no data file contains rows of episodes ${formatList(holes.map(({ index }) => index))}`,
    advice:
      'Restore their data files, or remove these episodes with LeRobot’s delete_episodes, which renumbers the others.',
  });
}

/** Fix: sets length, row range and file of each listed episode from the data. */
export const measureEpisodes: LeRobotFix = {
  id: 'measure-episodes',
  title: 'Correct lengths, row ranges and files in the episode table',
  answers: ['length_mismatch', 'row_range_wrong', 'episode_elsewhere'],
  run: (draft) => {
    const locations = locateEpisodes(draft);
    for (const episode of draft.episodes) {
      const location = locations.get(episode.index);
      if (location !== undefined) fixEpisode(draft, episode, location);
    }
  },
};

function fixEpisode(
  draft: LeRobotDraft,
  episode: DraftEpisode,
  { file, span, firstIndex }: EpisodeLocation,
): void {
  setField(draft, episode, 'length', 'length', span.rows, 'length_mismatch');
  if (draft.layout === 'v2') return;
  setField(draft, episode, 'from', 'dataset_from_index', firstIndex, 'row_range_wrong');
  setField(draft, episode, 'to', 'dataset_to_index', firstIndex + span.rows, 'row_range_wrong');
  const place = /chunk-(\d+)\/file-(\d+)\.parquet$/.exec(file.path);
  if (place === null) return;
  setField(draft, episode, 'chunk', 'data/chunk_index', Number(place[1]), 'episode_elsewhere');
  setField(draft, episode, 'file', 'data/file_index', Number(place[2]), 'episode_elsewhere');
}

type MeasuredField = 'length' | 'from' | 'to' | 'chunk' | 'file';

function setField(
  draft: LeRobotDraft,
  episode: DraftEpisode,
  key: MeasuredField,
  column: string,
  value: number,
  code: 'length_mismatch' | 'row_range_wrong' | 'episode_elsewhere',
): void {
  const before = episode[key];
  if (before === value) return;
  episode[key] = value;
  draft.editedEpisodeColumns.add(column);
  draft.editedEpisodes.add(episode.index);
  // A new row is already recorded as a change.
  if (episode.tableFile === null) return;
  recordChange(draft, measureEpisodes, [code], {
    path: episode.tableFile ?? episodeTablePath(draft),
    episode: episode.index,
    what: column,
    before: String(before),
    after: String(value),
  });
}
