// Written by `npm run generate` from src/core/api. Change it there.
import type { EpisodeSummary, RankedBy, SearchCoverage, SearchFilter, SearchQuery } from './shared.ts';

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

export interface SearchQueryInput {
  readonly filter?: SearchFilter | undefined;
  readonly rank?: SearchRankInput | null | undefined;
}

export type SearchRankInput =
  | {
      readonly by: 'text';
      readonly text: string;
      /**
       * Compare the meaning of the text, or its words. Defaults to the meaning if a text embedding model is
       * installed and the project is indexed, otherwise to the words.
       */
      readonly match?: 'meaning' | 'words' | undefined;
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
