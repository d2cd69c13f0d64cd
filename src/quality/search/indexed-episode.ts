import type { Decision } from '#core/api';
import type { EpisodeVectors, NoVectors } from './describe-episode.ts';
import type { Span } from './descriptor.ts';

/** What an index holds of an episode: all that filters look at and rankings compare. */
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

export type SearchRank =
  | { readonly by: 'text'; readonly text: string }
  | {
      readonly by: 'like';
      readonly descriptor: string;
      /** What is alike to it is looked for; it is never its own answer. */
      readonly episode: IndexedEpisode;
      /** A moment of it; null: all of it. */
      readonly span: Span | null;
    };

export interface Ranked<Episode> {
  readonly episode: Episode;
  /** 0 to 1, comparable within one answer; null where nothing was ranked. */
  readonly score: number | null;
  /** In words, with what was compared. */
  readonly why: string;
  /** The part of it that is most alike, where parts were compared. */
  readonly moment: Span | null;
}

export interface Coverage {
  /** Passed the filters. */
  readonly matched: number;
  /** Of those, could be ranked. */
  readonly ranked: number;
  /** Why the others could not, most first. */
  readonly not_ranked: readonly { readonly reason: string; readonly episodes: number }[];
}

/** What a ranking rests on. */
interface RankedBy {
  readonly id: string;
  readonly version: number;
  readonly says: string;
  /** The span that was compared with, where a moment was asked for. */
  readonly moment: Span | null;
}

export interface SearchResult<Episode> {
  readonly coverage: Coverage;
  readonly ranked_by: RankedBy | null;
  /** Most alike first; without a ranking in the order of recording. */
  readonly hits: readonly Ranked<Episode>[];
}
