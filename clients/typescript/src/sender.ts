import { AssayApiError } from './api-error.ts';
import type { ClientOptions } from './options.ts';
import { problemOf } from './problem-of.ts';
import { type Patience, pause, waitBefore } from './retry.ts';

/** A request, the same for all attempts. */
export interface Outgoing {
  readonly method: string;
  /** Path below the address of the service, or a whole URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Blob | null;
  /** True if repeating the request has no further effect. */
  readonly may_repeat: boolean;
}

/** Options of sending one request. */
interface Sending {
  readonly signal?: AbortSignal | undefined;
  readonly timeout_ms?: number | undefined;
  readonly tries?: number | undefined;
}

/** Sends requests and retries them. */
export interface Sender {
  /** Returns the result of `read` for the answer. Throws `AssayApiError`, or the reason of the signal. */
  send<T>(outgoing: Outgoing, sending: Sending, read: (answer: Response) => Promise<T> | T): Promise<T>;
}

const standard = { tries: 4, longest_wait_s: 30, timeout_ms: 300_000 } as const;

export function createSender(options: ClientOptions): Sender {
  const usual = patienceOf(options);
  return {
    send: async (outgoing, sending, read) => {
      const patience = { ...usual, tries: sending.tries ?? usual.tries };
      for (let tried = 1; ; tried++) {
        try {
          return await sendOnce(outgoing, sending, read, options);
        } catch (thrown) {
          if (!(thrown instanceof AssayApiError)) throw thrown;
          const wait_ms = waitBefore(thrown, tried, patience, outgoing.may_repeat);
          if (wait_ms === null) throw thrown;
          await pause(wait_ms, sending.signal);
        }
      }
    },
  };
}

/** Returns the retry limits of a client, which calls may override. */
export const patienceOf = (options: ClientOptions): Patience => ({
  tries: options.tries ?? standard.tries,
  longest_wait_s: options.longest_wait_s ?? standard.longest_wait_s,
});

async function sendOnce<T>(
  { method, path, headers, body }: Outgoing,
  { signal, timeout_ms }: Sending,
  read: (answer: Response) => Promise<T> | T,
  options: ClientOptions,
): Promise<T> {
  const limit_ms = timeout_ms ?? options.timeout_ms ?? standard.timeout_ms;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limit_ms);
  const ask = options.fetch ?? fetch;
  const address = options.address.replace(/\/+$/, '');
  try {
    const answer = await ask(/^https?:/.test(path) ? path : address + path, {
      method,
      headers: { ...options.headers, ...(await authorization(options)), ...headers },
      body,
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
    if (!answer.ok && answer.status !== 304) throw await problemOf(answer);
    return await read(answer);
  } catch (thrown) {
    if (thrown instanceof AssayApiError) throw thrown;
    if (signal?.aborted) throw signal.reason;
    if (late.signal.aborted) throw timedOut(address, limit_ms);
    throw unreachable(address, thrown);
  } finally {
    clearTimeout(timer);
  }
}

async function authorization({ token }: ClientOptions): Promise<Record<string, string>> {
  const now = typeof token === 'function' ? await token() : token;
  return now === undefined ? {} : { authorization: `Bearer ${now}` };
}

const timedOut = (address: string, limit_ms: number): AssayApiError =>
  new AssayApiError('timed_out', `no response from the service at ${address} for ${limit_ms / 1000} s`);

/** Returns the error of a request without an answer. The message is that of the cause, because that of `fetch` is only “fetch failed”. */
function unreachable(address: string, thrown: unknown): AssayApiError {
  const inner = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  const why = inner instanceof Error ? inner.message : String(inner);
  return new AssayApiError('unreachable', `cannot reach the service at ${address}: ${why}`, {
    cause: thrown,
  });
}
