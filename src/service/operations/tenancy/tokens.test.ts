import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, sha256 } from '#core';
import { type Role, roles } from '#core/api';
import { callAs } from '#test/support/service-call';
import {
  availableDatabases,
  openTestStore,
  serviceDatabases,
  type TestStore,
} from '#test/support/service-store';
import type { Call } from '../call.ts';
import { findActor, whoami } from './sessions.ts';
import { createTenant } from './tenants.ts';
import { createToken, listTokens, newSecretToken, revokeToken } from './tokens.ts';

describe.each(serviceDatabases)('on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());

  const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);
  const lastUsed = async (call: Call, id: string) =>
    (await listTokens(store, call, { limit: 50 })).items.find((token) => token.id === id)?.last_used_at ??
    null;

  test('a token says who calls; only its hash is kept', async () => {
    const call = callAs('admin');
    const created = await createToken(store, call, { name: 'robot 7', role: 'engineer' });
    expect(await findActor(store, created.token, call.now)).toEqual({
      tenant_id: call.actor.tenant_id,
      token_id: created.id,
      user_id: null,
      name: 'robot 7',
      role: 'engineer',
    });
    const { rows } = await store.database.query('SELECT t::text AS row FROM tokens t WHERE id = $1', [
      created.id,
    ]);
    expect(rows[0].row).toContain(sha256(created.token));
    expect(rows[0].row).not.toContain(created.token.slice(4));
    const log = await store.database.query('SELECT string_agg(a::text, $1) AS log FROM audit_entries a', [
      '\n',
    ]);
    expect(log.rows[0].log).toContain(created.id);
    expect(log.rows[0].log).not.toContain(created.token.slice(4));
    expect(log.rows[0].log).not.toContain(sha256(created.token));
  });

  test('what is no token, is unknown, expired or revoked says nobody', async () => {
    const call = callAs('admin');
    const short = await createToken(store, call, { name: 'a', role: 'viewer', expires_in_s: 60 });
    const gone = await createToken(store, call, { name: 'b', role: 'viewer' });
    await revokeToken(store, call, gone.id);
    expect(await findActor(store, short.token, later(call.now, 59))).not.toBeNull();
    expect(await findActor(store, short.token, later(call.now, 60))).toBeNull();
    expect(await findActor(store, gone.token, call.now)).toBeNull();
    for (const token of ['', 'asy_', newSecretToken(), `${short.token}\0`, short.token.toLowerCase()]) {
      expect(await findActor(store, token, call.now)).toBeNull();
    }
  });

  test('its last use is noted once a minute', async () => {
    const call = callAs('admin');
    const { id, token } = await createToken(store, call, { name: 'a', role: 'viewer' });
    expect(await lastUsed(call, id)).toBeNull();
    await findActor(store, token, call.now);
    await expect.poll(() => lastUsed(call, id)).toBe(call.now.toISOString());
    await Promise.all([1, 30, 59].map((s) => findActor(store, token, later(call.now, s))));
    const minute = later(call.now, 61);
    await findActor(store, token, minute);
    await expect.poll(() => lastUsed(call, id)).toBe(minute.toISOString());
  });

  test('lists are paged, newest first, and show no secret', async () => {
    const call = callAs('admin');
    const made: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      made.unshift((await createToken(store, call, { name, role: 'viewer' })).id);
    }
    const first = await listTokens(store, call, { limit: 3 });
    const second = await listTokens(store, call, { limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
    expect(second.next_cursor).toBeNull();
    expect(Object.keys(first.items[0])).not.toContain('sha256');
    await expect(listTokens(store, call, { limit: 3, cursor: 'tok_1' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('the last admin token that works stays, the others go', async () => {
    const call = callAs('admin');
    const make = (role: Role, expires_in_s?: number) =>
      createToken(store, call, { name: role, role, ...(expires_in_s === undefined ? {} : { expires_in_s }) });
    const [one, two, three] = [await make('admin'), await make('admin', 60), await make('engineer')];
    const expired = { ...call, now: later(call.now, 61) };
    const refused = { code: 'conflict', advice: expect.stringContaining('create another admin token first') };
    await expect(revokeToken(store, expired, one.id)).rejects.toMatchObject(refused);
    expect(await findActor(store, one.token, call.now)).not.toBeNull();
    await revokeToken(store, expired, two.id);
    await revokeToken(store, expired, three.id);
    await make('admin');
    await revokeToken(store, expired, one.id);
    expect(await findActor(store, one.token, call.now)).toBeNull();
  });

  test('two admins who revoke each other at once do not lock everybody out', async () => {
    const call = callAs('admin');
    const ids: string[] = [];
    for (const name of ['a', 'b']) ids.push((await createToken(store, call, { name, role: 'admin' })).id);
    const ends = await Promise.allSettled(ids.map((id) => revokeToken(store, call, id)));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('revoking again changes nothing and is not logged again', async () => {
    const call = callAs('admin');
    const { id } = await createToken(store, call, { name: 'a', role: 'viewer' });
    await revokeToken(store, call, id);
    await revokeToken(store, { ...call, now: later(call.now, 5) }, id);
    const { items } = await listTokens(store, call, { limit: 5 });
    expect(items[0].revoked_at).toBe(call.now.toISOString());
    const { rows } = await store.database.query(
      "SELECT count(*) n FROM audit_entries WHERE object_id = $1 AND action = 'revoke_token'",
      [id],
    );
    expect(rows[0].n).toBe(1);
  });

  test('another tenant’s token and user are as absent as what never was', async () => {
    const [call, other] = [callAs('admin'), callAs('admin')];
    const { id } = await createToken(store, call, { name: 'a', role: 'viewer' });
    const said = async (token_id: string) => {
      const thrown = await revokeToken(store, other, token_id).catch((error) => error);
      return [thrown.code, thrown.message.replace(token_id, 'ID'), thrown.details];
    };
    expect(await said(id)).toEqual(await said(newId('tok')));
    expect((await said(id))[0]).toBe('not_found');
    expect((await listTokens(store, other, { limit: 5 })).items).toEqual([]);
    await expect(
      createToken(store, other, { name: 'a', role: 'viewer', user_id: newId('usr') }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test.each(roles.slice(0, 3))('a %s does none of it', async (role) => {
    const call = callAs(role);
    const forbidden = { code: 'forbidden', details: { required_role: 'admin', role } };
    await expect(createToken(store, call, { name: 'a', role: 'viewer' })).rejects.toMatchObject(forbidden);
    await expect(listTokens(store, call, { limit: 1 })).rejects.toMatchObject(forbidden);
    await expect(revokeToken(store, call, newId('tok'))).rejects.toMatchObject(forbidden);
  });

  test('everybody may ask who they are', async () => {
    const tenant = await createTenant(store, { name: 'curious', by: 'test', now: new Date() });
    const admin = callAs('admin', tenant.id);
    const created = await createToken(store, admin, { name: 'a', role: 'viewer' });
    const actor = (await findActor(store, created.token, admin.now))!;
    expect(await whoami(store, { ...admin, actor })).toMatchObject({
      tenant: { id: tenant.id, name: 'curious' },
      role: 'viewer',
      token: { id: created.id, kind: 'access' },
      user: null,
    });
  });
});

describe.skipIf(!availableDatabases.includes('server'))('on a server (skipped where there is none)', () => {
  test('a request does not wait for its use to be noted', async () => {
    const store = await openTestStore({ on: 'server' });
    const call = callAs('admin');
    const { id, token } = await createToken(store, call, { name: 'a', role: 'viewer' });
    const locked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const holding = store.database.transaction(async () => {
      await store.database.query('SELECT 1 FROM tokens WHERE id = $1 FOR UPDATE', [id]);
      locked.resolve();
      await found.promise;
    });
    await locked.promise;
    expect(await findActor(store, token, call.now)).toMatchObject({ token_id: id });
    found.resolve();
    await holding;
    await expect
      .poll(async () => (await listTokens(store, call, { limit: 1 })).items[0].last_used_at)
      .toBe(call.now.toISOString());
    await store.close();
  });
});
