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

/** Finding episodes, and keeping what was found. */
export const searchOperations = [
  defineOperation({
    id: 'search_episodes',
    method: 'POST',
    path: '/v1/projects/{project_id}/search',
    tag,
    summary: 'Find episodes by what is known of them, and rank them by words or likeness',
    description:
      'Filters come first: several values of one are alternatives, different filters must all hold. What passes is ranked: `text` by the words of the task, `like` by likeness to an episode or a moment of one, over what a descriptor made of their motion or pictures. `coverage` says how many could be ranked and why others could not; `response_hash` is the same while the answer is.',
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
    summary: 'Keep what a search finds now, as a slice that does not change',
    role: 'reviewer',
    params: project,
    body: createSliceSchema,
    success: { status: 201, schema: sliceSchema },
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
    summary: 'Get a slice: its query, coverage and hashes',
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
    summary: 'List a slice’s members in the order of its answer',
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
    summary: 'Say which episodes are in one of two slices and not in the other',
    description: 'Without `with`: how the slice differs from what its query finds now.',
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
    summary: 'Lock a slice as an evaluation set, which no export for training may touch',
    description:
      'A lock cannot be undone; only an admin can delete the slice. Locking it again changes nothing. An empty slice is refused with 409.',
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
    summary: 'Delete a slice; a locked one only as an admin',
    role: 'reviewer',
    params: slice,
    success: { status: 204 },
    errors: ['not_found'],
  }),
] as const satisfies readonly Operation[];
