import type { LeRobotDraft } from '../draft/draft.ts';
import { type DraftEpisode, newEpisode } from '../draft/episode.ts';
import { changed, few, type Home, homesOf, type Mend, unfixed } from './mend.ts';

/** The table of episodes has a row for every episode with rows, in order, each once. */
export const listEpisodes: Mend = {
  id: 'list-episodes',
  title: 'The table of episodes lists every episode that has rows, in order',
  answers: [
    'episodes_missing',
    'episodes_unreadable',
    'episodes_out_of_order',
    'episode_unlisted',
    'episode_without_rows',
  ],
  run: (draft) => {
    const homes = homesOf(draft);
    dropRepeated(draft);
    dropEmptyTail(draft, homes);
    addMissing(draft, homes);
    putInOrder(draft);
    nameHoles(draft, homes);
  },
};

export function tablePath(draft: LeRobotDraft): string {
  if (draft.layout === 'v2') return 'meta/episodes.jsonl';
  return draft.episodeFiles[0] ?? draft.episodeFilesDamaged[0] ?? 'meta/episodes/chunk-000/file-000.parquet';
}

function dropRepeated(draft: LeRobotDraft): void {
  const seen = new Map<number, DraftEpisode>();
  for (const episode of draft.episodes) seen.set(episode.index, seen.get(episode.index) ?? episode);
  if (seen.size === draft.episodes.length) return;
  changed(draft, listEpisodes, ['episodes_out_of_order'], {
    path: tablePath(draft),
    what: 'rows that list an episode twice',
    before: `${draft.episodes.length} rows`,
    after: `${seen.size} rows`,
  });
  draft.episodes = [...seen.values()];
  draft.episodesMoved = true;
}

/** Listed behind all that have rows: a recorder that was stopped leaves these. */
function dropEmptyTail(draft: LeRobotDraft, homes: ReadonlyMap<number, Home>): void {
  if (homes.size === 0 || draft.damaged.size > 0) return;
  const last = Math.max(...homes.keys());
  const empty = draft.episodes.filter(({ index }) => index > last);
  if (empty.length === 0) return;
  draft.episodes = draft.episodes.filter(({ index }) => index <= last);
  draft.episodesMoved = true;
  changed(draft, listEpisodes, ['episode_without_rows'], {
    path: tablePath(draft),
    what: `rows of episodes without data: ${few(empty.map(({ index }) => index))}`,
    before: 'listed',
    after: 'not listed',
  });
}

function addMissing(draft: LeRobotDraft, homes: ReadonlyMap<number, Home>): void {
  const listed = new Set(draft.episodes.map(({ index }) => index));
  const missing = [...homes.keys()].filter((index) => !listed.has(index));
  if (missing.length === 0) return;
  const none = draft.episodeFiles.length === 0;
  for (const index of missing) draft.episodes.push(newEpisode(index));
  draft.episodesMoved = true;
  const code = !none ? 'episode_unlisted' : lost(draft) ? 'episodes_unreadable' : 'episodes_missing';
  changed(draft, listEpisodes, [code, ...(none ? [] : (['episodes_out_of_order'] as const))], {
    path: tablePath(draft),
    what: `rows of episodes ${few(missing)}`,
    before: none ? 'no table that can be read' : 'not listed',
    after: 'listed, from the data files',
  });
}

function lost(draft: LeRobotDraft): boolean {
  return draft.episodeFilesDamaged.length > 0;
}

function putInOrder(draft: LeRobotDraft): void {
  const sorted = draft.episodes.toSorted((a, b) => a.index - b.index);
  const wrong = draft.episodes.filter(({ index, home }, at) => index !== sorted[at].index && home !== null);
  draft.episodes = sorted;
  if (wrong.length === 0 || draft.episodesMoved) return;
  draft.episodesMoved = true;
  changed(draft, listEpisodes, ['episodes_out_of_order'], {
    path: tablePath(draft),
    what: 'order of the rows',
    before: `${wrong.length} rows out of place, episode ${wrong[0].index} for one`,
    after: 'by episode_index',
  });
}

/** Numbers without rows in between: the files before and after are sound, so that something was lost. */
function nameHoles(draft: LeRobotDraft, homes: ReadonlyMap<number, Home>): void {
  const holes = draft.episodes.filter(({ index }) => !homes.has(index));
  if (holes.length === 0) return;
  unfixed(draft, 'episode_without_rows', {
    path: tablePath(draft),
    message: `no data file holds rows of episodes ${few(holes.map(({ index }) => index))}`,
    advice:
      'Put their data files back, or make the set anew without them with lerobot’s delete_episodes, which numbers the others again.',
  });
}
