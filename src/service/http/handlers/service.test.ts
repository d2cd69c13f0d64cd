import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemSchema } from '#core/api';
import { operations } from '#core/api/operations';
import { openBlobs, openQueue } from '#store';
import { openTestStore, type TestStore } from '#test/support/service-store';
import { createServer } from '../server.ts';
import { handlers } from './index.ts';

let store: TestStore;
let server: FastifyInstance;
beforeAll(async () => {
  store = await openTestStore({
    on: 'embedded',
    blobs: (folder) => openBlobs({ kind: 'folder', folder: join(folder, 'blobs') }),
    queue: (database) => openQueue(database, { worker: 'test' }),
  });
  server = await createServer({
    store,
    operations,
    handlers,
    authenticate: async () => null,
    verify_answers: true,
  });
});
afterAll(async () => {
  await server.close();
  await store.close();
});

it('a process that answers is healthy, and ready while its parts can be used', async () => {
  expect((await server.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await server.inject('/readyz')).json()).toEqual({ status: 'ready', database: 'embedded' });
});

it('a part that cannot be used is named, with when to ask again', async () => {
  const broken = await createServer({
    store: {
      ...store,
      blobs: openBlobs({ kind: 'folder', folder: import.meta.filename }),
      queue: store.queue,
    },
    operations,
    handlers,
    authenticate: async () => null,
  });
  const answer = await broken.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(problemSchema.parse(answer.json()).code).toBe('storage_unavailable');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect(answer.body).not.toContain(import.meta.filename);
  expect((await broken.inject('/healthz')).statusCode).toBe(200);
  await broken.close();
});

it('metrics count answers by operation and never by address', async () => {
  await server.inject('/v1/whoami');
  await server.inject('/v1/projects/prj_01k5w3p9x4f6zv2h7c8d0aqrst');
  await server.inject('/nowhere/at/all');
  const { body, headers } = await server.inject('/metrics');
  expect(headers['content-type']).toContain('text/plain');
  expect(body).toContain('assay_http_request_duration_seconds_count{operation="whoami",status="401"} 1');
  expect(body).toContain('assay_http_request_duration_seconds_count{operation="unknown",status="404"} 1');
  expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(body).not.toContain('prj_01k5w');
});

it('the contract is served as it is, and not sent again to who has it', async () => {
  const answer = await server.inject('/v1/openapi.json');
  expect(Object.keys(answer.json().paths)).toContain('/v1/openapi.json');
  const headers = { 'if-none-match': String(answer.headers.etag) };
  expect((await server.inject({ url: '/v1/openapi.json', headers })).statusCode).toBe(304);
});

it('the script of the reference comes packed to who can unpack it', async () => {
  const plain = await server.inject('/docs/reference.js');
  const packed = await server.inject({ url: '/docs/reference.js', headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  expect(packed.headers.etag).not.toBe(plain.headers.etag);
});
