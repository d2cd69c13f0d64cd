import { AssayApiError } from './api-error.ts';
import { createParser, type ServiceEvent } from './event-parser.ts';
import type { StreamOptions } from './options.ts';
import { type Patience, pause, waitBefore } from './retry.ts';
import type { Outgoing, Sender } from './sender.ts';

const silence_ms = 45_000;

/** An open connection: reader of its bytes, and a controller that aborts it. */
interface Connection {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly cut: AbortController;
}

/**
 * Yields the events of a stream until the service ends it. A stream that is interrupted or silent is requested again
 * from after its last event, within the limits of `patience`. Throws `AssayApiError`, or the reason of the signal.
 */
export async function* followStream(
  sender: Sender,
  outgoing: Outgoing,
  options: StreamOptions,
  patience: Patience,
): AsyncGenerator<ServiceEvent> {
  let after = options.last_event_id;
  for (let failed = 0; ; ) {
    try {
      for await (const event of eventsOf(sender, outgoing, options, after)) {
        failed = 0;
        after = event.id ?? after;
        yield event;
      }
      return;
    } catch (thrown) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (!(thrown instanceof AssayApiError)) throw thrown;
      const wait_ms = waitBefore(thrown, ++failed, patience, outgoing.may_repeat);
      if (wait_ms === null) throw thrown;
      await pause(wait_ms, options.signal);
    }
  }
}

/** Yields the events of one connection. */
async function* eventsOf(
  sender: Sender,
  outgoing: Outgoing,
  options: StreamOptions,
  after: string | undefined,
): AsyncGenerator<ServiceEvent> {
  const { signal } = options;
  const { reader, cut } = await connect(sender, outgoing, options, after);
  const stop = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  const parser = createParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const bytes = await nextBytes(reader, options.silence_ms ?? silence_ms);
      if (signal?.aborted) throw signal.reason;
      if (bytes === null) return;
      yield* parser.push(decoder.decode(bytes, { stream: true }));
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
    cut.abort();
  }
}

/** Opens a connection with one attempt, because `followStream` retries. */
async function connect(
  sender: Sender,
  outgoing: Outgoing,
  { signal }: StreamOptions,
  after: string | undefined,
): Promise<Connection> {
  const cut = new AbortController();
  const headers = after === undefined ? outgoing.headers : { ...outgoing.headers, 'last-event-id': after };
  const sending = {
    signal: signal === undefined ? cut.signal : AbortSignal.any([signal, cut.signal]),
    tries: 1,
  };
  const reader = await sender.send({ ...outgoing, headers }, sending, ({ body }) =>
    (body ?? new ReadableStream<Uint8Array>()).getReader(),
  );
  return { reader, cut };
}

/** Returns the next bytes; null at the end. Throws `AssayApiError` after `limit_ms` without data. */
async function nextBytes(reader: Connection['reader'], limit_ms: number): Promise<Uint8Array | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AssayApiError('unreachable', `no data on the event stream for ${limit_ms / 1000} s`)),
      limit_ms,
    );
  });
  try {
    const { done, value } = await Promise.race([reader.read(), silence]);
    return done ? null : value;
  } catch (thrown) {
    if (thrown instanceof AssayApiError) throw thrown;
    throw new AssayApiError('unreachable', 'the event stream was interrupted', { cause: thrown });
  } finally {
    clearTimeout(timer);
  }
}
