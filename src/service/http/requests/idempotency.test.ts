import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AssayError } from '#core';
import { defineOperation, problemSchema } from '#core/api';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import type { HandlersOf } from '../handler.ts';
import { createServer } from '../server.ts';

const rows = [
  defineOperation({
    id: 'spend_money',
    method: 'POST',
    path: '/v1/spendings',
    tag: 'test',
    summary: 'Spends',
    role: 'engineer',
    body: z.strictObject({
      n: z.int(),
      end: z.enum(['answer', 'refuse', 'refuse late', 'break', 'break at first', 'wait']),
    }),
    success: { status: 201, schema: z.strictObject({ total: z.int(), secret: z.string() }) },
    idempotent: true,
  }),
] as const;

let store: TestStore;
let server: FastifyInstance;
let address: string;
let begun: number;
/** What a waiting handler waits for. */
let gate: PromiseWithResolvers<void>;
let running: PromiseWithResolvers<void>;

const testHandlers = {
  spend_money: async (served, { body }) => {
    if (['wait', 'refuse late', 'break at first'].includes(body.end)) {
      running.resolve();
      await gate.promise;
    }
    if (body.end === 'break at first' && begun++ === 0) throw new Error('before the commit');
    const total = await served.store.database.transaction(async () => {
      if (body.end.startsWith('refuse')) throw new AssayError('conflict', `${body.n} is too much`);
      const { rows: after } = await served.store.database.query(
        'UPDATE spendings SET n = n + $1 RETURNING n',
        [body.n],
      );
      return after[0].n as number;
    });
    if (body.end === 'break') throw new Error('after the commit');
    return { total, secret: 'asy_shown_once' };
  },
} satisfies HandlersOf<typeof rows>;

const spend = async (n: number, end = 'answer', key: string | null = 'key-1', token = 'tok_1') =>
  await server.inject({
    method: 'POST',
    url: '/v1/spendings',
    payload: { n, end },
    headers: {
      authorization: `Bearer ${token}`,
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
  });
const spent = async () => (await store.database.query('SELECT n FROM spendings')).rows[0].n;
/** As if the process that holds the key had been killed a minute ago. */
const killHolder = () =>
  store.database.query("UPDATE idempotency_keys SET claimed_until = now() - interval '1 minute'");

/** As `spend`, from a client of its own. */
const spendOverHttp = async (n: number, end: string) => {
  const answer = await fetch(`${address}/v1/spendings`, {
    method: 'POST',
    body: JSON.stringify({ n, end }),
    headers: {
      authorization: 'Bearer tok_1',
      'idempotency-key': 'key-1',
      'content-type': 'application/json',
    },
  });
  const replayed = answer.headers.get('idempotency-replayed') === 'true';
  return { status: answer.status, body: await answer.text(), replayed };
};

describe.each(serviceDatabases)('an idempotency key, on the %s database', (on) => {
  beforeAll(async () => {
    store = await openTestStore({ on });
    await store.database.query('CREATE TABLE spendings (n int NOT NULL)');
    server = await createServer({
      store,
      operations: rows,
      handlers: testHandlers,
      authenticate: async (token) => ({
        tenant_id: 'tnt_1',
        token_id: token,
        user_id: null,
        name: token,
        role: 'admin',
      }),
      verify_answers: true,
    });
    address = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await store.close();
  });
  beforeEach(async () => {
    gate = Promise.withResolvers();
    running = Promise.withResolvers();
    begun = 0;
    await store.database.query('DELETE FROM spendings');
    await store.database.query('DELETE FROM idempotency_keys');
    await store.database.query('INSERT INTO spendings VALUES (0)');
  });

  it('makes the same request take effect once and be answered alike', async () => {
    const first = await spend(5);
    const again = await spend(5);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await spent()).toBe(5);
  });

  it('keeps no answer that whoever reads the database could read', async () => {
    await spend(5);
    const { rows: kept } = await store.database.query('SELECT * FROM idempotency_keys');
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain('asy_shown_once');
  });

  it('belongs to one request of one token', async () => {
    await spend(5);
    const other = await spend(6);
    expect([other.statusCode, problemSchema.parse(other.json()).code]).toEqual([409, 'idempotency_conflict']);
    expect((await spend(6, 'answer', 'key-1', 'tok_2')).statusCode).toBe(201);
    expect(await spent()).toBe(11);
  });

  it('lets one of many requests at once act, and gives its answer to all', async () => {
    const asked = Array.from({ length: 12 }, () => spendOverHttp(5, 'wait'));
    await running.promise;
    setTimeout(gate.resolve, 100);
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(11);
    expect(await spent()).toBe(5);
  });

  it('gives a refusal to all who wait, too', async () => {
    const asked = Array.from({ length: 5 }, () => spendOverHttp(5, 'refuse late'));
    await running.promise;
    setTimeout(gate.resolve, 100);
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(409));
    for (const { body } of answers) expect(body).toContain('5 is too much');
  });

  it('goes to one who waits where the first came to nothing', async () => {
    const first = spendOverHttp(5, 'break at first');
    await running.promise;
    const second = spendOverHttp(5, 'break at first');
    setTimeout(gate.resolve, 100);
    expect([(await first).status, (await second).status]).toEqual([500, 201]);
    expect(await spent()).toBe(5);
  });

  it('is of no use for another request, however early that comes', async () => {
    const first = spendOverHttp(5, 'wait');
    await running.promise;
    expect((await spendOverHttp(6, 'wait')).status).toBe(409);
    gate.resolve();
    expect((await first).status).toBe(201);
  });

  it('keeps a refusal that would be the same again', async () => {
    const first = await spend(5, 'refuse');
    const again = await spend(5, 'refuse');
    expect([first.statusCode, again.statusCode]).toEqual([409, 409]);
    expect(again.json().detail).toBe('5 is too much');
    expect(again.json().request_id).not.toBe(first.json().request_id);
  });

  it('of a process that does not renew it goes to the next, and the first one’s work is undone', async () => {
    const lost = spend(5, 'wait');
    await running.promise;
    running = Promise.withResolvers();
    await killHolder();
    const next = spend(5, 'wait');
    await running.promise;
    gate.resolve();
    expect((await next).statusCode).toBe(201);
    expect((await lost).statusCode).toBe(409);
    expect(await spent()).toBe(5);
  });

  it('of a request that took effect without an answer does not take effect again', async () => {
    expect((await spend(5, 'break')).statusCode).toBe(500);
    const again = await spend(5, 'break');
    expect([again.statusCode, again.json().code]).toEqual([409, 'idempotency_conflict']);
    expect(again.json().detail).toContain('took effect');
    expect(await spent()).toBe(5);
  });

  it('must be printable', async () => {
    expect((await spend(5, 'answer', 'with space')).statusCode).toBe(422);
  });

  it('may be left out', async () => {
    await spend(5, 'answer', null);
    await spend(5, 'answer', null);
    expect(await spent()).toBe(10);
  });
});
