import { AssayError, significant } from '#core';
import type { EpisodeSearchFilter } from '#core/api';
import type { EpisodeVectors } from './describe-episode.ts';
import type { Span } from './descriptor.ts';
import { descriptors } from './descriptor-registry.ts';
import type { Coverage, IndexedEpisode, Ranked, SearchRank, SearchResult } from './indexed-episode.ts';

/**
 * Returns the episodes that pass the filter, ranked by text or similarity, best first, without those that cannot be
 * ranked; in input order if `rank` is `null`. Throws `not_found` if the query episode has no vector to compare,
 * `usage` for a text without words. Episodes that cannot be ranked are counted in `coverage`.
 */
export function searchEpisodes<Episode extends IndexedEpisode>(
  episodes: readonly Episode[],
  filter: EpisodeSearchFilter,
  rank: SearchRank | null,
): SearchResult<Episode> {
  const matched = episodes.filter((episode) => passes(episode, filter));
  if (rank === null) return createUnrankedResult(matched);
  return rank.by === 'text' ? rankByWords(matched, rank.text) : rankByLikeness(matched, rank);
}

function createUnrankedResult<Episode>(matched: readonly Episode[]): SearchResult<Episode> {
  const why = 'matches the filters';
  return {
    coverage: { matched: matched.length, ranked: matched.length, not_ranked: [] },
    ranked_by: null,
    hits: matched.map((episode) => ({ episode, score: null, why, moment: null })),
  };
}

/** Returns true if an episode passes every filter. An episode without a score fails any bound on scores. */
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
  const has = new Set(tasks.flatMap(splitWords));
  return splitWords(text).every((word) => has.has(word));
}

const isAnyOf = (values: readonly string[], accepted: readonly string[] | undefined): boolean =>
  accepted === undefined || values.some((value) => accepted.includes(value));

function isWithin(value: number | null, minimum: number | undefined, maximum: number | undefined): boolean {
  if (minimum === undefined && maximum === undefined) return true;
  return (
    value !== null &&
    value >= (minimum ?? Number.NEGATIVE_INFINITY) &&
    value <= (maximum ?? Number.POSITIVE_INFINITY)
  );
}

/** Usual constants of Okapi BM25 (Robertson and Zaragoza, 2009). */
const k1 = 1.2;
const b = 0.75;

/**
 * Ranks by the words that tasks share with `text`, weighted by rarity (BM25). Episodes with none of the words are not
 * hits.
 */
function rankByWords<Episode extends IndexedEpisode>(
  matched: readonly Episode[],
  text: string,
): SearchResult<Episode> {
  const queryWords = [...new Set(splitWords(text))];
  if (queryWords.length === 0)
    throw new AssayError('usage', 'the search text contains no words', {
      advice: 'enter at least one word',
    });
  const texts = matched.map(({ tasks }) => tasks.flatMap(splitWords));
  const meanLength = texts.reduce((sum, words) => sum + words.length, 0) / Math.max(1, texts.length);
  const rarity = new Map(queryWords.map((word) => [word, computeRarity(word, texts)]));
  const hits: Ranked<Episode>[] = [];
  const missing: string[] = [];
  for (const [i, words] of texts.entries()) {
    const found = queryWords.filter((word) => words.includes(word));
    if (found.length > 0)
      hits.push(createHit(matched[i], computeBm25Weight(words, found, rarity, meanLength), found));
    else missing.push(words.length === 0 ? 'no task text' : 'no matching words in the task text');
  }
  hits.sort((one, other) => other.score! - one.score! || one.episode.index - other.episode.index);
  return { coverage: createCoverage(hits.length, missing), ranked_by: bm25, hits };
}

const bm25 = {
  id: 'words',
  version: 1,
  says: 'words that the task text shares with the search text, weighted by rarity (BM25). Compares words, not meaning.',
  moment: null,
};

function createHit<Episode>(episode: Episode, weight: number, found: readonly string[]): Ranked<Episode> {
  return {
    episode,
    score: significant(weight / (weight + 1), 6),
    why: `task text contains ${found.join(', ')}`,
    moment: null,
  };
}

function computeRarity(word: string, texts: readonly (readonly string[])[]): number {
  const matching = texts.filter((words) => words.includes(word)).length;
  return Math.log(1 + (texts.length - matching + 0.5) / (matching + 0.5));
}

function computeBm25Weight(
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

/** Ranks by cosine similarity of vectors of one descriptor and layout. Exact: compares all episodes. */
function rankByLikeness<Episode extends IndexedEpisode>(
  matched: readonly Episode[],
  { descriptor: id, episode: like, span }: LikeRank,
): SearchResult<Episode> {
  const { version, says } = descriptors.get(id)!;
  const queryVectors = findVectors(like, id);
  if (typeof queryVectors === 'string') throw nothingToCompare(like, id, queryVectors);
  const moment = span === null ? null : findMoment(queryVectors, span);
  if (moment === undefined)
    throw nothingToCompare(like, id, 'no moments in this time range; episodes shorter than 4 s have none');
  const hits: Ranked<Episode>[] = [];
  const missing: string[] = [];
  for (const episode of matched) {
    if (episode === (like as IndexedEpisode)) continue;
    const candidate = findVectors(episode, id);
    if (typeof candidate === 'string') missing.push(candidate);
    else if (candidate.layout !== queryVectors.layout) missing.push(`different layout (${candidate.layout})`);
    else if (moment !== null && candidate.moments.length === 0) missing.push(tooShort);
    else hits.push(compare(episode, candidate, moment?.vector ?? queryVectors.vector, moment !== null));
  }
  hits.sort((one, other) => other.score! - one.score! || one.episode.index - other.episode.index);
  const compared = moment === null ? null : { from_s: moment.from_s, to_s: moment.to_s };
  return {
    coverage: createCoverage(hits.length, missing),
    ranked_by: { id, version, says, moment: compared },
    hits,
  };
}

function compare<Episode>(
  episode: Episode,
  theirs: EpisodeVectors,
  queryVector: readonly number[],
  byMoment: boolean,
): Ranked<Episode> {
  let [best, at]: [number, Span | null] = [byMoment ? -1 : cosine(queryVector, theirs.vector), null];
  for (const { vector, from_s, to_s } of byMoment ? theirs.moments : []) {
    const similarity = cosine(queryVector, vector);
    if (at === null || similarity > best) [best, at] = [similarity, { from_s, to_s }];
  }
  const where = at === null ? '' : ` at ${at.from_s.toFixed(1)}–${at.to_s.toFixed(1)} s`;
  return {
    episode,
    score: toScore(best),
    why: `${theirs.descriptor} v${theirs.version}, cosine ${best.toFixed(3)}${where}`,
    moment: at,
  };
}

const tooShort = 'too short: episodes under 4 s have no moments';

/** Maps a cosine (−1 to 1) to a score (0 to 1). */
const toScore = (cosine: number): number => significant(Math.min(1, Math.max(0, (1 + cosine) / 2)), 6);

/** Returns the cosine of two unit vectors: their dot product. */
export function cosine(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

/** Returns the vectors of a descriptor, or the reason why there are none. */
function findVectors(episode: IndexedEpisode, id: string): EpisodeVectors | string {
  const found = episode.vectors.find(({ descriptor }) => descriptor === id);
  if (found !== undefined) return found;
  return episode.unranked.find(({ descriptor }) => descriptor === id)?.reason ?? `no ${id} descriptor`;
}

/** Finds the moment with the largest overlap with a span; undefined if none touches it. */
function findMoment<One extends Span>(
  { moments }: { readonly moments: readonly One[] },
  span: Span,
): One | undefined {
  const overlap = ({ from_s, to_s }: Span) => Math.min(to_s, span.to_s) - Math.max(from_s, span.from_s);
  const [closest] = [...moments].sort(
    (one, other) => overlap(other) - overlap(one) || one.from_s - other.from_s,
  );
  return closest !== undefined && overlap(closest) >= 0 ? closest : undefined;
}

function nothingToCompare({ id }: IndexedEpisode, descriptor: string, why: string): AssayError {
  return new AssayError('not_found', `${id} has no ${descriptor} descriptor: ${why}`, {
    advice: `use another descriptor (${descriptors.ids.join(', ')}) or another episode`,
  });
}

/** Splits a text into lower-case runs of letters and digits of any language, without stemming or stop words. */
const splitWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Counts ranked and unranked episodes. `reasons`: one per episode that could not be ranked. */
function createCoverage(ranked: number, reasons: readonly string[]): Coverage {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const not_ranked = [...counts]
    .map(([reason, episodes]) => ({ reason, episodes }))
    .sort((one, other) => other.episodes - one.episodes || (one.reason < other.reason ? -1 : 1));
  return { matched: ranked + reasons.length, ranked, not_ranked };
}
