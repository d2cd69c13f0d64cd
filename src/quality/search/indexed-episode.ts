import type { Decision } from '#core/api';
import type { EpisodeVectors, NoVectors } from './describe-episode.ts';
import type { Span } from './descriptor.ts';

/** Entry of an episode in the search index: the fields for filters and the vectors for rankings. */
export interface IndexedEpisode {
  readonly id: string;
  readonly index: number;
  readonly kind: string;
  readonly decision: Decision;
  readonly score: number | null;
  readonly duration_s: number;
  readonly flags: readonly string[];
  readonly tasks: readonly string[];
  readonly outcome: string;
  readonly robot: string | null;
  readonly objects: readonly string[];
  readonly vectors: readonly EpisodeVectors[];
  readonly unranked: readonly NoVectors[];
}

/** Ranking of search results: by words, or by similarity to an episode. */
export type SearchRank =
  | { readonly by: 'text'; readonly text: string }
  | {
      readonly by: 'like';
      readonly descriptor: string;
      /** Query episode; it is never a hit itself. */
      readonly episode: IndexedEpisode;
      /** Moment of the query episode; null: the whole episode. */
      readonly span: Span | null;
    };

/** Hit of a search. */
export interface Ranked<Episode> {
  readonly episode: Episode;
  /** 0 to 1, comparable within one result; null without a ranking. */
  readonly score: number | null;
  /** Explanation of the score, with what was compared. */
  readonly why: string;
  /** Most similar part of the episode; null unless parts were compared. */
  readonly moment: Span | null;
}

/** Counts of matched and ranked episodes. */
export interface Coverage {
  /** Number of episodes that pass the filters. */
  readonly matched: number;
  /** Number of matched episodes that could be ranked. */
  readonly ranked: number;
  /** Reasons why the others could not be ranked, most frequent first. */
  readonly not_ranked: readonly { readonly reason: string; readonly episodes: number }[];
}

/** Method of a ranking. */
interface RankedBy {
  readonly id: string;
  readonly version: number;
  readonly says: string;
  /** Moment of the query episode that was compared; null if none was requested. */
  readonly moment: Span | null;
}

/** Result of a search. */
export interface SearchResult<Episode> {
  readonly coverage: Coverage;
  readonly ranked_by: RankedBy | null;
  /** Hits, most similar first; in index order without a ranking. */
  readonly hits: readonly Ranked<Episode>[];
}
