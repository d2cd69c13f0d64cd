import { AssayError, significant } from '#core';
import { coverageOf } from './coverage.ts';
import type { EpisodeVectors } from './describe-episode.ts';
import type { Span } from './descriptor.ts';
import { descriptors } from './descriptor-registry.ts';
import type { IndexedEpisode, Ranked, SearchRank, SearchResult } from './indexed-episode.ts';

type LikeRank = Extract<SearchRank, { by: 'like' }>;

/** Most alike first, by the cosine of vectors of one descriptor, version and layout. Exact: all are compared. */
export function rankByLikeness<Episode extends IndexedEpisode>(
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
