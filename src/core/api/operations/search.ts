import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  createSliceSchema,
  searchAnswerSchema,
  searchBodySchema,
  sliceDiffSchema,
  sliceMemberSchema,
  sliceSchema,
} from '../schemas/search.ts';

const tag = 'search';
const project = z.object({ project_id: idSchema('prj') });
const slice = z.object({ project_id: idSchema('prj'), slice_id: idSchema('slc') });

/** Search for episodes, and slices (saved results). */
export const searchOperations = [
  defineOperation({
    id: 'search_episodes',
    method: 'POST',
    path: '/v1/projects/{project_id}/search',
    tag,
    summary: 'Search episodes with filters and rank them by text or similarity',
    description:
      'Filters are applied first: any value of a filter may match, and all filters must match. Matching episodes are ranked by `text` (meaning or words of the task, captions and detailed description; `ranked_by.id` says which) or by `like` (similarity of motion or images to an episode or a part of one). `coverage` counts the ranked episodes and gives reasons for the others. `response_hash` changes only if the result changes.',
    role: 'viewer',
    params: project,
    body: searchBodySchema,
    success: { status: 200, schema: searchAnswerSchema },
    errors: ['not_found', 'not_ready'],
  }),
  defineOperation({
    id: 'create_slice',
    method: 'POST',
    path: '/v1/projects/{project_id}/slices',
    tag,
    summary: 'Save a search result as an immutable slice',
    role: 'reviewer',
    params: project,
    body: createSliceSchema,
    success: { status: 201, schema: sliceSchema, location: '/v1/projects/{project_id}/slices/{slice_id}' },
    errors: ['not_found', 'not_ready'],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_slices',
    method: 'GET',
    path: '/v1/projects/{project_id}/slices',
    tag,
    summary: 'List a project’s slices, newest first',
    role: 'viewer',
    params: project,
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(sliceSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_slice',
    method: 'GET',
    path: '/v1/projects/{project_id}/slices/{slice_id}',
    tag,
    summary: 'Get a slice with its query, coverage and hashes',
    role: 'viewer',
    params: slice,
    success: { status: 200, schema: sliceSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'list_slice_members',
    method: 'GET',
    path: '/v1/projects/{project_id}/slices/{slice_id}/members',
    tag,
    summary: 'List a slice’s episodes in search order',
    role: 'viewer',
    params: slice,
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(sliceMemberSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'diff_slices',
    method: 'GET',
    path: '/v1/projects/{project_id}/slices/{slice_id}/diff',
    tag,
    summary: 'Compare the episodes of two slices',
    description:
      'Lists episodes that are in only one of them. Without `with`, compares the slice with the current result of its query.',
    role: 'viewer',
    params: slice,
    query: z.strictObject({ with: idSchema('slc').optional(), limit: pageQuery.limit }),
    success: { status: 200, schema: sliceDiffSchema },
    errors: ['not_found', 'not_ready'],
  }),
  defineOperation({
    id: 'promote_slice',
    method: 'POST',
    path: '/v1/projects/{project_id}/slices/{slice_id}/promote',
    tag,
    summary: 'Lock a slice as an evaluation set, excluded from training exports',
    description:
      'Locking cannot be undone, and only an admin can delete a locked slice. Locking again has no effect. Returns 409 if the slice is empty.',
    role: 'reviewer',
    params: slice,
    success: { status: 200, schema: sliceSchema },
    errors: ['not_found', 'conflict'],
  }),
  defineOperation({
    id: 'delete_slice',
    method: 'DELETE',
    path: '/v1/projects/{project_id}/slices/{slice_id}',
    tag,
    summary: 'Delete a slice; a locked slice requires an admin',
    role: 'reviewer',
    params: slice,
    success: { status: 204 },
    errors: ['not_found'],
  }),
] as const satisfies readonly Operation[];
