import { expect } from 'vitest';
import { errorCodes } from '#core';
import { type Operation, type Problem, problemSchema } from '#core/api';
import { errorCodesOf } from '../../src/core/api/openapi-errors.ts';
import { bodies, fixtures, queries, type World } from './contract-fixtures.ts';
import type { ContractService, TestTenant } from './contract-service.ts';
import { sampleInput } from './sample-input.ts';

export interface Asked {
  readonly token?: string | undefined;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Sent as JSON; `raw` as it is. */
  readonly body?: unknown;
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null where it is no problem. */
  readonly problem: Problem | null;
}

/** Asks, and holds the answer against the operation's row: status, content type, body, headers. */
export async function ask(service: ContractService, operation: Operation, asked: Asked): Promise<Answered> {
  const { headers, status, text } = await send(service.address, operation, asked);
  const what = `${operation.id} answered ${status}: ${text.slice(0, 2000)}`;
  expect(headers.get('x-request-id'), what).toMatch(/^[\w.-]{8,128}$/);
  if (status >= 500) throw new Error(`${what}\n${service.faults.slice(-3).join('')}`);
  if (status === 304 && operation.conditional) return { status, headers, text, problem: null };
  if (status < 300) {
    const { success } = operation;
    expect('found' in success ? [success.status, success.found] : [success.status], what).toContain(status);
    if (asked.method !== 'HEAD') checkSuccess(operation, headers, text);
    return { status, headers, text, problem: null };
  }
  expect(headers.get('content-type'), what).toContain('application/problem+json');
  const problem = problemSchema.parse(JSON.parse(text));
  expect(problem, what).toMatchObject({ status, request_id: headers.get('x-request-id') });
  expect(errorCodes[problem.code].status, what).toBe(status);
  if (problem.code !== 'method_not_allowed') expect(errorCodesOf(operation), what).toContain(problem.code);
  return { status, headers, text, problem };
}

async function send(
  address: string,
  operation: Operation,
  asked: Asked,
): Promise<{ headers: Headers; status: number; text: string }> {
  const { token, params = {}, query = '', body, raw, headers } = asked;
  const path = operation.path.replace(/\{([^}*]+)\*?\}/g, (_, name: string) => params[name]);
  const needed = queries[operation.id];
  const whole = needed === undefined ? query : `?${needed}${query.replace('?', '&')}`;
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const hurry = new AbortController();
  const answer = await fetch(`${address}${path}${whole}`, {
    method: asked.method ?? operation.method,
    signal: hurry.signal,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const { status } = answer;
  // Streams that take a key end by themselves.
  if (operation.idempotent) return { status, headers: answer.headers, text: await answer.text() };
  if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream'))
    return { status, headers: answer.headers, text: await answer.text() };
  // A stream need not end: its beginning is enough.
  const first = await answer.body?.getReader().read();
  hurry.abort();
  return { status, headers: answer.headers, text: Buffer.from(first?.value ?? []).toString() };
}

function checkSuccess({ id, success }: Operation, headers: Headers, text: string): void {
  if (success.status === 204) {
    expect(text, id).toBe('');
    return;
  }
  if ('content_type' in success) {
    // A part is of the media type that its annotation says.
    const declared = success.content_type === '*/*' ? '/' : success.content_type.split(';')[0];
    expect(headers.get('content-type'), id).toContain(declared);
    if (success.content_type !== 'application/json') return;
  } else expect(headers.get('content-type'), id).toBe('application/json; charset=utf-8');
  if (!('schema' in success) || success.schema === undefined) return;
  const parsed = success.schema.safeParse(JSON.parse(text));
  expect(parsed.error?.issues ?? [], `${id}: ${text.slice(0, 2000)}`).toEqual([]);
}

/** The tenant's own objects, made when they are first asked for. */
export class OwnObjects {
  readonly #made = new Map<string, Promise<string>>();
  readonly #world: World;

  constructor(service: ContractService, tenant: TestTenant) {
    this.#world = {
      service,
      tenant,
      ask: async (method, path, body) => {
        const answer = await fetch(service.address + path, {
          method,
          headers: {
            authorization: `Bearer ${tenant.tokens.admin}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        if (!answer.ok) throw new Error(`fixture ${method} ${path}: ${answer.status} ${text}`);
        return text === '' ? null : JSON.parse(text);
      },
      fixture: (name) => this.fixture(name),
    };
  }

  fixture(name: string): Promise<string> {
    const there = this.#made.get(name);
    if (there !== undefined) return there;
    const make = fixtures[name];
    if (make === undefined)
      throw new Error(`there is no fixture ${name}: add one to test/support/contract-fixtures.ts`);
    const making = make(this.#world);
    this.#made.set(name, making);
    return making;
  }

  /** Returns the ids of all objects that were created and not deleted. */
  async ids(): Promise<readonly string[]> {
    const made = await Promise.all(this.#made.values());
    return made.filter((id) => /^[a-z]+_[0-9a-z]{26}$/.test(id));
  }

  /** After an object was deleted, the next is a new one. */
  forget(name: string): void {
    this.#made.delete(name);
  }

  async params({ id, params }: Operation): Promise<Record<string, string>> {
    const own: Record<string, string> = {};
    for (const [name, schema] of Object.entries(params?.shape ?? {})) {
      const first = 'options' in schema ? (schema.options as readonly unknown[])[0] : undefined;
      const special = `${id}.${name}`;
      own[name] =
        typeof first === 'string' ? first : await this.fixture(special in fixtures ? special : name);
    }
    return own;
  }

  /** A body that is accepted; undefined for an operation without one. */
  async body(operation: Operation): Promise<unknown> {
    if (operation.body === undefined) return undefined;
    const own = bodies[operation.id];
    const sample =
      own === undefined
        ? await sampleInput(operation.body, async (name) =>
            name in fixtures ? this.fixture(name) : undefined,
          )
        : await own(this.#world);
    if (sample === undefined)
      throw new Error(`no body for ${operation.id}: add one to test/support/contract-fixtures.ts`);
    return sample;
  }
}
