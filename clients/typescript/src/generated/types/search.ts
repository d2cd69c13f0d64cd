// Written by `npm run generate` from src/contract. Change it there.
import type { EpisodeSummary, Kind, LayerId } from './shared.ts';

export type RankedBy = {
  readonly id: string;
  readonly version: number;
  readonly says: string;
  readonly exact: boolean;
  readonly moment: {
    readonly from_s: number;
    readonly to_s: number;
  } | null;
};

export type SearchAnswer = {
  readonly query: SearchQuery;
  readonly ranked_by: RankedBy | null;
  readonly coverage: SearchCoverage;
  readonly items: readonly {
    readonly score: number | null;
    readonly why: string;
    readonly moment: {
      readonly from_s: number;
      readonly to_s: number;
    } | null;
    readonly episode: EpisodeSummary;
  }[];
  readonly next_cursor: string | null;
  readonly response_hash: string;
};

export interface SearchCoverage {
  readonly matched: number;
  readonly ranked: number;
  readonly not_ranked: readonly {
    readonly reason: string;
    readonly episodes: number;
  }[];
}

export interface SearchFilter {
  /** words that the task must all have, in any order */
  readonly text?: string | undefined;
  /** the whole text of the task */
  readonly task?: readonly string[] | undefined;
  readonly outcome?: readonly ('success' | 'failure' | 'unknown')[] | undefined;
  /** the whole name */
  readonly robot?: readonly string[] | undefined;
  /** a class of the labels that the recording carries */
  readonly object?: readonly string[] | undefined;
  /** a failure mode: raised, whatever else was */
  readonly flag?: readonly string[] | undefined;
  readonly decision?: readonly ('accept' | 'review' | 'reject')[] | undefined;
  readonly kind?: readonly Kind[] | undefined;
  readonly min_score?: number | undefined;
  readonly max_score?: number | undefined;
  readonly min_duration_s?: number | undefined;
  readonly max_duration_s?: number | undefined;
  /** a person’s newest decision; `none`: nobody has decided */
  readonly review_decision?: readonly ('accept' | 'review' | 'reject' | 'none')[] | undefined;
  /** annotation layers that it carries, all of them */
  readonly layer?: readonly LayerId[] | undefined;
  readonly source_id?: readonly string[] | undefined;
  /** judged last by this run */
  readonly run_id?: readonly string[] | undefined;
}

export interface SearchQuery {
  readonly filter: SearchFilter;
  readonly rank: SearchRank | null;
}

export interface SearchQueryInput {
  readonly filter?: SearchFilter | undefined;
  readonly rank?: SearchRankInput | null | undefined;
}

export type SearchRank =
  | {
      readonly by: 'text';
      readonly text: string;
    }
  | {
      readonly by: 'like';
      readonly episode_id: string;
      readonly descriptor: string;
      readonly moment: {
        readonly from_s: number;
        readonly to_s: number;
      } | null;
    };

export type SearchRankInput =
  | {
      readonly by: 'text';
      readonly text: string;
    }
  | {
      readonly by: 'like';
      readonly episode_id: string;
      readonly descriptor?: string | undefined;
      readonly moment?:
        | {
            readonly from_s: number;
            readonly to_s: number;
          }
        | null
        | undefined;
    };

export interface Slice {
  readonly id: string;
  readonly project_id: string;
  readonly name: string;
  readonly query: SearchQuery;
  readonly ranked_by: RankedBy | null;
  readonly coverage: SearchCoverage;
  readonly settings_hash: string;
  readonly response_hash: string;
  readonly episodes: number;
  readonly locked: boolean;
  readonly locked_at: string | null;
  readonly locked_by: string | null;
  readonly created_at: string;
  readonly created_by: string;
}

export interface SliceDiff {
  readonly slice_id: string;
  readonly with: string | null;
  readonly both: number;
  readonly judged_again: number;
  readonly only_here: {
    readonly episodes: number;
    readonly episode_ids: readonly string[];
  };
  readonly only_there: {
    readonly episodes: number;
    readonly episode_ids: readonly string[];
  };
}

export interface SliceMember {
  readonly place: number;
  readonly episode_id: string;
  readonly receipt_hash: string;
  readonly score: number | null;
  readonly episode: EpisodeSummary | null;
}
