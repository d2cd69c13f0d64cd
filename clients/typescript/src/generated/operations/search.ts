// Written by `npm run generate` from src/core/api. Change it there.
import type {
  CreateSliceInput,
  DeleteSliceInput,
  DiffSlicesInput,
  GetSliceInput,
  ListSliceMembersInput,
  ListSlicesInput,
  PromoteSliceInput,
  SearchEpisodesInput,
} from '../types/search-calls.ts';
import type { SearchAnswer, SliceDiff, SliceMember } from '../types/search.ts';
import type { Page, Slice } from '../types/shared.ts';

export interface SearchOperations {
  search_episodes: {
    input: SearchEpisodesInput;
    answer: SearchAnswer;
    error:
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  create_slice: {
    input: CreateSliceInput;
    answer: Slice;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'not_ready'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_slices: {
    input: ListSlicesInput;
    answer: Page<Slice>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  get_slice: { input: GetSliceInput; answer: Slice; error: 'not_found' | 'rate_limited' | 'unauthenticated' };
  delete_slice: {
    input: DeleteSliceInput;
    answer: undefined;
    error:
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_slice_members: {
    input: ListSliceMembersInput;
    answer: Page<SliceMember>;
    error: 'not_found' | 'rate_limited' | 'unauthenticated';
  };
  diff_slices: {
    input: DiffSlicesInput;
    answer: SliceDiff;
    error: 'not_found' | 'not_ready' | 'rate_limited' | 'unauthenticated';
  };
  promote_slice: {
    input: PromoteSliceInput;
    answer: Slice;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
}
