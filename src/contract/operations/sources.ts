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
    summary: 'Lists a project’s sources, newest first',
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
    summary: 'Registers a folder or an S3 prefix, or opens an upload',
    description:
      'Recordings stay where they are; only their numbers are copied by a run. Files of an upload are sent to `/v1/uploads` by the tus 1.0 protocol, each with the metadata `source_id`, `path` and `sha256`; a broken transfer goes on where it stopped.',
    role: 'engineer',
    params: inProject,
    body: createSourceSchema,
    success: { status: 201, schema: sourceSchema },
    errors: ['not_found', 'source_not_allowed', 'storage_unavailable'],
    idempotent: true,
  }),
  defineOperation({
    id: 'get_source',
    method: 'GET',
    path: '/v1/sources/{source_id}',
    tag: 'sources',
    summary: 'Gets one source',
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
    summary: 'Takes a source out; uploaded files are deleted, others stay where they are',
    description:
      'Runs, episodes and receipts of the source stay; it is then `gone`. Without runs nothing stays.',
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
    summary: 'Lists the files of an upload by path, with where each goes on',
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
    summary: 'Ends an upload: its files are whole and may be run on',
    role: 'engineer',
    params,
    success: { status: 200, schema: sourceSchema },
    errors: ['not_found', 'conflict', 'not_ready', 'hash_mismatch', 'storage_unavailable'],
  }),
] as const satisfies readonly Operation[];
