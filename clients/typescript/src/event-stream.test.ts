import { expect, it } from 'vitest';
import { AssayApiError, createClient, type StreamOptions, type StreamRunEvent } from './index.ts';

/** Streams, one after the other: their text, and whether the service ends them or the connection is cut or falls silent. */
type Stream = readonly [text: string, end: 'ended' | 'cut' | 'silent'];

function streamsOf(...streams: readonly Stream[]) {
  const after: (string | null)[] = [];
  const keys = new Set<string | null>();
  const ask: typeof fetch = async (_, init) => {
    const [text, end] = streams[Math.min(after.length, streams.length - 1)];
    const headers = new Headers(init?.headers);
    after.push(headers.get('last-event-id'));
    keys.add(headers.get('idempotency-key'));
    const chunks = [text.slice(0, 7), text.slice(7)];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(new TextEncoder().encode(chunk));
        else if (end === 'ended') controller.close();
        else if (end === 'cut') controller.error(new TypeError('terminated'));
        return end === 'silent' && chunk === undefined ? new Promise<void>(() => {}) : undefined;
      },
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { after, keys, client: createClient({ address: 'http://assay', fetch: ask }) };
}

const event = (id: number) => `id: ${id}\nevent: run\ndata: {"id":"run_${id}"}\n\n`;

async function read(
  client: ReturnType<typeof createClient>,
  options?: StreamOptions,
): Promise<(string | undefined)[]> {
  const events: StreamRunEvent[] = [];
  for await (const one of client.runs.stream({ run_id: 'run_1' }, options)) events.push(one);
  return events.map(({ id }) => id);
}

it('a stream is told until the service ends it', async () => {
  const { client, after } = streamsOf([`: open\n\n${event(1)}: still here\n\n${event(2)}`, 'ended']);
  expect(await read(client, { last_event_id: '0' })).toEqual(['1', '2']);
  expect(after).toEqual(['0']);
});

it('a stream that is cut goes on after its last event', async () => {
  const { client, after } = streamsOf([event(1) + event(2), 'cut'], ['', 'cut'], [event(3), 'ended']);
  expect(await read(client)).toEqual(['1', '2', '3']);
  expect(after).toEqual([null, '2', '2']);
});

it('a stream over which nothing comes counts as cut', async () => {
  const { client, after } = streamsOf([event(1), 'silent'], [event(2), 'ended']);
  expect(await read(client, { silence_ms: 30 })).toEqual(['1', '2']);
  expect(after).toEqual([null, '1']);
});

it('a stream that stays cut is given up', async () => {
  const { client, after } = streamsOf(['', 'cut']);
  await expect(read(client, { tries: 2 })).rejects.toThrow(AssayApiError);
  expect(after).toHaveLength(2);
});

it('whoever stops listening ends the connection', async () => {
  const { client, after } = streamsOf([event(1), 'silent']);
  for await (const { id } of client.runs.stream({ run_id: 'run_1' })) {
    expect(id).toBe('1');
    break;
  }
  const stop = new AbortController();
  setTimeout(() => stop.abort(new RangeError('enough')), 20);
  await expect(read(client, { signal: stop.signal })).rejects.toThrow('enough');
  expect(after).toHaveLength(2);
});

it('a turn of the copilot that is cut is asked for again with its key, so that it runs once', async () => {
  const { client, after, keys } = streamsOf([event(1), 'cut'], [event(2), 'ended']);
  const ids: (string | undefined)[] = [];
  for await (const { id } of client.copilot.chat({ messages: [{ role: 'user', content: 'hello' }] }))
    ids.push(id);
  expect(ids).toEqual(['1', '2']);
  expect(after).toEqual([null, '1']);
  expect(keys.size).toBe(1);
  expect([...keys][0]).toMatch(/./);
});

it('a turn of the copilot has the key of its caller, so that another process can go on with it', async () => {
  const { client, after, keys } = streamsOf([event(2), 'ended']);
  const options = { idempotency_key: 'mine', last_event_id: '1' };
  const messages = [{ role: 'user', content: 'hello' }] as const;
  for await (const _ of client.copilot.chat({ messages: [...messages] }, options));
  expect([[...keys], after]).toEqual([['mine'], ['1']]);
});
