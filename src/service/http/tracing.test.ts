import { createServer as createReceiver, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '#core/api';
import type { Store } from '#store';
import type { HandlersOf } from './handler.ts';
import { createServer } from './server.ts';
import { openTracing, type Tracing } from './tracing.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

const rows = [
  defineOperation({
    id: 'get_number',
    method: 'GET',
    path: '/v1/numbers/{number}',
    tag: 'test',
    summary: 'A number',
    role: 'viewer',
    params: z.object({ number: z.coerce.number() }),
    success: { status: 200, schema: z.number() },
  }),
  defineOperation({
    id: 'check_health',
    method: 'GET',
    path: '/healthz',
    tag: 'test',
    summary: 'Health',
    role: 'public',
    success: { status: 200, schema: z.literal('ok') },
    unmetered: true,
  }),
] as const;
const testHandlers = {
  get_number: async (_served, { params }) => {
    if (params.number === 13) throw new Error('unlucky');
    return params.number;
  },
  check_health: async () => 'ok' as const,
} satisfies HandlersOf<typeof rows>;

let receiver: Server;
let posts: { readonly path: string; readonly body: Sent }[];
let tracing: Tracing;
let server: FastifyInstance;

beforeEach(async () => {
  posts = [];
  receiver = createReceiver(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    posts.push({ path: String(request.url), body: JSON.parse(Buffer.concat(chunks).toString()) });
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  tracing = await openTracing(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, '1.2.3');
  server = await createServer({
    store: {} as Store,
    operations: rows,
    handlers: testHandlers,
    authenticate: async () => ({
      tenant_id: 'tnt_1',
      token_id: 'tok_1',
      user_id: null,
      name: 'n',
      role: 'viewer',
    }),
    tracing,
  });
});
afterEach(async () => {
  await server.close();
  receiver.close();
});

const valuesOf = (attributes: SentSpan['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

it('requests become spans of the caller’s trace, with route, request id and status', async () => {
  const headers = {
    authorization: 'Bearer asy_secret',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'x-request-id': 'my-request-0001',
  };
  await server.inject({ url: '/v1/numbers/7?', headers });
  await server.inject({ url: '/v1/numbers/13', headers: { authorization: 'Bearer asy_secret' } });
  await server.inject('/healthz');
  await tracing.close();
  expect(posts.map(({ path }) => path)).toEqual(['/v1/traces']);
  const [{ resource, scopeSpans }] = posts[0].body.resourceSpans;
  expect(valuesOf(resource.attributes)).toMatchObject({
    'service.name': 'assay',
    'service.version': '1.2.3',
  });
  const [good, bad, ...more] = scopeSpans[0].spans;
  expect(more).toEqual([]);
  expect(good).toMatchObject({
    name: 'GET /v1/numbers/{number}',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    parentSpanId: '00f067aa0ba902b7',
  });
  expect(valuesOf(good.attributes)).toMatchObject({
    'assay.request_id': 'my-request-0001',
    'assay.operation': 'get_number',
    'assay.tenant_id': 'tnt_1',
    'http.response.status_code': 200,
  });
  expect(valuesOf(bad.attributes)['http.response.status_code']).toBe(500);
  expect(bad.status.code).toBe(2);
  expect(JSON.stringify(posts)).not.toContain('asy_secret');
});

it('a collector that is away keeps nobody waiting', async () => {
  receiver.close();
  const answer = await server.inject({ url: '/v1/numbers/7', headers: { authorization: 'Bearer t' } });
  expect(answer.statusCode).toBe(200);
  await tracing.close();
});
