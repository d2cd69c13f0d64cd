import type { z } from 'zod';
import { AssayError } from '#core';
import { type CreatedToken, type createTokenSchema, type Role, roleReaches } from '#core/api';
import { type Store, type TenantScope, userRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { issueToken } from './issue-token.ts';

export type NewToken = z.infer<typeof createTokenSchema>;

/** Makes a token, for a user or for a program. It is in the answer and nowhere else. */
export async function createToken(store: Store, call: Call, input: NewToken): Promise<CreatedToken> {
  requireRole(call, 'admin');
  // Nobody gives more than they have.
  requireRole(call, input.role);
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    if (input.user_id !== undefined) await checkUser(scope, input.user_id, input.role);
    const created = await issueToken(scope, {
      name: input.name,
      role: input.role,
      user_id: input.user_id ?? null,
      kind: 'access',
      created_by: actorId(call),
      now: call.now,
      expires_in_s: input.expires_in_s ?? null,
    });
    await auditCreated(store, call, created);
    return created;
  });
}

async function checkUser(scope: TenantScope, user_id: string, role: Role): Promise<void> {
  const user = await userRows.getUser(scope, user_id);
  if (user === null) {
    throw new AssayError('not_found', `there is no user ${user_id}`, {
      advice: 'GET /v1/users lists them',
    });
  }
  if (roleReaches(user.role, role)) return;
  throw new AssayError('invalid_request', `the user has the role ${user.role}, less than ${role}`, {
    advice: `give ${user.role} or less`,
    details: { errors: [{ pointer: '/body/role', message: `may be ${user.role} at most` }] },
  });
}

/** Says in the log that a token was made; what the log keeps of it opens nothing. */
export async function auditCreated(store: Store, call: Call, created: CreatedToken): Promise<void> {
  const { token: _secret, ...shown } = created;
  await appendAudit(store, call, {
    action: 'create_token',
    object_type: 'token',
    object_id: shown.id,
    before: null,
    after: shown,
    detail: {
      name: shown.name,
      role: shown.role,
      user_id: shown.user_id,
      expires_at: shown.expires_at,
    },
  });
}
