import { z } from 'zod';
import { jobLayerIdSchema } from '../annotation-layers.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  enqueueJobSchema,
  jobEventSchema,
  jobPreviewSchema,
  jobSchema,
  jobStatusSchema,
} from '../schemas/annotation-jobs.ts';

const tag = 'annotation jobs';
const ofProject = z.object({ project_id: idSchema('prj') });
const ofJob = z.object({ project_id: idSchema('prj'), job_id: idSchema('job') });

/** Error codes of operations that queue a job. */
const refusals = [
  'not_found',
  'budget_exceeded',
  'layer_off',
  'layer_inapplicable',
  'layer_unavailable',
  'layer_not_servable',
  'already_produced',
  'not_ready',
] as const;

/** Jobs that run annotation layers on episodes on request. */
export const annotationJobOperations = [
  defineOperation({
    id: 'enqueue_annotation_job',
    method: 'POST',
    path: '/v1/projects/{project_id}/annotation/jobs',
    tag,
    summary: 'Queue an annotation job',
    description:
      'Runs one layer on the episodes that do not have it yet; with `force`, on all of them. If a job for the layer is already queued or running, returns that job with status 200 instead of queuing another. The estimated cost is reserved from the budget first.',
    role: 'engineer',
    params: ofProject,
    body: enqueueJobSchema,
    success: {
      status: 202,
      schema: jobSchema,
      found: 200,
      location: '/v1/projects/{project_id}/annotation/jobs/{job_id}',
    },
    errors: refusals,
    idempotent: true,
  }),
  defineOperation({
    id: 'preview_annotation_job',
    method: 'POST',
    path: '/v1/projects/{project_id}/annotation/preview',
    tag,
    summary: 'Preview an annotation job and its cost without queuing it',
    description: 'Applies the same checks as queuing the job and returns the same errors.',
    role: 'viewer',
    params: ofProject,
    body: enqueueJobSchema,
    success: { status: 200, schema: jobPreviewSchema },
    errors: refusals,
  }),
  defineOperation({
    id: 'list_annotation_jobs',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/jobs',
    tag,
    summary: 'List a project’s annotation jobs, newest first',
    description: 'Includes jobs started by runs, with the run’s id.',
    role: 'viewer',
    params: ofProject,
    query: z.strictObject({
      ...pageQuery,
      layer: jobLayerIdSchema.optional(),
      status: jobStatusSchema.optional(),
    }),
    success: { status: 200, schema: pageOf(jobSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'stream_annotation_jobs',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/jobs/stream',
    tag,
    summary: 'Stream the progress of a project’s annotation jobs',
    description:
      'The first event is `snapshot`, with all open jobs. After it come `job` on each change, `progress` a few times per second, and `heartbeat` after 15 seconds without other events. Event ids increase: send the last one as `Last-Event-ID` to resume after a disconnect.',
    role: 'viewer',
    params: ofProject,
    success: { status: 200, content_type: 'text/event-stream', schema: jobEventSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_annotation_job',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/jobs/{job_id}',
    tag,
    summary: 'Get an annotation job',
    role: 'viewer',
    params: ofJob,
    success: { status: 200, schema: jobSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'cancel_annotation_job',
    method: 'POST',
    path: '/v1/projects/{project_id}/annotation/jobs/{job_id}/cancel',
    tag,
    summary: 'Cancel an annotation job',
    description:
      'Finished episodes keep their annotations and the unused budget reservation is released. A running job is `cancelling` for a second or two.',
    role: 'engineer',
    params: ofJob,
    success: { status: 200, schema: jobSchema },
    errors: ['not_found', 'conflict'],
  }),
] as const satisfies readonly Operation[];
