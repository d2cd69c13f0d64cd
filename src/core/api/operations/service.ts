import { z } from 'zod';
import { defineOperation, type Operation } from '../operation.ts';
import { healthSchema, readinessSchema } from '../schemas/service.ts';

const tag = 'service';

/** Health, version and documentation of the service; none of it needs a token. */
export const serviceOperations = [
  defineOperation({
    id: 'check_health',
    method: 'GET',
    path: '/healthz',
    tag,
    summary: 'Check that the process is alive',
    role: 'public',
    success: { status: 200, schema: healthSchema },
    unmetered: true,
  }),
  defineOperation({
    id: 'check_readiness',
    method: 'GET',
    path: '/readyz',
    tag,
    summary: 'Check that database, blob store and queue are available',
    description: 'Returns 503 if one is unavailable; `code` names it.',
    role: 'public',
    success: { status: 200, schema: readinessSchema },
    unmetered: true,
  }),
  defineOperation({
    id: 'read_metrics',
    method: 'GET',
    path: '/metrics',
    tag,
    summary: 'Get metrics of this process in Prometheus text format',
    role: 'public',
    success: { status: 200, content_type: 'text/plain' },
    unmetered: true,
  }),
  defineOperation({
    id: 'get_contract',
    method: 'GET',
    path: '/v1/openapi.json',
    tag,
    summary: 'Get this OpenAPI document',
    role: 'public',
    success: { status: 200, schema: z.record(z.string(), z.unknown()) },
    conditional: true,
  }),
  defineOperation({
    id: 'open_docs',
    method: 'GET',
    path: '/docs',
    tag,
    summary: 'Open the API reference page',
    role: 'public',
    success: { status: 200, content_type: 'text/html' },
    conditional: true,
  }),
  defineOperation({
    id: 'get_docs_file',
    method: 'GET',
    path: '/docs/{file}',
    tag,
    summary: 'Get a file of the API reference page',
    role: 'public',
    params: z.object({ file: z.enum(['reference.js', 'start.js']) }),
    success: { status: 200, content_type: 'text/javascript' },
    conditional: true,
  }),
] as const satisfies readonly Operation[];
