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
} from '../schemas/annotation/annotations.ts';

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
    description: 'In the order of the catalog, without their content: get that layer by layer.',
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
    summary: 'Get a layer’s annotation of an episode, with a person’s edit beside it',
    description:
      'The bytes are checked against their stored hash. If the episode does not carry the layer, the error says how to make it.',
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
    summary: 'Get one part of a layer’s annotation, as it was written',
    description:
      'The annotation lists its parts with their media types; `artifact` is the artifact itself. The bytes are checked against their stored hash, which is also the ETag.',
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
    summary: 'Get what a layer says of an episode, drawn over the picture it says it of',
    description:
      'Boxes, masks, hands, bodies and tracks stand where they were found, depth and flow are colours with a scale, and texts a strip below. `X-Frame-Time-S` is when the picture was taken, in seconds since the start of the episode. 404 where the episode does not carry the layer, with how to make it, where the layer says nothing of the camera, or where the recording is gone; 422 for a time outside the episode.',
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
      'Queues a job of one episode and waits for it, under the same guards and the same budget as any job. The job continues if the client disconnects. Work estimated at more than 60 seconds is refused with the advice to queue it. After 120 seconds the answer is 503 with the job’s id; the same request waits for that job again until it ends.',
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
    summary: 'Replace the machine’s text by a person’s',
    description:
      'The machine’s text and earlier edits are kept. An episode without a machine’s text can be given one too. Sending the same text again changes nothing. With `over` nothing is written over what was not read: if somebody has written since, the answer is 409 and names that edit.',
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
    summary: 'List what people wrote over a layer’s text of an episode, newest first',
    role: 'viewer',
    params: ofLayer,
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(annotationEditSchema) },
    errors: ['not_found'],
  }),
] as const satisfies readonly Operation[];
