import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import {
  createWorkspaceSchema,
  setUseCaseSchema,
  updateWorkspaceSchema,
  workspaceSchema,
} from '../schemas/projects.ts';

const params = z.object({ workspace_id: idSchema('ws') });

/** Workspaces: groups of projects with the same use case. */
export const workspaceOperations = [
  defineOperation({
    id: 'list_workspaces',
    method: 'GET',
    path: '/v1/workspaces',
    tag: 'workspaces',
    summary: 'List workspaces, newest first',
    role: 'viewer',
    query: z.strictObject(pageQuery),
    success: { status: 200, schema: pageOf(workspaceSchema) },
  }),
  defineOperation({
    id: 'create_workspace',
    method: 'POST',
    path: '/v1/workspaces',
    tag: 'workspaces',
    summary: 'Create a workspace for a use case',
    role: 'engineer',
    body: createWorkspaceSchema,
    success: { status: 201, schema: workspaceSchema, location: '/v1/workspaces/{workspace_id}' },
    idempotent: true,
  }),
  defineOperation({
    id: 'get_workspace',
    method: 'GET',
    path: '/v1/workspaces/{workspace_id}',
    tag: 'workspaces',
    summary: 'Get a workspace',
    role: 'viewer',
    params,
    success: { status: 200, schema: workspaceSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'update_workspace',
    method: 'PATCH',
    path: '/v1/workspaces/{workspace_id}',
    tag: 'workspaces',
    summary: 'Rename a workspace',
    role: 'engineer',
    params,
    body: updateWorkspaceSchema,
    success: { status: 200, schema: workspaceSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'delete_workspace',
    method: 'DELETE',
    path: '/v1/workspaces/{workspace_id}',
    tag: 'workspaces',
    summary: 'Delete a workspace without projects',
    role: 'engineer',
    params,
    success: { status: 204 },
    errors: ['not_found', 'conflict'],
  }),
  defineOperation({
    id: 'set_use_case',
    method: 'PUT',
    path: '/v1/workspaces/{workspace_id}/use-case',
    tag: 'workspaces',
    summary: 'Set the use case of a workspace',
    description:
      'Returns 409 with the projects whose target profile does not apply under the new use case. With `unfit_projects: keep`, those projects are left unchanged and report the mismatch.',
    role: 'engineer',
    params,
    body: setUseCaseSchema,
    success: { status: 200, schema: workspaceSchema },
    errors: ['not_found', 'conflict'],
  }),
] as const satisfies readonly Operation[];
