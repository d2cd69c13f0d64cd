import type { FastifyRequest } from 'fastify';
import type { Store } from '#store';
import { readLastEventId, type ServerSentEvent } from '../handler.ts';
import { type IdempotentRequest, onceForKey } from './idempotency.ts';
import type { BackgroundWork } from './open-requests.ts';
import { toLogEntry } from './request-log.ts';

/** Events of a stream, and whether they were stored by an earlier request with the same key. */
export interface KeyedStream {
  readonly events: AsyncIterable<ServerSentEvent>;
  readonly replayed: boolean;
}

/**
 * Opens an event stream once per idempotency key. Events get ascending ids from 1. A repeated request waits until the
 * first stream has ended and gets the same events; with `Last-Event-ID`, only those after it. The events of a source
 * that fails are not stored: its reader gets the error, and a repeated request is handled as after an error of any
 * other operation (see `onceForKey`). `background` gets the work that continues when the connection is closed. Throws
 * what `open` throws, and `idempotency_conflict`.
 */
export async function streamOnceForKey(
  store: Store,
  key: string,
  replayable: IdempotentRequest,
  open: () => Promise<AsyncIterable<ServerSentEvent>>,
  background: BackgroundWork,
): Promise<KeyedStream> {
  const { request, operation } = replayable;
  const opened = Promise.withResolvers<KeyedStream>();
  let isOpen = false;
  const work = async () => {
    const source = await open();
    const recording = new RecordedEvents();
    isOpen = true;
    opened.resolve({ events: recording, replayed: false });
    await recording.record(source);
    return { text: JSON.stringify(recording.events), status: operation.success.status };
  };
  const once = onceForKey(store, key, replayable, work).then(({ text }) => ({
    events: eventsAfter(JSON.parse(text ?? '[]'), request),
    replayed: true,
  }));
  once.catch((thrown) => {
    // An error before the stream was opened is the response of the request and logged with it.
    if (isOpen) request.log.error(toLogEntry(thrown), 'an event stream with an idempotency key failed');
  });
  background.track(once);
  return Promise.race([opened.promise, once]);
}

/** Events that are stored while they are sent. Only one reader may iterate them; it starts at the first event. */
class RecordedEvents implements AsyncIterable<ServerSentEvent> {
  readonly events: ServerSentEvent[] = [];
  #end: 'open' | 'complete' | { readonly failure: unknown } = 'open';
  #changed = Promise.withResolvers<void>();

  /** Records all events of a source. Throws what the source throws; so do the readers, after the events before it. */
  async record(source: AsyncIterable<ServerSentEvent>): Promise<void> {
    try {
      for await (const event of source) {
        this.events.push({ id: String(this.events.length + 1), ...event });
        this.#wake();
      }
      this.#end = 'complete';
    } catch (thrown) {
      this.#end = { failure: thrown };
      throw thrown;
    } finally {
      this.#wake();
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ServerSentEvent> {
    for (let next = 0; ; ) {
      const changed = this.#changed.promise;
      while (next < this.events.length) yield this.events[next++];
      if (this.#end === 'complete') return;
      if (this.#end !== 'open') throw this.#end.failure;
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
