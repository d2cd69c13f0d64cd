import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { AssayError } from '#core';
import { defineOperation } from '#core/api';
import type { Store } from '#store';
import type { HandlersOf, ServerSentEvent } from './handler.ts';
import { createServer } from './server.ts';

const rows = [
  defineOperation({
    id: 'watch_numbers',
    method: 'GET',
    path: '/v1/numbers/{how}',
    tag: 'test',
    summary: 'Numbers as they come',
    role: 'public',
    params: z.object({ how: z.enum(['few', 'endless', 'quiet', 'absent', 'broken']) }),
    success: { status: 200, content_type: 'text/event-stream' },
  }),
] as const;

/** Events that sources gave, and what ended the last source. */
let given = 0;
let ended: PromiseWithResolvers<string>;

async function* numbers(from: number, how: string, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
  try {
    for (let n = from; how !== 'few' || n < from + 3; n++) {
      if (how === 'quiet') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (signal.aborted) return;
      if (how === 'broken' && n === 2) throw new Error('the source broke');
      given++;
      yield { id: String(n), event: 'number', data: { n, text: 'x'.repeat(1000), line: 'a\nb' } };
    }
  } finally {
    ended.resolve(signal.aborted ? 'signal' : 'end');
  }
}

const testHandlers = {
  watch_numbers: async ({ headers, signal }, { params: { how } }) => {
    if (how === 'absent') throw new AssayError('not_found', 'there are no such numbers');
    return numbers(Number(headers['last-event-id'] ?? 0) + 1, how, signal);
  },
} satisfies HandlersOf<typeof rows>;

let server: FastifyInstance;
async function listen(heartbeat_ms = 15_000): Promise<string> {
  given = 0;
  ended = Promise.withResolvers();
  server = await createServer({
    store: {} as Store,
    operations: rows,
    handlers: testHandlers,
    authenticate: async () => null,
    limits: { heartbeat_ms },
  });
  return server.listen({ host: '127.0.0.1', port: 0 });
}
afterEach(() => server.close());

it('a stream resumes after the event that the client names, and ends with its source', async () => {
  const address = await listen();
  const answer = await fetch(`${address}/v1/numbers/few`, { headers: { 'last-event-id': '7' } });
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const events = (await answer.text()).split('\n\n').filter((text) => text.startsWith('id:'));
  expect(events.map((text) => text.split('\n')[0])).toEqual(['id: 8', 'id: 9', 'id: 10']);
  const [, event, data, ...more] = events[0].split('\n');
  expect([event, more]).toEqual(['event: number', []]);
  expect(JSON.parse(data.slice('data: '.length))).toMatchObject({ n: 8, line: 'a\nb' });
});

it('what cannot be streamed is a problem, not a stream', async () => {
  const answer = await fetch(`${await listen()}/v1/numbers/absent`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
});

it('a source that breaks cuts the stream, so that the client comes back', async () => {
  const answer = await fetch(`${await listen()}/v1/numbers/broken`);
  await expect(answer.text()).rejects.toThrow();
});

it('silence is filled with comments', async () => {
  const answer = await fetch(`${await listen(20)}/v1/numbers/quiet`);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.split(': still here').length < 4) text += (await reader.read()).value;
  await reader.cancel();
  expect(await ended.promise).toBe('signal');
});

it('a client that does not read is not sent more than its connection holds', async () => {
  const answer = await fetch(`${await listen()}/v1/numbers/endless`);
  let before = -1;
  while (given !== before) {
    before = given;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(given).toBeGreaterThan(0);
  await answer.body!.cancel();
  expect(await ended.promise).toBe('signal');
});

it('a server that stops ends its streams and then itself', async () => {
  const answer = await fetch(`${await listen()}/v1/numbers/quiet`);
  const text = answer.text();
  await server.close();
  expect(await text).toContain(': open');
  expect(await ended.promise).toBe('signal');
});

it('asked for its head only, a stream is not begun', async () => {
  const answer = await fetch(`${await listen()}/v1/numbers/endless`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ]);
  expect(given).toBe(0);
});
