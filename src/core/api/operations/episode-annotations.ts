import { z } from 'zod';
import { jobLayerIdSchema } from '../annotation-layers.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  annotateEpisodeSchema,
  annotationEditSchema,
  editDenseTextSchema,
  episodeAnnotationSchema,
  episodeAnnotationSummarySchema,
  overlayQuery,
} from '../schemas/annotations.ts';

const tag = 'episode annotations';
const ofEpisode = z.object({ project_id: idSchema('prj'), episode_id: idSchema('ep') });
const ofLayer = ofEpisode.extend({ layer: jobLayerIdSchema });
const path = '/v1/projects/{project_id}/episodes/{episode_id}/annotations/{layer}';

/** Annotations of one episode and their corrections. */
export const episodeAnnotationOperations = [
  defineOperation({
    id: 'list_episode_annotations',
    method: 'GET',
    path: '/v1/projects/{project_id}/episodes/{episode_id}/annotations',
    tag,
    summary: 'List the annotation layers of an episode',
    description: 'In catalog order, without content. Get the content of each layer separately.',
    role: 'viewer',
    params: ofEpisode,
    success: { status: 200, schema: pageOf(episodeAnnotationSummarySchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_episode_annotation',
    method: 'GET',
    path,
    tag,
    summary: 'Get an episode’s annotation for a layer, with manual edits',
    description:
      'The content is checked against its stored hash. Returns 404 if the episode does not have the layer, with instructions for creating it.',
    role: 'viewer',
    params: ofLayer,
    success: { status: 200, schema: episodeAnnotationSchema },
    errors: ['not_found', 'hash_mismatch'],
  }),
  defineOperation({
    id: 'get_annotation_part',
    method: 'GET',
    path: `${path}/parts/{part}`,
    tag,
    summary: 'Get one file of a layer’s annotation',
    description:
      'The annotation lists its parts with their media types; `artifact` is the main file. The content is checked against its stored hash, which is also the `ETag`.',
    role: 'viewer',
    params: ofLayer.extend({ part: z.string().min(1).max(100) }),
    success: { status: 200, content_type: '*/*' },
    errors: ['not_found', 'hash_mismatch'],
    conditional: true,
  }),
  defineOperation({
    id: 'get_overlay',
    method: 'GET',
    path: '/v1/projects/{project_id}/episodes/{episode_id}/overlay',
    tag,
    summary: 'Get an annotation drawn over its camera frame',
    description:
      'Boxes, masks, hands, bodies and tracks are drawn in place, depth and optical flow as colours with a scale, and text in a strip below the frame. `X-Frame-Time-S` is the time of the frame in seconds since the start of the episode. Returns 404 if the episode does not have the layer (with instructions for creating it), if the layer has no output for the camera, or if the recording is no longer available; 422 if the time is outside the episode.',
    role: 'viewer',
    params: ofEpisode,
    query: overlayQuery,
    success: { status: 200, content_type: 'image/png' },
    errors: [
      'not_found',
      'conflict',
      'hash_mismatch',
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
    id: 'annotate_episode',
    method: 'POST',
    path,
    tag,
    summary: 'Run one layer on one episode and return the result',
    description:
      'Queues a job for one episode and waits for it. The same checks and budget apply as for other jobs. The job continues if the client disconnects. Returns 413 if the estimate is over 60 seconds; queue a job instead. Returns 503 with the job’s id if it takes over 120 seconds; repeat the request to keep waiting.',
    role: 'engineer',
    params: ofLayer,
    body: annotateEpisodeSchema,
    success: { status: 200, schema: episodeAnnotationSchema },
    errors: [
      'not_found',
      'budget_exceeded',
      'layer_off',
      'layer_inapplicable',
      'layer_unavailable',
      'layer_not_servable',
      'already_produced',
      'too_long_to_wait',
      'conflict',
      'unreadable_input',
      'unsupported_version',
      'limit_exceeded',
      'media_failed',
      'not_permitted',
      'hash_mismatch',
      'endpoint_unavailable',
      'endpoint_failed',
      'busy',
    ],
    idempotent: true,
    waits: true,
  }),
  defineOperation({
    id: 'edit_dense_text',
    method: 'PUT',
    path,
    tag,
    summary: 'Edit an episode’s detailed description',
    description:
      'The generated text and earlier edits are kept. Episodes without generated text can be given one too. Sending the same text again has no effect. Set `over` to the id of the edit that you are replacing: returns 409 with the newer edit if somebody has edited the text since.',
    role: 'reviewer',
    params: ofEpisode.extend({ layer: z.enum(['dense_text']) }),
    body: editDenseTextSchema,
    success: { status: 200, schema: episodeAnnotationSchema },
    errors: ['not_found', 'hash_mismatch', 'conflict'],
  }),
  defineOperation({
    id: 'list_annotation_edits',
    method: 'GET',
    path: `${path}/edits`,
    tag,
    summary: 'List manual edits of an episode’s layer text, newest first',
    role: 'viewer',
    params: ofLayer,
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(annotationEditSchema) },
    errors: ['not_found'],
  }),
] as const satisfies readonly Operation[];
