import { once } from 'node:events';
import { get } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTokenSchema, defineOperation } from '#core/api';
import { createTenant, createToken, findActor, revokeToken, systemCall } from '#service/operations';
import { openTestStore, type TestStore } from '#test/support/service-store';
import type { HandlersOf, ServerSentEvent } from './handler.ts';
import { createServer } from './server.ts';

const rows = [
  defineOperation({
    id: 'watch_numbers',
    method: 'GET',
    path: '/v1/numbers/{how}',
    tag: 'test',
    summary: 'Numbers as they come',
    role: 'viewer',
    params: z.object({ how: z.enum(['quiet', 'endless']) }),
    success: { status: 200, content_type: 'text/event-stream' },
  }),
] as const;

async function* numbers(how: string, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  while (!signal.aborted) {
    if (how === 'quiet') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    else yield { event: 'number', data: 'x'.repeat(10_000) };
  }
}

const testHandlers = {
  watch_numbers: async ({ signal }, { params: { how } }) => numbers(how, signal),
} satisfies HandlersOf<typeof rows>;

let store: TestStore;
let server: FastifyInstance;
let address: string;
let tenant_id: string;
/** What the clock of the service is ahead. */
let ahead_ms = 0;

beforeAll(async () => {
  store = await openTestStore();
  ({ id: tenant_id } = await createTenant(store, { name: 'lab', by: 'test', now: new Date() }));
  server = await createServer({
    store,
    operations: rows,
    handlers: testHandlers,
    authenticate: (token) => findActor(store, token, new Date(Date.now() + ahead_ms)),
  });
  address = await server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await store.close();
});

const owner = () => systemCall(tenant_id, 'test', new Date());
const newToken = (expires_in_s?: number) =>
  createToken(store, owner(), createTokenSchema.parse({ name: 'x', role: 'viewer', expires_in_s }));
const open = (token: string, how = 'quiet') =>
  fetch(`${address}/v1/numbers/${how}`, { headers: { authorization: `Bearer ${token}` } });
const inTime = <T>(work: Promise<T>) =>
  Promise.race([work, new Promise<'still open'>((resolve) => setTimeout(resolve, 45_000, 'still open'))]);

it('a stream ends with its token, and no other does', async () => {
  const [gone, stays] = [await newToken(), await newToken()];
  const [ends, goesOn] = [await open(gone.token), await open(stays.token)];
  const other = goesOn.body!.getReader();
  await other.read();
  const text = ends.text();
  // As by another process on the same database, of which this one hears nothing.
  await revokeToken(store, owner(), gone.id);
  expect(await inTime(text)).toBe(': open\n\n');
  expect((await open(gone.token)).status).toBe(401);
  const next = await Promise.race([other.read(), Promise.resolve('open')]);
  expect(next).toBe('open');
  await other.cancel();
}, 60_000);

it('a stream ends when its token expires', async () => {
  const { token } = await newToken(60);
  const text = (await open(token)).text();
  ahead_ms = 61_000;
  expect(await inTime(text)).toBe(': open\n\n');
  ahead_ms = 0;
}, 60_000);

it('a stream whose client does not read is cut with its token', async () => {
  const { id, token } = await newToken();
  const connected = once(server.server, 'connection') as Promise<[Socket]>;
  const headers = { authorization: `Bearer ${token}` };
  // Not fetch: it ends an answer that nobody reads as soon as its memory is collected.
  const request = get(`${address}/v1/numbers/endless`, { headers, agent: false });
  const [[socket]] = await Promise.all([connected, once(request, 'response')]);
  expect(socket.destroyed).toBe(false);
  const closed = once(socket, 'close').then(() => 'closed');
  await revokeToken(store, owner(), id);
  expect(await inTime(closed)).toBe('closed');
  request.destroy();
}, 60_000);
