// Written by `npm run generate` from src/core/api. Change it there.
import type { SearchQueryInput, SearchRankInput } from './search.ts';
import type { SearchFilter } from './shared.ts';

export interface SearchEpisodesInput {
  readonly project_id: string;
  readonly filter?: SearchFilter | undefined;
  readonly rank?: SearchRankInput | null | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CreateSliceInput {
  readonly project_id: string;
  readonly name: string;
  readonly query?: SearchQueryInput | undefined;
  readonly most?: number | undefined;
}

export interface ListSlicesInput {
  readonly project_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface GetSliceInput {
  readonly project_id: string;
  readonly slice_id: string;
}

export interface DeleteSliceInput {
  readonly project_id: string;
  readonly slice_id: string;
}

export interface ListSliceMembersInput {
  readonly project_id: string;
  readonly slice_id: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface DiffSlicesInput {
  readonly project_id: string;
  readonly slice_id: string;
  readonly with?: string | undefined;
  readonly limit?: number | undefined;
}

export interface PromoteSliceInput {
  readonly project_id: string;
  readonly slice_id: string;
}
