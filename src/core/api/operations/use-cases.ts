import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { pageOf, pageQuery } from '../primitives.ts';
import { targetProfileSchema, useCaseSchema } from '../schemas/use-cases.ts';

/** The catalogue of use cases and target profiles for workspaces and projects. */
export const useCaseOperations = [
  defineOperation({
    id: 'list_use_cases',
    method: 'GET',
    path: '/v1/use-cases',
    tag: 'use cases',
    summary: 'List use cases for workspaces',
    role: 'viewer',
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(useCaseSchema) },
    conditional: true,
  }),
  defineOperation({
    id: 'get_use_case',
    method: 'GET',
    path: '/v1/use-cases/{use_case_id}',
    tag: 'use cases',
    summary: 'Get a use case',
    description: 'Former ids are accepted: `data-certification` returns `data-assessment`.',
    role: 'viewer',
    params: z.object({ use_case_id: z.string() }),
    success: { status: 200, schema: useCaseSchema },
    errors: ['not_found'],
    conditional: true,
  }),
  defineOperation({
    id: 'list_target_profiles',
    method: 'GET',
    path: '/v1/target-profiles',
    tag: 'use cases',
    summary: 'List target profiles for projects',
    role: 'viewer',
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(targetProfileSchema) },
    conditional: true,
  }),
] as const satisfies readonly Operation[];
