import type { FastifyRequest } from 'fastify';
import type { Store } from '#store';
import { readLastEventId, type ServerSentEvent } from '../handler.ts';
import { type IdempotentRequest, onceForKey } from './idempotency.ts';
import { toLogEntry } from './request-log.ts';

/** Events of a stream, and whether they were stored by an earlier request with the same key. */
export interface KeyedStream {
  readonly events: AsyncIterable<ServerSentEvent>;
  readonly replayed: boolean;
}

/**
 * Opens an event stream once per idempotency key. Events get ascending ids from 1. A repeated request waits until the
 * first stream has ended and gets the same events; with `Last-Event-ID`, only those after it. Throws what `open`
 * throws, and `idempotency_conflict`.
 */
export async function streamOnceForKey(
  store: Store,
  key: string,
  replayable: IdempotentRequest,
  open: () => Promise<AsyncIterable<ServerSentEvent>>,
): Promise<KeyedStream> {
  const { request, operation } = replayable;
  const opened = Promise.withResolvers<KeyedStream>();
  const work = async () => {
    const recording = new RecordedEvents();
    const source = await open();
    opened.resolve({ events: recording, replayed: false });
    try {
      for await (const event of source) recording.add(event);
    } finally {
      recording.end();
    }
    return { text: JSON.stringify(recording.events), status: operation.success.status };
  };
  const once = onceForKey(store, key, replayable, work).then(({ text }) => ({
    events: eventsAfter(JSON.parse(text ?? '[]'), request),
    replayed: true,
  }));
  once.catch((thrown) => request.log.debug(toLogEntry(thrown), 'an event stream with a key failed'));
  return Promise.race([opened.promise, once]);
}

/** Events that are kept while they are read. They are read once, from the first on. */
class RecordedEvents implements AsyncIterable<ServerSentEvent> {
  readonly events: ServerSentEvent[] = [];
  #ended = false;
  #changed = Promise.withResolvers<void>();

  add(event: ServerSentEvent): void {
    this.events.push({ id: String(this.events.length + 1), ...event });
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerSentEvent> {
    for (let next = 0; ; ) {
      const changed = this.#changed.promise;
      while (next < this.events.length) yield this.events[next++];
      if (this.#ended) return;
      await changed;
    }
  }
}

async function* eventsAfter(
  events: readonly ServerSentEvent[],
  { headers }: FastifyRequest,
): AsyncGenerator<ServerSentEvent> {
  const last = Number(readLastEventId(headers) ?? 0);
  for (const event of events) if (!(Number(event.id) <= last)) yield event;
}
