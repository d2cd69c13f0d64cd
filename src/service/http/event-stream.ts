import { Readable } from 'node:stream';
import type { ServerSentEvent } from './handler.ts';

/**
 * Events as the bytes of a `text/event-stream`: one asked for when the connection has room for it, a comment after
 * every `heartbeat_ms` of silence, the end when the source ends or `signal` says that the client or the server goes.
 */
export function eventStream(
  events: AsyncIterable<ServerSentEvent>,
  signal: AbortSignal,
  heartbeat_ms: number,
): Readable {
  return Readable.from(chunks(events[Symbol.asyncIterator](), signal, heartbeat_ms), { objectMode: false });
}

async function* chunks(
  events: AsyncIterator<ServerSentEvent>,
  signal: AbortSignal,
  heartbeat_ms: number,
): AsyncGenerator<string> {
  yield ': open\n\n';
  let next = events.next();
  try {
    while (!signal.aborted) {
      const got = await firstOf(next, signal, heartbeat_ms);
      if (got === 'aborted' || (got !== 'silent' && got.done)) return;
      if (got === 'silent') {
        yield ': still here\n\n';
        continue;
      }
      next = events.next();
      yield eventText(got.value);
    }
  } finally {
    next.catch(() => {});
    // Not awaited: a source that waits for its next event ends when its signal tells it to.
    void events.return?.().catch(() => {});
  }
}

async function firstOf(
  next: Promise<IteratorResult<ServerSentEvent>>,
  signal: AbortSignal,
  heartbeat_ms: number,
): Promise<IteratorResult<ServerSentEvent> | 'silent' | 'aborted'> {
  const { promise, resolve } = Promise.withResolvers<'silent' | 'aborted'>();
  const silence = setTimeout(() => resolve('silent'), heartbeat_ms);
  const onAbort = () => resolve('aborted');
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([next, promise]);
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', onAbort);
  }
}

/** One event in the stream's syntax. JSON has no bare line ends, so `data` is one line. */
function eventText({ id, event, data }: ServerSentEvent): string {
  const lines = id === undefined ? [] : [`id: ${id.replaceAll(/[\r\n\0]/g, '')}`];
  return `${[...lines, `event: ${event}`, `data: ${JSON.stringify(data)}`].join('\n')}\n\n`;
}
