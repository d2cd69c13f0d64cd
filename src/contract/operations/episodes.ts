import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  episodeStreamSchema,
  frameQuery,
  streamQuery,
  streamSamplesSchema,
} from '../schemas/episode-streams.ts';
import {
  createReviewSchema,
  episodeQuery,
  episodeSchema,
  episodeSummarySchema,
  findingQuery,
  projectFindingSchema,
  projectSummarySchema,
  reviewSchema,
  summaryQuery,
} from '../schemas/episodes.ts';
import { receiptSchema } from '../schemas/receipt.ts';

const tag = 'episodes';
const episode = z.object({ episode_id: idSchema('ep') });
const stream = z.object({ episode_id: idSchema('ep'), stream_id: z.string().min(1).max(1000) });
const project = z.object({ project_id: idSchema('prj') });

/** Episodes, what was found of them, and what people say to it. */
export const episodeOperations = [
  defineOperation({
    id: 'list_episodes',
    method: 'GET',
    path: '/v1/projects/{project_id}/episodes',
    tag,
    summary: 'List a project’s episodes, filtered and sorted',
    description:
      'Several values of one filter are alternatives: `decision=review,reject`, or the name repeated. For `task` and `robot`, whose values may hold commas, repeat the name. Different filters must all match. An episode without a score counts as worse than any score: it comes last by `-score`, first by `score`, and passes neither `min_score` nor `max_score`.',
    role: 'viewer',
    params: project,
    query: episodeQuery,
    success: { status: 200, schema: pageOf(episodeSummarySchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_episode',
    method: 'GET',
    path: '/v1/episodes/{episode_id}',
    tag,
    summary: 'Get one episode with its evidence: kind, flags, checks, streams, review',
    role: 'viewer',
    params: episode,
    success: { status: 200, schema: episodeSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_receipt',
    method: 'GET',
    path: '/v1/episodes/{episode_id}/receipt',
    tag,
    summary: 'Get an episode’s receipt byte for byte as it was sealed',
    description:
      'The same bytes that `assay assess` writes for the same recording and settings, canonical by RFC 8785. The entity tag is `content_hash`, the SHA-256 of the canonical receipt without that member; `assay verify` checks it offline.',
    role: 'viewer',
    params: episode,
    query: z.strictObject({
      /** An earlier run’s. */
      run_id: idSchema('run').optional(),
    }),
    success: { status: 200, content_type: 'application/json', schema: receiptSchema },
    errors: ['not_found'],
    conditional: true,
  }),
  defineOperation({
    id: 'list_streams',
    method: 'GET',
    path: '/v1/episodes/{episode_id}/streams',
    tag,
    summary: 'List an episode’s streams with their clocks and units',
    role: 'viewer',
    params: episode,
    success: { status: 200, schema: pageOf(episodeStreamSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_stream',
    method: 'GET',
    path: '/v1/episodes/{episode_id}/streams/{stream_id}',
    tag,
    summary: 'Get the numbers of a stream, at most so many columns wide',
    description:
      'The window is divided into columns of equal width; each holds the least and the greatest value of its rows, so no spike is lost. 32-bit numbers have nine digits.',
    role: 'viewer',
    params: stream,
    query: streamQuery,
    success: { status: 200, content_type: 'application/json', schema: streamSamplesSchema },
    errors: ['not_found', 'busy', 'limit_exceeded'],
  }),
  defineOperation({
    id: 'get_frame',
    method: 'GET',
    path: '/v1/episodes/{episode_id}/frames/{stream_id}',
    tag,
    summary: 'Get the frame that a camera shows at a time',
    description:
      'Read from the recording where it lies. `X-Frame-Time-S` is when the frame was taken, in seconds since the start of the episode; it changes at the next frame only. 404 where the stream has no pictures or the recording is gone, 409 where it is not the one that was judged, 422 with the decoder’s reason where the frame does not decode.',
    role: 'viewer',
    params: stream,
    query: frameQuery,
    success: { status: 200, content_type: 'image/jpeg' },
    errors: [
      'not_found',
      'conflict',
      'media_failed',
      'busy',
      'limit_exceeded',
      'not_ready',
      'source_not_allowed',
      'unreadable_input',
    ],
    conditional: true,
  }),
  defineOperation({
    id: 'list_reviews',
    method: 'GET',
    path: '/v1/episodes/{episode_id}/reviews',
    tag,
    summary: 'List people’s decisions on an episode, newest first',
    role: 'viewer',
    params: episode,
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(reviewSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'create_review',
    method: 'POST',
    path: '/v1/episodes/{episode_id}/reviews',
    tag,
    summary: 'Decide on an episode; the newest decision counts, beside the machine’s',
    role: 'reviewer',
    params: episode,
    body: createReviewSchema,
    success: { status: 201, schema: reviewSchema },
    errors: ['not_found', 'conflict'],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_project_findings',
    method: 'GET',
    path: '/v1/projects/{project_id}/findings',
    tag,
    summary: 'List findings on the recordings as a whole, worst first',
    description: 'From the newest finished run of each source.',
    role: 'viewer',
    params: project,
    query: findingQuery,
    success: { status: 200, schema: pageOf(projectFindingSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'summarise_project',
    method: 'GET',
    path: '/v1/projects/{project_id}/summary',
    tag,
    summary: 'Summarise a project’s episodes, as facts and in words',
    description:
      'Covers all episodes, or those that pass the filters of `list_episodes`. The same facts make the same text; no model is used.',
    role: 'viewer',
    params: project,
    query: summaryQuery,
    success: { status: 200, schema: projectSummarySchema },
    errors: ['not_found'],
  }),
] as const satisfies readonly Operation[];
