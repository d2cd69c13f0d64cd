import type { z } from 'zod';
import { AssayError, newId } from '#core';
import type { createUserSchema, InvitedUser } from '#core/api';
import { type Store, userRows } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { issueToken } from './issue-token.ts';
import { userOf } from './views.ts';

/** How long an invitation may lie about. */
const invitation_s = 7 * 86_400;

/** Invites a user: a row, and a token good for one exchange. Throws `conflict` where the address is there already. */
export async function createUser(
  store: Store,
  call: Call,
  { email, name, role }: z.infer<typeof createUserSchema>,
): Promise<InvitedUser> {
  requireRole(call, 'admin');
  // Nobody gives more than they have.
  requireRole(call, role);
  const scope = scopeOf(store, call);
  const created_by = actorId(call);
  return store.database.transaction(async () => {
    const row = {
      id: newId('usr'),
      email: email.toLowerCase(),
      name,
      role,
      created_at: call.now,
      created_by,
      accepted_at: null,
    };
    if (!(await userRows.insertUser(scope, row))) {
      const there = await userRows.findUserByEmail(scope, row.email);
      throw alreadyThere(row.email, there?.id ?? null);
    }
    const invitation = await issueToken(scope, {
      name: `invitation of ${row.email}`,
      role,
      user_id: row.id,
      kind: 'invitation',
      created_by,
      now: call.now,
      expires_in_s: invitation_s,
    });
    const user = userOf(row);
    await appendAudit(store, call, {
      action: 'create_user',
      object_type: 'user',
      object_id: row.id,
      before: null,
      after: user,
      detail: { email: row.email, role, invitation_id: invitation.id },
    });
    return { user, invitation };
  });
}

function alreadyThere(email: string, user_id: string | null): AssayError {
  return new AssayError('conflict', `there is a user with the address ${email} already`, {
    advice: 'to give them another token, POST /v1/tokens with their user_id',
    details: { user_id },
  });
}
