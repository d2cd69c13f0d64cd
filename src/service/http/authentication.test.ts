import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '#core/api';
import type { Store } from '#store';
import type { HandlersOf } from './handler.ts';
import { createServer } from './server.ts';

const answer = { status: 200, schema: z.strictObject({}) } as const;
const row = { tag: 'test', summary: 'Answers', success: answer } as const;
const rows = [
  defineOperation({ ...row, id: 'look', method: 'GET', path: '/v1/things', role: 'viewer' }),
  defineOperation({ ...row, id: 'change', method: 'POST', path: '/v1/things', role: 'admin' }),
  defineOperation({ ...row, id: 'read_docs', method: 'GET', path: '/v1/docs', role: 'public' }),
] as const;
const testHandlers = {
  look: async () => ({}),
  change: async () => ({}),
  read_docs: async () => ({}),
} satisfies HandlersOf<typeof rows>;

let server: FastifyInstance;
afterEach(() => server.close());

/** A service where tokens that begin with `good` are; gives what asks it and tells the status. */
async function listen(address_per_minute: number, lookUp: (token: string) => Promise<void> = async () => {}) {
  server = await createServer({
    store: {} as Store,
    operations: rows,
    handlers: testHandlers,
    authenticate: async (token) => {
      await lookUp(token);
      if (!token.startsWith('good')) return null;
      return { tenant_id: 'tnt_1', token_id: token, user_id: null, name: token, role: 'admin' };
    },
    limits: { address_per_minute },
  });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return async (token: string | null, path = '/v1/things', method = 'GET') => {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    const { status, headers: given } = await fetch(address + path, { method, headers });
    expect(given.has('retry-after')).toBe(status === 429);
    return status;
  };
}

it('whoever has a good token is let in, whatever strangers behind the same address try', async () => {
  const ask = await listen(10);
  const statuses: number[] = [];
  for (let guess = 0; guess < 15; guess++) statuses.push(await ask(`bad-${guess}`));
  expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)]);
  expect(await ask(null)).toBe(429);
  for (let asked = 0; asked < 20; asked++) expect(await ask('good')).toBe(200);
  expect(await ask('good-but-new')).toBe(200);
  // What needs no token has its own count.
  expect(await ask(null, '/v1/docs')).toBe(200);
});

it('good tokens leave their address its whole limit', async () => {
  const ask = await listen(3);
  for (let person = 0; person < 9; person++) expect(await ask(`good-${person}`)).toBe(200);
  expect([await ask('bad'), await ask('bad'), await ask('bad'), await ask('bad')]).toEqual([
    401, 401, 401, 429,
  ]);
});

it('guesses wait for each other, and nobody whose token was good before waits for them', async () => {
  const held = Promise.withResolvers<void>();
  const four = Promise.withResolvers<void>();
  let guesses = 0;
  const ask = await listen(1000, async (token) => {
    if (token.startsWith('good')) return;
    if (++guesses === 4) four.resolve();
    await held.promise;
  });
  expect(await ask('good')).toBe(200);
  const flood = Array.from({ length: 20 }, (_, guess) => ask(`bad-${guess}`));
  await four.promise;
  // Tokens may have changed after this: the good one is looked up again.
  expect(await ask('good', '/v1/things', 'POST')).toBe(200);
  expect(await ask('good')).toBe(200);
  expect(guesses).toBe(4);
  held.resolve();
  expect(new Set(await Promise.all(flood))).toEqual(new Set([401]));
  expect(guesses).toBe(20);
});
