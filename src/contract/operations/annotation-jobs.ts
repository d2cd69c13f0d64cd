import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  enqueueJobSchema,
  jobEventSchema,
  jobLayerSchema,
  jobSchema,
  jobStatusSchema,
} from '../schemas/annotation-jobs.ts';

const tag = 'annotation jobs';
const ofProject = z.object({ project_id: idSchema('prj') });
const ofJob = z.object({ project_id: idSchema('prj'), job_id: idSchema('job') });

/** Layers that are run on episodes by request. */
export const annotationJobOperations = [
  defineOperation({
    id: 'enqueue_annotation_job',
    method: 'POST',
    path: '/v1/projects/{project_id}/annotation/jobs',
    tag,
    summary: 'Queues a layer for the episodes that need it',
    description:
      'Episodes that carry the layer already are left out, unless `force` says otherwise. While a job of the layer is queued or under way it is answered, with 200, instead of a second being queued. What it is estimated to cost is put aside first.',
    role: 'engineer',
    params: ofProject,
    body: enqueueJobSchema,
    success: { status: 202, schema: jobSchema, found: 200 },
    errors: [
      'not_found',
      'budget_exceeded',
      'layer_off',
      'layer_inapplicable',
      'layer_unavailable',
      'layer_not_servable',
      'already_produced',
      'not_ready',
    ],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_annotation_jobs',
    method: 'GET',
    path: '/v1/projects/{project_id}/annotation/jobs',
    tag,
    summary: 'Lists a project’s jobs, newest first',
    description: 'Those of runs too, with the run they are part of.',
    role: 'viewer',
    params: ofProject,
    query: z.strictObject({
      ...pageQuery,
      layer: jobLayerSchema.optional(),
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
    summary: 'Tells of a project’s jobs as they go on',
    description:
      'First `snapshot` with every job that has not ended; then `job` after each change, `progress` a few times a second, and `heartbeat` every 15 seconds of silence. Ids grow: a client that sends the last one as `Last-Event-ID` goes on after it.',
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
    summary: 'Gets one job',
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
    summary: 'Cancels a job; what is done stays',
    description:
      'What was put aside for the rest is given back. A job that is being worked on is `cancelling` for a second or two.',
    role: 'engineer',
    params: ofJob,
    success: { status: 200, schema: jobSchema },
    errors: ['not_found', 'conflict'],
  }),
] as const satisfies readonly Operation[];
