import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '#core/api/operations';
import { bootstrapTenant, findActor } from '#service/operations';
import { openTestStore, type TestStore } from '#test/support/service-store';
import { createServer } from '../server.ts';
import { auditHandlers } from './audit.ts';
import { tenancyHandlers } from './tenancy.ts';

let store: TestStore;
let server: FastifyInstance;
let admin: string;

beforeAll(async () => {
  store = await openTestStore();
  const handlers = { ...tenancyHandlers, ...auditHandlers };
  server = await createServer({
    store,
    operations: operations.rows.filter(({ id }) => id in handlers),
    handlers,
    authenticate: (token) => findActor(store, token, new Date()),
    verify_answers: true,
  });
  const { token } = await bootstrapTenant(store, { data_folder: store.data_folder, now: new Date() });
  admin = token!;
});
afterAll(async () => {
  await server.close();
  await store.close();
});

interface Asked {
  readonly token?: string | null;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  { token = admin, body, headers }: Asked = {},
) {
  const answer = await server.inject({
    method,
    url,
    headers: { ...headers, ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}

test('a user is invited, takes the invitation without a token, and is who they are', async () => {
  const invited = await ask('POST', '/v1/users', {
    body: { email: 'Grace@Example.org', name: 'Grace', role: 'engineer' },
  });
  expect(invited.status).toBe(201);
  expect(invited.body.user.email).toBe('grace@example.org');
  const { token: invitation } = invited.body.invitation;
  expect((await ask('GET', '/v1/whoami', { token: invitation })).status).toBe(401);
  const accepted = await ask('POST', '/v1/invitations/accept', { token: null, body: { token: invitation } });
  expect(accepted.status).toBe(201);
  const { token } = accepted.body;
  expect((await ask('GET', '/v1/whoami', { token })).body).toMatchObject({
    tenant: { name: 'default' },
    role: 'engineer',
    user: { name: 'Grace' },
  });
  expect(await ask('GET', '/v1/users', { token })).toMatchObject({
    status: 403,
    body: { code: 'forbidden', required_role: 'admin', role: 'engineer' },
  });
  const again = await ask('POST', '/v1/invitations/accept', { token: null, body: { token: invitation } });
  expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(
    await ask('POST', '/v1/users', { body: { email: 'GRACE@example.org', name: 'G', role: 'viewer' } }),
  ).toMatchObject({ status: 409, body: { code: 'conflict', user_id: invited.body.user.id } });
});

test('a revoked token is refused from then on', async () => {
  const { body: created } = await ask('POST', '/v1/tokens', { body: { name: 'robot', role: 'viewer' } });
  expect((await ask('GET', '/v1/whoami', { token: created.token })).status).toBe(200);
  expect(await ask('DELETE', `/v1/tokens/${created.id}`)).toEqual({ status: 204, body: null });
  expect((await ask('GET', '/v1/whoami', { token: created.token })).status).toBe(401);
});

test('the last admin token cannot be revoked, and the answer says what to do', async () => {
  const { body: me } = await ask('GET', '/v1/whoami');
  expect(await ask('DELETE', `/v1/tokens/${me.token.id}`)).toMatchObject({
    status: 409,
    body: { code: 'conflict', advice: expect.stringContaining('create another admin token first') },
  });
});

test('what cannot be accepted is pointed at', async () => {
  const pointers = async (url: string, body: object) =>
    ((await ask('POST', url, { body })).body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
  const user = { email: 'a@example.org', name: 'A', role: 'viewer' };
  expect(await pointers('/v1/users', { ...user, email: 'a@' })).toEqual(['/body/email']);
  expect(await pointers('/v1/users', { ...user, role: 'boss' })).toEqual(['/body/role']);
  expect(await pointers('/v1/users', { ...user, name: 'a\u0007' })).toEqual(['/body/name']);
  expect(await pointers('/v1/users', { ...user, admin: true })).toEqual(['/body/admin']);
  const token = { name: 'a', role: 'viewer' };
  expect(await pointers('/v1/tokens', { ...token, expires_in_s: 59 })).toEqual(['/body/expires_in_s']);
  expect(await pointers('/v1/tokens', { ...token, user_id: 'usr_1' })).toEqual(['/body/user_id']);
  expect((await ask('GET', '/v1/audit?from=yesterday')).status).toBe(422);
  expect((await ask('GET', '/v1/audit/verification?head=1')).status).toBe(422);
});

test('the log has every change and can be verified, against a head too', async () => {
  const { body: log } = await ask('GET', '/v1/audit?limit=3&action=create_token');
  expect(log.items.every(({ action }: { action: string }) => action === 'create_token')).toBe(true);
  const { body: whole } = await ask('GET', '/v1/audit/verification');
  expect(whole).toMatchObject({ intact: true, fault: null });
  const { sequence, digest } = whole.head;
  const against = (head: string) => ask('GET', `/v1/audit/verification?head=${head}`);
  expect((await against(`${sequence}:${digest}`)).body.intact).toBe(true);
  expect((await against(`${sequence}:${'0'.repeat(64)}`)).body).toMatchObject({
    intact: false,
    fault: { kind: 'rewritten', sequence },
  });
});

test('a POST sent twice under one key gives one token, which no table holds in clear', async () => {
  const asked = { body: { name: 'twice', role: 'viewer' }, headers: { 'idempotency-key': 'once' } };
  const first = await ask('POST', '/v1/tokens', asked);
  expect(first.status).toBe(201);
  expect(await ask('POST', '/v1/tokens', asked)).toEqual(first);
  const { rows: tables } = await store.database.query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  const secrets = [first.body.token, admin].map((token) => token.slice(4));
  let seen = '';
  for (const { name } of tables) {
    const { rows } = await store.database.query(
      `SELECT coalesce(string_agg(t::text, ' '), '') AS text FROM ${name} t`,
    );
    for (const secret of secrets) expect(rows[0].text).not.toContain(secret);
    seen += rows[0].text;
  }
  expect(seen).toContain(first.body.id);
});
