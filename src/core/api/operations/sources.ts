import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { idSchema, pageOf, pageQuery } from '../primitives.ts';
import { createSourceSchema, sourceFileSchema, sourceSchema } from '../schemas/sources.ts';

const inProject = z.object({ project_id: idSchema('prj') });
const params = z.object({ source_id: idSchema('src') });

/** Sources: where a project's recordings come from. */
export const sourceOperations = [
  defineOperation({
    id: 'list_sources',
    method: 'GET',
    path: '/v1/projects/{project_id}/sources',
    tag: 'sources',
    summary: 'List a project’s sources, newest first',
    role: 'viewer',
    params: inProject,
    query: z.strictObject({ ...pageQuery }),
    success: { status: 200, schema: pageOf(sourceSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'create_source',
    method: 'POST',
    path: '/v1/projects/{project_id}/sources',
    tag: 'sources',
    summary: 'Register a source: a folder, an address, an S3 prefix or an upload',
    description:
      'Recordings stay in place; a run copies only numeric data. Send the files of an upload to `/v1/uploads` with the tus 1.0 protocol, each with the metadata `source_id`, `path` and `sha256`; interrupted transfers can be resumed.',
    role: 'engineer',
    params: inProject,
    body: createSourceSchema,
    success: { status: 201, schema: sourceSchema, location: '/v1/sources/{source_id}' },
    errors: ['not_found', 'source_not_allowed', 'storage_unavailable'],
    idempotent: true,
  }),
  defineOperation({
    id: 'get_source',
    method: 'GET',
    path: '/v1/sources/{source_id}',
    tag: 'sources',
    summary: 'Get a source',
    role: 'viewer',
    params,
    success: { status: 200, schema: sourceSchema },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'delete_source',
    method: 'DELETE',
    path: '/v1/sources/{source_id}',
    tag: 'sources',
    summary: 'Remove a source',
    description:
      'Deletes uploaded files; folders and buckets are left untouched. The source’s runs, episodes and receipts are kept and its state becomes `gone`. A source without runs is deleted.',
    role: 'engineer',
    params,
    success: { status: 204 },
    errors: ['not_found', 'conflict', 'storage_unavailable'],
  }),
  defineOperation({
    id: 'list_source_files',
    method: 'GET',
    path: '/v1/sources/{source_id}/files',
    tag: 'sources',
    summary: 'List the files of an upload by path, with the URL to resume each',
    role: 'viewer',
    params,
    query: z.strictObject({
      ...pageQuery,
      state: z.enum(['all', 'unfinished']).default('all'),
    }),
    success: { status: 200, schema: pageOf(sourceFileSchema) },
    errors: ['not_found'],
  }),
  defineOperation({
    id: 'complete_source',
    method: 'POST',
    path: '/v1/sources/{source_id}/complete',
    tag: 'sources',
    summary: 'Complete an upload so that it can be run',
    role: 'engineer',
    params,
    success: { status: 200, schema: sourceSchema },
    errors: ['not_found', 'conflict', 'not_ready', 'hash_mismatch', 'storage_unavailable'],
  }),
] as const satisfies readonly Operation[];
