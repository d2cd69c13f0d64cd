import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AssayError } from '#core';
import { defineOperation, problemSchema, type Role, roles } from '#core/api';
import type { Actor } from '#service/operations';
import type { Store } from '#store';
import type { HandlersOf } from './handler.ts';
import { createServer } from './server.ts';

const thing = z.strictObject({ name: z.string(), count: z.int() }).meta({ id: 'Thing' });
const rows = [
  defineOperation({
    id: 'get_thing',
    method: 'GET',
    path: '/v1/things/{name}',
    tag: 'things',
    summary: 'One thing',
    role: 'viewer',
    params: z.object({ name: z.string().regex(/^[a-z]+$/) }),
    query: z.object({ count: z.coerce.number().int().default(1) }),
    success: { status: 200, schema: thing },
    conditional: true,
  }),
  defineOperation({
    id: 'create_thing',
    method: 'POST',
    path: '/v1/things',
    tag: 'things',
    summary: 'Makes a thing',
    role: 'engineer',
    body: z.strictObject({ name: z.string().max(10), tags: z.array(z.string()).optional() }),
    success: { status: 201, schema: thing },
  }),
  defineOperation({
    id: 'break_thing',
    method: 'POST',
    path: '/v1/things/{name}/break',
    tag: 'things',
    summary: 'Fails as asked',
    role: 'viewer',
    params: z.object({ name: z.string() }),
    success: { status: 204 },
  }),
  defineOperation({
    id: 'get_file',
    method: 'GET',
    path: '/v1/files/{path*}',
    tag: 'things',
    summary: 'Bytes of a file',
    role: 'public',
    params: z.object({ path: z.string().min(1) }),
    success: { status: 200, content_type: 'text/html' },
  }),
  defineOperation({
    id: 'open_page',
    method: 'GET',
    path: '/v1/pages/{name}',
    tag: 'things',
    summary: 'A page for who may see it',
    role: 'reviewer',
    params: z.object({ name: z.string() }),
    success: { status: 200, content_type: 'text/html' },
  }),
] as const;

const faults: Readonly<Record<string, () => Error>> = {
  database: () => new AssayError('database_unavailable', 'connect ECONNREFUSED 10.0.0.7:5432'),
  statement: () =>
    new Error('Failed query: insert into things values ($1)\nparams: my private name', {
      cause: new Error('duplicate key'),
    }),
  bug: () => new TypeError('secret is not a function'),
  settled: () => new AssayError('not_ready', 'the run is not over', { details: { run_id: 'run_1' } }),
};

const testHandlers = {
  get_thing: async (_served, { params, query }) => ({ name: params.name, count: query.count }),
  create_thing: async (_served, { body }) => ({ name: body.name, count: body.tags?.length ?? 0 }),
  break_thing: async (_served, { params }) => {
    throw faults[params.name]();
  },
  get_file: async (_served, { params }) => ({ content_type: 'text/html', body: `<p>${params.path}` }),
  open_page: async (_served, { params }) => ({ content_type: 'text/html', body: `<p>${params.name}` }),
} satisfies HandlersOf<typeof rows>;

const actor = (role: Role): Actor => ({
  tenant_id: 'tnt_1',
  token_id: `tok_${role}`,
  user_id: null,
  name: role,
  role,
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

let server: FastifyInstance;
const logged: string[] = [];
beforeAll(async () => {
  server = await createServer({
    store: {} as Store,
    operations: rows,
    handlers: testHandlers,
    authenticate: async (token) => (roles.includes(token as Role) ? actor(token as Role) : null),
    verify_answers: true,
    log: pino({}, { write: (line: string) => void logged.push(line) }),
    limits: { body_bytes: 1000, token_per_minute: 200 },
  });
});
afterAll(() => server.close());

const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  server.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...bearer('engineer'), 'content-type': 'application/json', ...headers },
  });

describe('a request', () => {
  it('is parsed by its row and answered as its row says', async () => {
    const answer = await server.inject({ url: '/v1/things/bolt?count=3', headers: bearer('viewer') });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ name: 'bolt', count: 3 });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['strict-transport-security']).toBeUndefined();
  });

  it('gets an id, or keeps a sane one of its own', async () => {
    const own = await server.inject({ url: '/nowhere', headers: { 'x-request-id': 'my-request-0001' } });
    expect(own.headers['x-request-id']).toBe('my-request-0001');
    const odd = await server.inject({ url: '/nowhere', headers: { 'x-request-id': 'a b\tc' } });
    expect(odd.headers['x-request-id']).toMatch(/^req_/);
    expect(problemSchema.parse(odd.json()).request_id).toBe(odd.headers['x-request-id']);
  });

  it('may ask for the rest of a path', async () => {
    const answer = await server.inject('/v1/files/a/b%20c.html');
    expect(answer.body).toBe('<p>a/b c.html');
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
  });

  it('is told when nothing has changed', async () => {
    const first = await server.inject({ url: '/v1/things/bolt', headers: bearer('viewer') });
    const headers = { ...bearer('viewer'), 'if-none-match': `"other", W/${first.headers.etag}` };
    const again = await server.inject({ url: '/v1/things/bolt', headers });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers.etag).toBe(first.headers.etag);
    const changed = await server.inject({ url: '/v1/things/bolt?count=2', headers });
    expect(changed.statusCode).toBe(200);
  });

  it('may be a HEAD where there is a GET', async () => {
    const answer = await server.inject({ method: 'HEAD', url: '/v1/things/bolt', headers: bearer('viewer') });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

describe('a refused request', () => {
  const refused: readonly (readonly [string, () => ReturnType<typeof post>, number, object])[] = [
    ['without a token', () => server.inject('/v1/things/bolt'), 401, { code: 'unauthenticated' }],
    [
      'with a token that is not known',
      () => server.inject({ url: '/v1/things/bolt', headers: bearer('asy_no') }),
      401,
      { code: 'unauthenticated' },
    ],
    [
      'of too low a role, whatever its body',
      () => post('/v1/things', '{', bearer('reviewer')),
      403,
      { code: 'forbidden', required_role: 'engineer', role: 'reviewer' },
    ],
    ['at no address', () => server.inject('/v1/nothing'), 404, { code: 'not_found' }],
    [
      'for an id that cannot be',
      () => server.inject({ url: '/v1/things/UPPER', headers: bearer('viewer') }),
      404,
      { code: 'not_found' },
    ],
    [
      'at no address, whatever its body',
      () => post('/v1/nothing', '{', { 'content-type': 'image/png' }),
      404,
      { code: 'not_found' },
    ],
    ['of another method', () => server.inject({ method: 'PUT', url: '/v1/things' }), 405, {}],
    ['with half a JSON', () => post('/v1/things', '{"name":'), 400, { code: 'bad_request' }],
    [
      'with invalid UTF-8',
      () => post('/v1/things', Buffer.from('{"name":"caf\xe9"}', 'latin1')),
      400,
      { code: 'bad_request', detail: 'the request body is not valid UTF-8' },
    ],
    ['nested without end', () => post('/v1/things', '['.repeat(500)), 400, { code: 'bad_request' }],
    ['that names __proto__', () => post('/v1/things', '{"__proto__": {}}'), 400, { code: 'bad_request' }],
    ['that is too long', () => post('/v1/things', `{"name":"${'x'.repeat(2000)}"}`), 413, {}],
    [
      'of another content type',
      () => post('/v1/things', 'name=bolt', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      { code: 'unsupported_media_type' },
    ],
    [
      'with faults in its body',
      () => post('/v1/things', '{"name": 5, "tags": ["a", 1], "colour/x": "red"}'),
      422,
      {
        errors: [
          { pointer: '/body/name' },
          { pointer: '/body/tags/1' },
          { pointer: '/body/colour~1x', message: 'unknown field' },
        ],
      },
    ],
    ['without its body', () => post('/v1/things', ''), 422, { errors: [{ pointer: '/body' }] }],
    [
      'with texts that cannot be kept',
      () => post('/v1/things', '{"name": "\\u0000", "tags": ["\\ud800"]}'),
      422,
      { errors: [{ pointer: '/body/name' }, { pointer: '/body/tags/0' }] },
    ],
    [
      'with a body where none is taken',
      () => post('/v1/things/settled/break', '{"a":1}'),
      422,
      { errors: [{ pointer: '/body' }] },
    ],
    [
      'with an unknown member of its query',
      () => server.inject({ url: '/v1/things/bolt?limit=3', headers: bearer('viewer') }),
      422,
      { errors: [{ pointer: '/query/limit' }] },
    ],
    [
      'with an address that is not one',
      () => server.inject({ url: '/v1/things/%zz', headers: bearer('viewer') }),
      400,
      { code: 'bad_request' },
    ],
    ['by its use case', () => post('/v1/things/settled/break', ''), 409, { run_id: 'run_1' }],
  ];
  it.each(refused)('%s gets a problem that says so', async (_what, ask, status, members) => {
    const answer = await ask();
    const problem = problemSchema.parse(answer.json());
    expect(answer.statusCode).toBe(status);
    expect(problem).toMatchObject({ status, ...members });
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(problem.request_id).toBe(answer.headers['x-request-id']);
  });

  it('learns how to be let in', async () => {
    const none = await server.inject('/v1/things/bolt');
    expect(none.headers['www-authenticate']).toBe('Bearer realm="assay"');
    const bad = await server.inject({ url: '/v1/things/bolt', headers: bearer('asy_no') });
    expect(bad.headers['www-authenticate']).toBe('Bearer realm="assay", error="invalid_token"');
  });

  it('may bring its token as a password to pages that a browser opens, and nowhere else', async () => {
    const basic = (token: string) => ({
      authorization: `Basic ${Buffer.from(`anybody:${token}`).toString('base64')}`,
    });
    const asked = await server.inject('/v1/pages/report');
    expect(asked.headers['www-authenticate']).toEqual([
      'Bearer realm="assay"',
      'Basic realm="assay", charset="UTF-8"',
    ]);
    const page = await server.inject({ url: '/v1/pages/report', headers: basic('reviewer') });
    expect([page.statusCode, page.body]).toEqual([200, '<p>report']);
    const low = await server.inject({ url: '/v1/pages/report', headers: basic('viewer') });
    expect(low.statusCode).toBe(403);
    const data = await server.inject({ url: '/v1/things/bolt', headers: basic('admin') });
    expect([data.statusCode, data.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="assay", error="invalid_token"',
    ]);
  });

  it('learns which methods there are', async () => {
    const answer = await server.inject({ method: 'DELETE', url: '/v1/things/bolt' });
    expect(answer.headers.allow).toBe('GET, HEAD');
  });

  it('learns nothing of what is inside when the fault is ours', async () => {
    const bug = await post('/v1/things/bug/break', '');
    expect([bug.statusCode, bug.json().code]).toEqual([500, 'internal']);
    const lost = await post('/v1/things/database/break', '');
    expect([lost.statusCode, lost.headers['retry-after']]).toEqual([503, '5']);
    expect(bug.body + lost.body).not.toMatch(/secret|10\.0\.0\.7/);
  });

  it('is in the log with its cause, its id and its tenant, and with nothing that it sent', async () => {
    logged.length = 0;
    const answer = await post('/v1/things/statement/break?', '');
    const lines = logged.map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: 50, request_id: answer.headers['x-request-id'], code: 'internal' },
      {
        level: 30,
        operation: 'break_thing',
        status: 500,
        tenant_id: 'tnt_1',
        route: '/v1/things/:name/break',
      },
    ]);
    expect(lines[0].error).toMatch(/insert into things[\s\S]*caused by Error: duplicate key/);
    expect(logged.join('')).not.toMatch(/private name|Bearer/);
  });

  it('comes from whom a trusted proxy says, and from nobody else’s word', async () => {
    const behind = (trust_proxy: string[]) =>
      createServer({
        store: {} as Store,
        operations: rows,
        handlers: testHandlers,
        authenticate: async () => null,
        limits: { address_per_minute: 1 },
        ...(trust_proxy.length === 0 ? {} : { trust_proxy }),
      });
    const askFrom = async (guarded: FastifyInstance) => {
      const headers = (address: string) => ({ ...bearer(`guess-${address}`), 'x-forwarded-for': address });
      const ask = async (address: string) =>
        (await guarded.inject({ url: '/v1/things/bolt', headers: headers(address) })).statusCode;
      const statuses = [await ask('192.0.2.1'), await ask('192.0.2.2')];
      await guarded.close();
      return statuses;
    };
    expect(await askFrom(await behind(['loopback']))).toEqual([401, 401]);
    expect(await askFrom(await behind([]))).toEqual([401, 429]);
  });

  it('is told when to come back after too many', async () => {
    const ask = () => server.inject({ url: '/v1/things/bolt', headers: bearer('admin') });
    for (let asked = 0; asked < 200; asked++) expect((await ask()).statusCode).toBe(200);
    const refused = await ask();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const other = await server.inject({ url: '/v1/things/bolt', headers: bearer('reviewer') });
    expect(other.statusCode).toBe(200);
  });
});
