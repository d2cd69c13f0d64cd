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
    summary: 'Import failures of a policy, and compare them with the training data',
    description:
      'Each failure is described as episodes are: by its motion where it has a trajectory, by the words of its task where it has none. `novelty` is the share of the baseline whose k-th nearest episode is nearer than the k-th nearest of the failure. The nearest episodes of near failures become a slice; novel failures are out of the data. Trajectories are not kept.',
    role: 'reviewer',
    params: project,
    body: importFailuresSchema,
    success: { status: 201, schema: failureImportSchema },
    errors: ['not_found', 'limit_exceeded', 'busy', 'unreadable_input', 'not_ready'],
    idempotent: true,
  }),
  defineOperation({
    id: 'list_failures',
    method: 'GET',
    path: '/v1/projects/{project_id}/failures',
    tag,
    summary: 'List a project’s failures with their novelty, newest first',
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
    summary: 'Get an import of failures: its counts, its baseline, its slice',
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
    summary: 'Curate again with the nearest episodes of an import boosted, and stage an export',
    description:
      'One transaction: the plan is stored and the export is queued, or neither. Episodes that hold a failure are not exported. The export waits for a person: `POST …/exports/{export_id}/seal`.',
    role: 'engineer',
    params: imported,
    body: closeLoopSchema,
    success: { status: 201, schema: closedLoopSchema },
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
