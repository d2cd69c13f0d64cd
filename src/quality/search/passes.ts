import type { EpisodeSearchFilter } from '#core/api';
import type { IndexedEpisode } from './indexed-episode.ts';
import { wordsOf } from './words.ts';

/** Whether an episode fulfils every filter; an episode without a score passes no bound of scores. */
export function passes(episode: IndexedEpisode, filter: EpisodeSearchFilter): boolean {
  return (
    hasWords(episode, filter.text) &&
    isAnyOf(episode.tasks, filter.task) &&
    isAnyOf([episode.outcome], filter.outcome) &&
    isAnyOf(episode.robot === null ? [] : [episode.robot], filter.robot) &&
    isAnyOf(episode.objects, filter.object) &&
    isAnyOf(episode.flags, filter.flag) &&
    isAnyOf([episode.decision], filter.decision) &&
    isAnyOf([episode.kind], filter.kind) &&
    isWithin(episode.score, filter.min_score, filter.max_score) &&
    isWithin(episode.duration_s, filter.min_duration_s, filter.max_duration_s)
  );
}

function hasWords({ tasks }: IndexedEpisode, text: string | undefined): boolean {
  if (text === undefined) return true;
  const has = new Set(tasks.flatMap(wordsOf));
  return wordsOf(text).every((word) => has.has(word));
}

const isAnyOf = (values: readonly string[], wanted: readonly string[] | undefined): boolean =>
  wanted === undefined || values.some((value) => wanted.includes(value));

function isWithin(value: number | null, least: number | undefined, most: number | undefined): boolean {
  if (least === undefined && most === undefined) return true;
  return (
    value !== null &&
    value >= (least ?? Number.NEGATIVE_INFINITY) &&
    value <= (most ?? Number.POSITIVE_INFINITY)
  );
}
