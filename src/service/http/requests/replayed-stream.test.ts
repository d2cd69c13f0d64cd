import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineOperation } from '#core/api';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import type { HandlersOf, ServerSentEvent } from '../handler.ts';
import { createServer } from '../server.ts';

const rows = [
  defineOperation({
    id: 'count_up',
    method: 'POST',
    path: '/v1/counts',
    tag: 'test',
    summary: 'Counts up to three',
    role: 'engineer',
    body: z.strictObject({ how: z.enum(['all', 'breaks', 'waits']) }),
    success: { status: 200, content_type: 'text/event-stream' },
    idempotent: true,
  }),
] as const;

let opened = 0;
let finished = 0;

async function* countUp(how: string, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  opened++;
  try {
    for (let n = 1; n <= 3; n++) {
      if (how === 'breaks' && n === 3) throw new Error('the source broke');
      if (how === 'waits' && n === 3) await wait(60_000, undefined, { signal }).catch(() => {});
      yield { event: 'number', data: { n } };
    }
  } finally {
    // Takes time to end, like a copilot turn, which is stored after its client has left.
    if (how === 'waits') await wait(200);
    finished++;
  }
}

const testHandlers = {
  count_up: async ({ signal }, { body: { how } }) => countUp(how, signal),
} satisfies HandlersOf<typeof rows>;

describe.each(serviceDatabases)('a stream with an idempotency key, on the %s database', (on) => {
  let store: TestStore;
  let server: Awaited<ReturnType<typeof createServer>>;
  let address: string;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    [opened, finished] = [0, 0];
    await store.database.query('DELETE FROM idempotency_keys');
    server = await createServer({
      store,
      operations: rows,
      handlers: testHandlers,
      authenticate: async (token) => {
        const [tenant_id, name] = token.split('.');
        return { tenant_id, token_id: `tok_${name}`, user_id: null, name, role: 'admin' };
      },
    });
    address = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  const post = (how: string, key: string | null = 'key-1', token = 'tnt_1.a') =>
    fetch(`${address}/v1/counts`, {
      method: 'POST',
      body: JSON.stringify({ how }),
      headers: {
        ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(key !== null && { 'idempotency-key': key }),
      },
    });
  const savedAnswers = async () =>
    (await store.database.query('SELECT count(answer)::int AS answers FROM idempotency_keys')).rows[0]
      .answers;

  it('is cut if its source fails, and opened again by the next request', async () => {
    for (const times of [1, 2]) {
      const answer = await post('breaks');
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
      await expect(answer.text()).rejects.toThrow();
      expect(opened).toBe(times);
    }
    expect(await savedAnswers()).toBe(0);
  });

  it('is not shared with other tokens and tenants', async () => {
    await (await post('all')).text();
    for (const token of ['tnt_1.b', 'tnt_2.a']) {
      const answer = await post('all', 'key-1', token);
      expect(answer.headers.get('idempotency-replayed')).toBeNull();
      await answer.text();
    }
    expect(opened).toBe(3);
    const again = await post('all');
    expect([again.headers.get('idempotency-replayed'), opened]).toEqual(['true', 3]);
    await again.text();
  });

  it.each(['key-1', null])('with the key %s is finished before the server has stopped', async (key) => {
    const answer = await post('waits', key);
    const text = answer.text();
    while (opened === 0) await wait(10);
    await wait(50);
    await server.close();
    expect(finished).toBe(1);
    expect(await text).toContain('{"n":2}');
    expect(await savedAnswers()).toBe(key === null ? 0 : 1);
  });
});
