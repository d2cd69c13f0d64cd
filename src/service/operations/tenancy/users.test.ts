import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core';
import { roles } from '#core/api';
import { callAs } from '#test/support/service-call';
import { openTestStore, serviceDatabases, type TestStore } from '#test/support/service-store';
import { listAudit } from '../audit/audit-log.ts';
import type { Call } from '../call.ts';
import { acceptInvitation, findActor } from './sessions.ts';
import { createToken, listTokens, newSecretToken, revokeToken } from './tokens.ts';
import { createUser, listUsers } from './users.ts';

const ada = { email: 'ada@example.org', name: 'Ada', role: 'reviewer' } as const;

describe.each(serviceDatabases)('on the %s database', (on) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ on });
  });
  afterAll(() => store.close());

  const daysLater = (call: Call, days: number): Call => ({
    ...call,
    now: new Date(call.now.getTime() + days * 86_400_000),
  });

  test('an invited user exchanges the invitation for a token with their role, once', async () => {
    const call = callAs('admin');
    const { user, invitation } = await createUser(store, call, ada);
    expect(user).toMatchObject({ ...ada, accepted_at: null, created_by: call.actor.token_id });
    expect(await findActor(store, invitation.token, call.now)).toBeNull();
    const { token } = await acceptInvitation(store, call, invitation.token);
    expect(await findActor(store, token, call.now)).toMatchObject({
      tenant_id: call.actor.tenant_id,
      user_id: user.id,
      name: 'Ada',
      role: 'reviewer',
    });
    await expect(acceptInvitation(store, call, invitation.token)).rejects.toMatchObject({
      code: 'not_found',
    });
    const { items } = await listUsers(store, call, { limit: 5 });
    expect(items).toEqual([{ ...user, accepted_at: call.now.toISOString() }]);
  });

  test('of many who bring one invitation at once one gets a token', async () => {
    const call = callAs('admin');
    const { user, invitation } = await createUser(store, call, ada);
    const ends = await Promise.allSettled(
      Array.from({ length: 8 }, () => acceptInvitation(store, call, invitation.token)),
    );
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { items } = await listTokens(store, call, { limit: 50, user_id: user.id });
    expect(items.map(({ kind }) => kind)).toEqual(['access', 'invitation']);
  });

  test('unknown, expired and revoked invitations, and tokens that are none, get one answer', async () => {
    const call = callAs('admin');
    const expired = await createUser(store, call, ada);
    const revoked = await createUser(store, call, { ...ada, email: 'b@example.org' });
    await revokeToken(store, call, revoked.invitation.id);
    const access = await createToken(store, call, { name: 'a', role: 'viewer' });
    const said = async (token: string, at: Call) => {
      const thrown = await acceptInvitation(store, at, token).catch((error) => error);
      return [thrown.code, thrown.message, thrown.details];
    };
    const answers = [
      await said(newSecretToken(), call),
      await said(expired.invitation.token, daysLater(call, 7)),
      await said(revoked.invitation.token, call),
      await said(access.token, call),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0][0]).toBe('not_found');
    expect(await findActor(store, access.token, call.now)).not.toBeNull();
  });

  test('one address is one user however it is spelt, in one tenant', async () => {
    const call = callAs('admin');
    const { user } = await createUser(store, call, ada);
    await expect(createUser(store, call, { ...ada, email: 'ADA@Example.org' })).rejects.toMatchObject({
      code: 'conflict',
      details: { user_id: user.id },
    });
    await createUser(store, callAs('admin'), ada);
    const twins = [1, 2, 3].map(() => createUser(store, call, { ...ada, email: 'twin@example.org' }));
    const ends = await Promise.allSettled(twins);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listUsers(store, call, { limit: 50 })).items).toHaveLength(2);
  });

  test('a user can be given more tokens, none above their role', async () => {
    const call = callAs('admin');
    const { user } = await createUser(store, call, ada);
    const more = await createToken(store, call, { name: 'laptop', role: 'viewer', user_id: user.id });
    expect(await findActor(store, more.token, call.now)).toMatchObject({ user_id: user.id, role: 'viewer' });
    await expect(
      createToken(store, call, { name: 'laptop', role: 'engineer', user_id: user.id }),
    ).rejects.toMatchObject({ code: 'invalid_request', details: { errors: [{ pointer: '/body/role' }] } });
    await expect(
      createToken(store, callAs('admin'), { name: 'laptop', role: 'viewer', user_id: user.id }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('users are paged, newest first', async () => {
    const call = callAs('admin');
    const made: string[] = [];
    for (const n of [1, 2, 3]) {
      made.unshift((await createUser(store, call, { ...ada, email: `user${n}@example.org` })).user.id);
    }
    const first = await listUsers(store, call, { limit: 2 });
    const second = await listUsers(store, call, { limit: 2, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(made);
  });

  test('what was done is logged, under the name of who did it, without a secret', async () => {
    const call = callAs('admin');
    const { user, invitation } = await createUser(store, call, ada);
    const { id, token } = await acceptInvitation(store, call, invitation.token);
    const { items } = await listAudit(store, call, { limit: 5 });
    expect(items).toMatchObject([
      {
        action: 'accept_invitation',
        actor_id: user.id,
        actor_name: 'Ada',
        role: 'reviewer',
        object_id: user.id,
        detail: { invitation_id: invitation.id, token_id: id },
      },
      { action: 'create_user', actor_id: call.actor.token_id, object_id: user.id },
    ]);
    for (const secret of [token, invitation.token]) {
      expect(JSON.stringify(items)).not.toContain(secret.slice(4));
    }
  });

  test('a change whose log entry cannot be written is not made', async () => {
    const call = callAs('admin');
    await store.database.query(
      "ALTER TABLE audit_entries ADD CONSTRAINT no_more CHECK (object_type <> 'user') NOT VALID",
    );
    await expect(createUser(store, call, ada)).rejects.toThrow();
    await store.database.query('ALTER TABLE audit_entries DROP CONSTRAINT no_more');
    expect((await listUsers(store, call, { limit: 5 })).items).toEqual([]);
    expect((await listTokens(store, call, { limit: 5 })).items).toEqual([]);
  });

  test.each(roles.slice(0, 3))('a %s does none of it', async (role) => {
    const forbidden = { code: 'forbidden', details: { required_role: 'admin', role } };
    await expect(createUser(store, callAs(role), ada)).rejects.toMatchObject(forbidden);
    await expect(listUsers(store, callAs(role, newId('tnt')), { limit: 1 })).rejects.toMatchObject(forbidden);
  });
});
