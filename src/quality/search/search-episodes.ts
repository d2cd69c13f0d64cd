import { AssayError, significant } from '#core';
import type { EpisodeSearchFilter } from '#core/api';
import type { EpisodeVectors } from './describe-episode.ts';
import type { Span } from './descriptor.ts';
import { descriptors } from './descriptor-registry.ts';
import type { Coverage, IndexedEpisode, Ranked, SearchRank, SearchResult } from './indexed-episode.ts';

/** Filters first, then ranks what is left, one by one. Throws `not_found` where the episode has nothing to compare. */
export function searchEpisodes<Episode extends IndexedEpisode>(
  episodes: readonly Episode[],
  filter: EpisodeSearchFilter,
  rank: SearchRank | null,
): SearchResult<Episode> {
  const matched = episodes.filter((episode) => passes(episode, filter));
  if (rank === null) return inOrder(matched);
  return rank.by === 'text' ? rankByWords(matched, rank.text) : rankByLikeness(matched, rank);
}

function inOrder<Episode>(matched: readonly Episode[]): SearchResult<Episode> {
  const why = 'passes the filters';
  return {
    coverage: { matched: matched.length, ranked: matched.length, not_ranked: [] },
    ranked_by: null,
    hits: matched.map((episode) => ({ episode, score: null, why, moment: null })),
  };
}

/** Whether an episode fulfils every filter; an episode without a score passes no bound of scores. */
function passes(episode: IndexedEpisode, filter: EpisodeSearchFilter): boolean {
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

/** Okapi BM25 with its usual constants (Robertson and Zaragoza, 2009). */
const k1 = 1.2;
const b = 0.75;

/** By the words that tasks share with `text`, rare words first. An episode with none of them is no answer. */
function rankByWords<Episode extends IndexedEpisode>(
  matched: readonly Episode[],
  text: string,
): SearchResult<Episode> {
  const asked = [...new Set(wordsOf(text))];
  if (asked.length === 0)
    throw new AssayError('usage', 'there is no word in the text to search for', {
      advice: 'name some words',
    });
  const texts = matched.map(({ tasks }) => tasks.flatMap(wordsOf));
  const usual = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const rarity = new Map(asked.map((word) => [word, rarityOf(word, texts)]));
  const hits: Ranked<Episode>[] = [];
  const missing: string[] = [];
  for (const [i, words] of texts.entries()) {
    const found = asked.filter((word) => words.includes(word));
    if (found.length > 0) hits.push(hitOf(matched[i], weigh(words, found, rarity, usual), found));
    else missing.push(words.length === 0 ? 'it has no task text' : 'its task has none of the words');
  }
  hits.sort((one, other) => other.score! - one.score! || one.episode.index - other.episode.index);
  return { coverage: coverageOf(hits.length, missing), ranked_by: bm25, hits };
}

const bm25 = {
  id: 'words',
  version: 1,
  says: 'the words that the task shares with the text, rare words first (BM25). Words, not meaning.',
  moment: null,
};

function hitOf<Episode>(episode: Episode, weight: number, found: readonly string[]): Ranked<Episode> {
  return {
    episode,
    score: significant(weight / (weight + 1), 6),
    why: `its task says ${found.join(', ')}`,
    moment: null,
  };
}

function rarityOf(word: string, texts: readonly (readonly string[])[]): number {
  const having = texts.filter((words) => words.includes(word)).length;
  return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
}

function weigh(
  words: readonly string[],
  found: readonly string[],
  rarity: ReadonlyMap<string, number>,
  usual: number,
): number {
  return found.reduce((sum, word) => {
    const times = words.filter((other) => other === word).length;
    const damped = (times * (k1 + 1)) / (times + k1 * (1 - b + (b * words.length) / usual));
    return sum + rarity.get(word)! * damped;
  }, 0);
}

type LikeRank = Extract<SearchRank, { by: 'like' }>;

/** Most alike first, by the cosine of vectors of one descriptor, version and layout. Exact: all are compared. */
function rankByLikeness<Episode extends IndexedEpisode>(
  matched: readonly Episode[],
  { descriptor: id, episode: like, span }: LikeRank,
): SearchResult<Episode> {
  const { version, says } = descriptors.get(id)!;
  const own = vectorsOf(like, id);
  if (typeof own === 'string') throw nothingToCompare(like, id, own);
  const moment = span === null ? null : momentAt(own, span);
  if (moment === undefined)
    throw nothingToCompare(
      like,
      id,
      'it has no moments there; an episode of less than four seconds has none',
    );
  const hits: Ranked<Episode>[] = [];
  const missing: string[] = [];
  for (const episode of matched) {
    if (episode === (like as IndexedEpisode)) continue;
    const theirs = vectorsOf(episode, id);
    if (typeof theirs === 'string') missing.push(theirs);
    else if (theirs.layout !== own.layout)
      missing.push(`its numbers are of another layout (${theirs.layout})`);
    else if (moment !== null && theirs.moments.length === 0) missing.push(tooShort);
    else hits.push(compare(episode, theirs, moment?.vector ?? own.vector, moment !== null));
  }
  hits.sort((one, other) => other.score! - one.score! || one.episode.index - other.episode.index);
  const compared = moment === null ? null : { from_s: moment.from_s, to_s: moment.to_s };
  return {
    coverage: coverageOf(hits.length, missing),
    ranked_by: { id, version, says, moment: compared },
    hits,
  };
}

function compare<Episode>(
  episode: Episode,
  theirs: EpisodeVectors,
  wanted: readonly number[],
  byMoment: boolean,
): Ranked<Episode> {
  let [best, at]: [number, Span | null] = [byMoment ? -1 : cosine(wanted, theirs.vector), null];
  for (const { vector, from_s, to_s } of byMoment ? theirs.moments : []) {
    const alike = cosine(wanted, vector);
    if (at === null || alike > best) [best, at] = [alike, { from_s, to_s }];
  }
  const where = at === null ? '' : ` at ${at.from_s.toFixed(1)}–${at.to_s.toFixed(1)} s`;
  return {
    episode,
    score: scoreOf(best),
    why: `${theirs.descriptor} v${theirs.version}, cosine ${best.toFixed(3)}${where}`,
    moment: at,
  };
}

const tooShort = 'it is too short to have moments, less than four seconds';

/** −1 … 1 becomes 0 … 1. */
const scoreOf = (cosine: number): number => significant(Math.min(1, Math.max(0, (1 + cosine) / 2)), 6);

/** Of vectors of length 1. */
export function cosine(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

/** Why there are none, else the vectors. */
function vectorsOf(episode: IndexedEpisode, id: string): EpisodeVectors | string {
  const found = episode.vectors.find(({ descriptor }) => descriptor === id);
  if (found !== undefined) return found;
  return episode.unranked.find(({ descriptor }) => descriptor === id)?.reason ?? `it has no ${id} vector`;
}

/** The moment that overlaps a span most; undefined where none does. */
function momentAt<One extends Span>(
  { moments }: { readonly moments: readonly One[] },
  span: Span,
): One | undefined {
  const overlap = ({ from_s, to_s }: Span) => Math.min(to_s, span.to_s) - Math.max(from_s, span.from_s);
  const [most] = [...moments].sort(
    (one, other) => overlap(other) - overlap(one) || one.from_s - other.from_s,
  );
  return most !== undefined && overlap(most) >= 0 ? most : undefined;
}

function nothingToCompare({ id }: IndexedEpisode, descriptor: string, why: string): AssayError {
  return new AssayError('not_found', `${id} has no ${descriptor} to be compared by: ${why}`, {
    advice: `compare by another of ${descriptors.ids.join(', ')}, or with another episode`,
  });
}

/** Letters and digits that stand together, in lower case: no stemming, no stop words, any language. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** `reasons`: one for each episode that could not be ranked. */
function coverageOf(ranked: number, reasons: readonly string[]): Coverage {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const not_ranked = [...counts]
    .map(([reason, episodes]) => ({ reason, episodes }))
    .sort((one, other) => other.episodes - one.episodes || (one.reason < other.reason ? -1 : 1));
  return { matched: ranked + reasons.length, ranked, not_ranked };
}
