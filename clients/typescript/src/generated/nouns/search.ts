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
   * Search episodes with filters and rank them by text or similarity.
   *
   * Filters are applied first: any value of a filter may match, and all filters must match. Matching
   * episodes are ranked by `text` (meaning or words of the task, captions and detailed description;
   * `ranked_by.id` says which) or by `like` (similarity of motion or images to an episode or a part of
   * one). `coverage` counts the ranked episodes and gives reasons for the others. `response_hash`
   * changes only if the result changes.
   *
   * Requires the role `viewer` or higher.
   */
  episodes: (input: SearchEpisodesInput, options?: CallOptions): Promise<SearchAnswer> =>
    call('search_episodes', input, options),

  /**
   * Save a search result as an immutable slice.
   *
   * Requires the role `reviewer` or higher.
   */
  createSlice: (input: CreateSliceInput, options?: CallOptions): Promise<Slice> =>
    call('create_slice', input, options),

  /**
   * List a project’s slices, newest first.
   *
   * Requires the role `viewer` or higher.
   */
  listSlices: (input: ListSlicesInput, options?: CallOptions): Promise<Page<Slice>> =>
    call('list_slices', input, options),

  /**
   * Get a slice with its query, coverage and hashes.
   *
   * Requires the role `viewer` or higher.
   */
  getSlice: (input: GetSliceInput, options?: CallOptions): Promise<Slice> =>
    call('get_slice', input, options),

  /**
   * Delete a slice; a locked slice requires an admin.
   *
   * Requires the role `reviewer` or higher.
   */
  deleteSlice: (input: DeleteSliceInput, options?: CallOptions): Promise<undefined> =>
    call('delete_slice', input, options),

  /**
   * List a slice’s episodes in search order.
   *
   * Requires the role `viewer` or higher.
   */
  listSliceMembers: (input: ListSliceMembersInput, options?: CallOptions): Promise<Page<SliceMember>> =>
    call('list_slice_members', input, options),

  /**
   * Compare the episodes of two slices.
   *
   * Lists episodes that are in only one of them. Without `with`, compares the slice with the current
   * result of its query.
   *
   * Requires the role `viewer` or higher.
   */
  diffSlices: (input: DiffSlicesInput, options?: CallOptions): Promise<SliceDiff> =>
    call('diff_slices', input, options),

  /**
   * Lock a slice as an evaluation set, excluded from training exports.
   *
   * Locking cannot be undone, and only an admin can delete a locked slice. Locking again has no effect.
   * Returns 409 if the slice is empty.
   *
   * Requires the role `reviewer` or higher.
   */
  promoteSlice: (input: PromoteSliceInput, options?: CallOptions): Promise<Slice> =>
    call('promote_slice', input, options),
});
