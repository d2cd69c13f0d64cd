import { z } from 'zod';
import { layerIdSchema } from '../annotation-layers.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf } from '../primitives.ts';
import {
  annotateEpisodeSchema,
  editDenseTextSchema,
  episodeAnnotationSchema,
  episodeAnnotationSummarySchema,
} from '../schemas/annotations.ts';

const tag = 'episode annotations';
const ofEpisode = z.object({ project_id: idSchema('prj'), episode_id: idSchema('ep') });
const ofLayer = ofEpisode.extend({ layer: layerIdSchema });
const path = '/v1/projects/{project_id}/episodes/{episode_id}/annotations/{layer}';

/** What layers say of one episode, and what people make of it. */
export const episodeAnnotationOperations = [
  defineOperation({
    id: 'list_episode_annotations',
    method: 'GET',
    path: '/v1/projects/{project_id}/episodes/{episode_id}/annotations',
    tag,
    summary: 'Lists the layers that an episode carries',
    description: 'In the order of the catalog, without what they say: that is read layer by layer.',
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
    summary: 'Gets what a layer says of an episode, and beside it what a person wrote over it',
    description:
      'Its bytes are held against the hash they were stored with. Where the episode does not carry the layer, the answer tells how to get it.',
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
    summary: 'Gets one part of what a layer says of an episode, as it was written',
    description:
      'The annotation lists its parts with their media types; `artifact` is the artifact itself. The bytes are held against the hash they were stored with, which is also their ETag.',
    role: 'viewer',
    params: ofLayer.extend({ part: z.string().min(1).max(100) }),
    success: { status: 200, content_type: '*/*' },
    errors: ['not_found', 'hash_mismatch'],
    conditional: true,
  }),
  defineOperation({
    id: 'annotate_episode',
    method: 'POST',
    path,
    tag,
    summary: 'Runs one layer on one episode and answers what came out',
    description:
      'A job of one episode that is waited for: the same guards hold, it is paid for alike, and it goes on where nobody waits any more. What would take more than 60 seconds is refused with the advice to queue it. After 120 seconds of waiting the answer is 503 with the job’s id; the same request waits for the same job again, as long as that has not ended.',
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
    summary: 'Writes a person’s text in place of the machine’s',
    description:
      'The machine’s text stays beside it, and so do earlier edits. An episode that carries no machine’s text can be given one as well. The same text again changes nothing.',
    role: 'reviewer',
    params: ofEpisode.extend({ layer: z.enum(['dense_text']) }),
    body: editDenseTextSchema,
    success: { status: 200, schema: episodeAnnotationSchema },
    errors: ['not_found', 'hash_mismatch'],
  }),
] as const satisfies readonly Operation[];
