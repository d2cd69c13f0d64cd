import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  closedLoopSchema,
  closeLoopSchema,
  failureImportSchema,
  failureSchema,
  importFailuresSchema,
} from '../schemas/failures.ts';

const tag = 'failures';
const project = z.object({ project_id: idSchema('prj') });
const imported = z.object({ project_id: idSchema('prj'), import_id: idSchema('fim') });

/** Failures of policies, and plans to collect or select episodes for them. */
export const failureOperations = [
  defineOperation({
    id: 'import_failures',
    method: 'POST',
    path: '/v1/projects/{project_id}/failures',
    tag,
    summary: 'Import policy failures and compare them with the training data',
    description:
      'Each failure is compared with the project’s episodes by its motion if it has a trajectory, otherwise by the words of its task. `novelty` is the share of baseline episodes whose k-th nearest neighbour is closer than that of the failure. The training episodes nearest to failures inside the training distribution are saved as a slice; novel failures are outside the training distribution. Trajectories are not stored.',
    role: 'reviewer',
    params: project,
    body: importFailuresSchema,
    success: {
      status: 201,
      schema: failureImportSchema,
      location: '/v1/projects/{project_id}/failures/{import_id}',
    },
    errors: ['not_found', 'limit_exceeded', 'busy', 'unreadable_input', 'not_ready'],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_failures',
    method: 'GET',
    path: '/v1/projects/{project_id}/failures',
    tag,
    summary: 'List a project’s policy failures with their novelty, newest first',
    role: 'viewer',
    params: project,
    query: z.strictObject({
      import_id: idSchema('fim').optional(),
      verdict: failureSchema.shape.verdict.optional(),
      ...pageQuery,
    }),
    success: { status: 200, schema: pageOf(failureSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'get_failure_import',
    method: 'GET',
    path: '/v1/projects/{project_id}/failures/{import_id}',
    tag,
    summary: 'Get a failure import with its counts, baseline and slice',
    role: 'viewer',
    params: imported,
    success: { status: 200, schema: failureImportSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'close_loop',
    method: 'POST',
    path: '/v1/projects/{project_id}/failures/{import_id}/loop',
    tag,
    summary: 'Curate again with more weight on the episodes nearest to failures, and queue an export',
    description:
      'In one transaction, stores the plan and queues the export. Episodes that contain a failure are not exported. The export must be approved by a person with `POST …/exports/{export_id}/seal`.',
    role: 'engineer',
    params: imported,
    body: closeLoopSchema,
    success: {
      status: 201,
      schema: closedLoopSchema,
      location: '/v1/projects/{project_id}/exports/{export_id}',
      located_by: ['export', 'id'],
    },
    errors: [
      'not_found',
      'conflict',
      'not_ready',
      'limit_exceeded',
      'busy',
      'budget_exceeded',
      'source_not_allowed',
    ],
    idempotent: true,
  }),
] as const satisfies readonly Operation[];
