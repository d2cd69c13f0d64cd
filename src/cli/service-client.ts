import { type Problem, problemSchema } from '#contract';
import { AssayError, type JsonObject, messageOf } from '#kernel';
import { createParser, type ServiceEvent } from './event-parser.ts';

/** Where a service answers, and with what token. */
export interface ServicePlace {
  readonly address: string;
  readonly token: string;
}

/** A small client for commands: JSON in and out, the service's problems as errors. */
export interface ServiceClient extends ServicePlace {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  /** As `post`, and whether the answer is new: 201 or 202, not 200. */
  send<T>(path: string, body: unknown): Promise<{ readonly answer: T; readonly is_new: boolean }>;
  /**
   * Events of a stream, those after the event `after` where it is given, until the stream ends, `signal` aborts or
   * nothing has come for three of the service's heartbeats.
   */
  events(path: string, signal: AbortSignal, after?: string): AsyncIterable<ServiceEvent>;
}

/** A connection over which nothing comes for so long is cut, whatever the network says. */
const silence_ms = 45_000;

export function createServiceClient({ address, token }: ServicePlace): ServiceClient {
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    { signal, headers }: Pick<RequestInit, 'signal' | 'headers'> = {},
  ): Promise<Response> => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal == null ? {} : { signal }),
    }).catch((thrown) => {
      throw unreachable(address, thrown);
    });
    if (!answer.ok) throw await problemOf(answer);
    return answer;
  };
  return {
    address,
    token,
    get: async <T>(path: string) => (await ask('GET', path)).json() as Promise<T>,
    post: async <T>(path: string, body: unknown) => (await ask('POST', path, body)).json() as Promise<T>,
    send: async <T>(path: string, body: unknown) => {
      const answer = await ask('POST', path, body);
      return { answer: (await answer.json()) as T, is_new: answer.status !== 200 };
    },
    events: async function* (path, signal, after) {
      const parser = createParser();
      const silent = new AbortController();
      const timer = setTimeout(() => silent.abort(), silence_ms);
      try {
        const { body } = await ask('GET', path, undefined, {
          signal: AbortSignal.any([signal, silent.signal]),
          headers: after === undefined ? {} : { 'last-event-id': after },
        });
        for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
          timer.refresh();
          yield* parser.push(text);
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function problemOf(answer: Response): Promise<AssayError> {
  const parsed = problemSchema.safeParse(await answer.json().catch(() => null));
  if (!parsed.success) {
    // Not the service's own words: a proxy's, which cannot reach it where it says 502 to 504.
    const away = answer.status >= 502 && answer.status <= 504;
    const message = `${answer.url} answered ${answer.status}`;
    return new AssayError(away ? 'storage_unavailable' : 'internal', message);
  }
  const { code, detail, advice, errors, type: _type, title: _title, status: _status, ...more } = parsed.data;
  const places = (errors ?? []).map(({ pointer, message }) =>
    message === detail ? pointer : `${pointer}: ${message}`,
  );
  return new AssayError(
    code as Problem['code'],
    places.length === 0 ? detail : `${detail} (${places.join('; ')})`,
    {
      ...(advice === undefined ? {} : { advice }),
      details: more as JsonObject,
    },
  );
}

function unreachable(address: string, thrown: unknown): AssayError {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
  return new AssayError(
    'storage_unavailable',
    `the service at ${address} does not answer: ${messageOf(cause)}`,
    {
      advice: 'check that `assay serve` runs there',
      cause: thrown,
    },
  );
}
