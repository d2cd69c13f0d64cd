// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
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

export const search = ({ call }: Calls) => ({
  /**
   * Find episodes by what is known of them, and rank them by words or likeness.
   *
   * Filters come first: several values of one are alternatives, different filters must all hold. What
   * passes is ranked: `text` by the words of the task, `like` by likeness to an episode or a moment of
   * one, over what a descriptor made of their motion or pictures. `coverage` says how many could be
   * ranked and why others could not; `response_hash` is the same while the answer is.
   *
   * Needs the role `viewer`.
   */
  searchEpisodes: (input: SearchEpisodesInput, options?: CallOptions): Promise<SearchAnswer> =>
    call('search_episodes', input, options),

  /**
   * Keep what a search finds now, as a slice that does not change.
   *
   * Needs the role `reviewer`.
   */
  createSlice: (input: CreateSliceInput, options?: CallOptions): Promise<Slice> =>
    call('create_slice', input, options),

  /**
   * List a project’s slices, newest first.
   *
   * Needs the role `viewer`.
   */
  listSlices: (input: ListSlicesInput, options?: CallOptions): Promise<Page<Slice>> =>
    call('list_slices', input, options),

  /**
   * Get a slice: its query, coverage and hashes.
   *
   * Needs the role `viewer`.
   */
  getSlice: (input: GetSliceInput, options?: CallOptions): Promise<Slice> =>
    call('get_slice', input, options),

  /**
   * Delete a slice; a locked one only as an admin.
   *
   * Needs the role `reviewer`.
   */
  deleteSlice: (input: DeleteSliceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_slice', input, options),

  /**
   * List a slice’s members in the order of its answer.
   *
   * Needs the role `viewer`.
   */
  listSliceMembers: (input: ListSliceMembersInput, options?: CallOptions): Promise<Page<SliceMember>> =>
    call('list_slice_members', input, options),

  /**
   * Say which episodes are in one of two slices and not in the other.
   *
   * Without `with`: how the slice differs from what its query finds now.
   *
   * Needs the role `viewer`.
   */
  diffSlices: (input: DiffSlicesInput, options?: CallOptions): Promise<SliceDiff> =>
    call('diff_slices', input, options),

  /**
   * Lock a slice as an evaluation set, which no export for training may touch.
   *
   * A lock cannot be undone; only an admin can delete the slice. Locking it again changes nothing. An
   * empty slice is refused with 409.
   *
   * Needs the role `reviewer`.
   */
  promoteSlice: (input: PromoteSliceInput, options?: CallOptions): Promise<Slice> =>
    call('promote_slice', input, options),
});
