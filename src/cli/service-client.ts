import { type Problem, problemSchema } from '#contract';
import { AssayError, messageOf } from '#kernel';
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
  /** Events of a stream until it ends or `signal` aborts. */
  events(path: string, signal: AbortSignal): AsyncIterable<ServiceEvent>;
}

export function createServiceClient({ address, token }: ServicePlace): ServiceClient {
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Response> => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
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
    events: async function* (path, signal) {
      const parser = createParser();
      const { body } = await ask('GET', path, undefined, signal);
      for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
        yield* parser.push(text);
      }
    },
  };
}

async function problemOf(answer: Response): Promise<AssayError> {
  const parsed = problemSchema.safeParse(await answer.json().catch(() => null));
  if (!parsed.success) return new AssayError('internal', `${answer.url} answered ${answer.status}`);
  const { code, detail, advice, errors } = parsed.data;
  const places = (errors ?? []).map(({ pointer, message }) =>
    message === detail ? pointer : `${pointer}: ${message}`,
  );
  return new AssayError(
    code as Problem['code'],
    places.length === 0 ? detail : `${detail} (${places.join('; ')})`,
    {
      ...(advice === undefined ? {} : { advice }),
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
