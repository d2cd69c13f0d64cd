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
} from '../schemas/annotation/annotation-jobs.ts';

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

/** Layers that are run on episodes by request. */
export const annotationJobOperations = [
  defineOperation({
    id: 'enqueue_annotation_job',
    method: 'POST',
    path: '/v1/projects/{project_id}/annotation/jobs',
    tag,
    summary: 'Queue a layer for the episodes that need it',
    description:
      'Episodes that already carry the layer are skipped unless `force` is set. If a job of the layer is queued or running, that job is returned with 200 and no second one is queued. The estimated cost is reserved first.',
    role: 'engineer',
    params: ofProject,
    body: enqueueJobSchema,
    success: { status: 202, schema: jobSchema, found: 200 },
    errors: refusals,
    idempotent: true,
  }),
  defineOperation({
    id: 'preview_annotation_job',
    method: 'POST',
    path: '/v1/projects/{project_id}/annotation/preview',
    tag,
    summary: 'Preview what a job would do and cost, without queueing it',
    description: 'Under the guards of the job itself: what would be refused is refused with the same reason.',
    role: 'engineer',
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
    summary: 'List a project’s jobs, newest first',
    description: 'Includes the jobs that belong to runs, each with its run.',
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
    summary: 'Stream a project’s jobs as they progress',
    description:
      'The first event is `snapshot`, with every job that has not ended. Then come `job` after each change, `progress` a few times a second, and `heartbeat` after 15 seconds of silence. Ids grow: a client that reconnects with the last one as `Last-Event-ID` continues after it.',
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
    summary: 'Get one job',
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
    summary: 'Cancel a job and keep what is done',
    description:
      'The reservation for the rest is released. A running job is `cancelling` for a second or two.',
    role: 'engineer',
    params: ofJob,
    success: { status: 200, schema: jobSchema },
    errors: ['not_found', 'conflict'],
  }),
] as const satisfies readonly Operation[];
