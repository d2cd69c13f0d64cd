import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  AssayApiError,
  all,
  type CertificationReport,
  type ClientOptions,
  createClient,
  requestOf,
} from './index.ts';

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A client of a service that answers one thing after the other. */
function clientOf(answers: (() => Response | Promise<Response>)[], more: Partial<ClientOptions> = {}) {
  const seen: Seen[] = [];
  const ask: typeof fetch = async (url, { method = 'GET', headers, body, signal } = {}) => {
    signal?.throwIfAborted();
    seen.push({ url: String(url), method, headers: new Headers(headers), body });
    const answer = answers[Math.min(seen.length, answers.length) - 1];
    return answer();
  };
  return { seen, client: createClient({ address: 'http://assay/', token: 'asy_x', fetch: ask, ...more }) };
}

const json =
  (value: unknown, init: ResponseInit = {}) =>
  () =>
    Response.json(value, init);
const problem = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(
    { code, detail: `${code}!`, request_id: 'req_1', status, title: 't', type: 'u', instance: '/', ...more },
    { status, headers },
  );
const failing = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect refused') }));
const caught = (promise: Promise<unknown>): Promise<AssayApiError> =>
  promise.then(
    () => Promise.reject(new Error('it was not refused')),
    (thrown) => thrown,
  );

describe('a call', () => {
  it('puts members of the path into it, and the rest into the body or the query', async () => {
    const { client, seen } = clientOf([json({ items: [], next_cursor: null })]);
    await client.runs.plan({ project_id: 'prj_1', source_id: 'src_1' });
    await client.episodes.list({
      project_id: 'a/b',
      decision: ['review', 'reject'],
      min_score: 0,
      cursor: undefined,
    });
    await client.runs.cancel({ run_id: 'run_1' });
    expect(seen.map(({ url }) => url)).toEqual([
      'http://assay/v1/projects/prj_1/runs/plan',
      'http://assay/v1/projects/a%2Fb/episodes?decision=review&decision=reject&min_score=0',
      'http://assay/v1/runs/run_1/cancel',
    ]);
    expect(seen.map(({ body }) => body)).toEqual(['{"source_id":"src_1"}', null, null]);
    expect(seen[0].headers.get('authorization')).toBe('Bearer asy_x');
    expect(seen.map(({ headers }) => headers.get('content-type'))).toEqual(['application/json', null, null]);
  });

  it('sends members that path and body share in both', async () => {
    const { client, seen } = clientOf([json({})]);
    const report = { schema: 'assay/certification-report/v1', project_id: 'prj_1' };
    await client.ask('import_certification_report', report as CertificationReport & { project_id: string });
    expect(JSON.parse(String(seen[0].body))).toEqual(report);
  });

  it('refuses what would be another address', async () => {
    const { client, seen } = clientOf([json({})]);
    for (const run_id of ['', '.', '..'])
      await expect(client.runs.get({ run_id })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it('answers with status and entity tag where they are asked for, and with nothing where nothing has changed', async () => {
    const { client, seen } = clientOf([
      json({ id: 'job_1' }, { status: 202, headers: { etag: '"a"', 'x-request-id': 'req_9' } }),
      () => new Response(null, { status: 304 }),
    ]);
    const answer = await client.ask('enqueue_annotation_job', { project_id: 'p', layer: 'captions' });
    expect(answer).toEqual({ value: { id: 'job_1' }, status: 202, etag: '"a"', request_id: 'req_9' });
    expect(await client.askIfChanged('get_receipt', { episode_id: 'e' }, '"a"')).toBeNull();
    expect(seen[1].headers.get('if-none-match')).toBe('"a"');
  });

  it('is said as people write it down', () => {
    expect(requestOf('create_token', { name: 'x', role: 'viewer' })).toEqual({
      method: 'POST',
      path: '/v1/tokens',
      body: '{"name":"x","role":"viewer"}',
    });
    expect(requestOf('verify_audit', { head: '3:ab' }).path).toBe('/v1/audit/verification?head=3:ab');
  });

  it('is in a group that the README names', () => {
    const groups = Object.entries(createClient({ address: 'http://x' })).filter(
      ([, of]) => typeof of === 'object',
    );
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(groups.length).toBeGreaterThan(15);
    expect(groups.map(([name]) => name).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('a refusal', () => {
  it('carries what the service says', async () => {
    const errors = [{ pointer: '/body/name', message: 'too long' }];
    const { client } = clientOf([
      problem(403, 'forbidden', { advice: 'ask an admin', required_role: 'admin', errors }),
    ]);
    const error = await caught(client.tenant.listTokens());
    expect(error).toBeInstanceOf(AssayApiError);
    expect(error).toMatchObject({
      code: 'forbidden',
      message: 'forbidden!',
      advice: 'ask an admin',
      status: 403,
      request_id: 'req_1',
      details: { required_role: 'admin' },
      errors,
      retry_after_s: null,
    });
  });

  it('of something that is not the service is told apart', async () => {
    const { client } = clientOf([() => new Response('<h1>no</h1>', { status: 404 })]);
    expect(await caught(client.budget.get())).toMatchObject({ code: 'unexpected_answer', status: 404 });
  });

  it('is thrown as the program wants it, of streams too', async () => {
    const { client } = clientOf([problem(404, 'not_found')], {
      map_error: ({ code }) => new RangeError(code),
    });
    await expect(client.runs.get({ run_id: 'r' })).rejects.toThrow(RangeError);
    await expect(client.runs.stream({ run_id: 'r' }).next()).rejects.toThrow(RangeError);
  });
});

describe('trying again', () => {
  it('waits as long as it is told, and sends the same key', async () => {
    const busy = problem(503, 'busy', {}, { 'retry-after': '0' });
    const { client, seen } = clientOf([
      busy,
      problem(429, 'rate_limited', {}, { 'retry-after': '0' }),
      json({ id: 'run_1' }),
    ]);
    expect(await client.runs.start({ project_id: 'p', source_id: 's' })).toEqual({ id: 'run_1' });
    const keys = seen.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys)).toEqual(new Set([keys[0]]));
    await client.runs.start({ project_id: 'p', source_id: 's' }, { idempotency_key: 'mine' });
    expect(seen.at(-1)?.headers.get('idempotency-key')).toBe('mine');
  });

  it('ends after so many tries', async () => {
    const { client, seen } = clientOf([problem(503, 'busy', {}, { 'retry-after': '0' })], { tries: 3 });
    expect(await caught(client.budget.get())).toMatchObject({ code: 'busy', retry_after_s: 0 });
    expect(seen).toHaveLength(3);
  });

  it('does not wait longer than its user will', async () => {
    const { client, seen } = clientOf([problem(429, 'rate_limited', {}, { 'retry-after': '31' })]);
    expect(await caught(client.budget.get())).toMatchObject({ code: 'rate_limited', retry_after_s: 31 });
    expect(seen).toHaveLength(1);
  });

  it('sends a request again while one with the same key is running', async () => {
    const running = problem(409, 'idempotency_conflict', {}, { 'retry-after': '0' });
    const { client, seen } = clientOf([running, json({ id: 'run_1' })]);
    expect(await client.runs.start({ project_id: 'p', source_id: 's' })).toEqual({ id: 'run_1' });
    expect(seen).toHaveLength(2);
    const used = clientOf([problem(409, 'idempotency_conflict')]);
    const start = used.client.runs.start({ project_id: 'p', source_id: 's' });
    expect(await caught(start)).toMatchObject({ code: 'idempotency_conflict' });
    expect(used.seen).toHaveLength(1);
  });

  it('leaves alone what may have been done', async () => {
    for (const [answer, code] of [
      [failing, 'unreachable'],
      [problem(503, 'busy', {}, { 'retry-after': '0' }), 'busy'],
    ] as const) {
      const { client, seen } = clientOf([answer]);
      expect(await caught(client.runs.resume({ run_id: 'r' }))).toMatchObject({ code });
      expect(seen).toHaveLength(1);
    }
  });

  it('reaches a service that is there again', async () => {
    const { client, seen } = clientOf([failing, json({ cap_usd: 3 })]);
    expect(await client.budget.get()).toEqual({ cap_usd: 3 });
    expect(seen).toHaveLength(2);
    const away = clientOf([failing], { tries: 1 });
    expect(await caught(away.client.budget.get())).toMatchObject({
      code: 'unreachable',
      message: 'cannot reach the service at http://assay: connect refused',
    });
  });

  it('ends with the reason of the signal, also while it waits', async () => {
    const stop = new AbortController();
    const { client } = clientOf([problem(503, 'busy', {}, { 'retry-after': '20' })]);
    const call = client.budget.get({ signal: stop.signal });
    setTimeout(() => stop.abort(new RangeError('enough')), 20);
    await expect(call).rejects.toThrow('enough');
  });

  it('does not wait for ever for an answer', async () => {
    const hanging: typeof fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const client = createClient({ address: 'http://assay', fetch: hanging, timeout_ms: 20 });
    expect(await caught(client.budget.get())).toMatchObject({ code: 'timed_out', status: null });
  });
});

describe('a list', () => {
  it('is read page by page', async () => {
    const { client, seen } = clientOf([
      json({ items: [{ id: 1 }, { id: 2 }], next_cursor: 'c d' }),
      json({ items: [{ id: 3 }], next_cursor: null }),
    ]);
    const items: unknown[] = [];
    for await (const item of all(client.projects.list, { workspace_id: 'ws_1' })) items.push(item);
    expect(items).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(seen.map(({ url }) => url.split('?')[1])).toEqual([
      'limit=500&workspace_id=ws_1',
      'limit=500&workspace_id=ws_1&cursor=c%20d',
    ]);
  });
});

it('names no operation by its noun again', () => {
  const { client } = clientOf([]);
  const words = (name: string) => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase().replace(/s$/, ''));
  const repeated = Object.entries(client)
    .filter(([, members]) => typeof members === 'object')
    .flatMap(([noun, members]) =>
      Object.keys(members)
        .filter((name) => words(name).some((word) => words(noun).includes(word)))
        .map((name) => `${noun}.${name}`),
    );
  expect(repeated).toEqual([]);
});
