import type { z } from 'zod';
import { AssayError, idPattern, newId } from '#core';
import type { createUserSchema, InvitedUser, User } from '#core/api';
import { type Store, userRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { issueToken } from './tokens.ts';
import { userOf } from './views.ts';

/** Lifetime of an invitation in seconds. */
const invitationLifetime_s = 7 * 86_400;

/**
 * Creates and audits a user, and returns it with a one-time invitation token. Throws `conflict` if the e-mail address is
 * taken.
 */
export async function createUser(
  store: Store,
  call: Call,
  { email, name, role }: z.infer<typeof createUserSchema>,
): Promise<InvitedUser> {
  requireRole(call, 'admin');
  // Callers cannot grant a role above their own.
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
      const existing = await userRows.findUserByEmail(scope, row.email);
      throw addressTaken(row.email, existing?.id ?? null);
    }
    const invitation = await issueToken(scope, {
      name: `invitation for ${row.email}`,
      role,
      user_id: row.id,
      kind: 'invitation',
      created_by,
      now: call.now,
      expires_in_s: invitationLifetime_s,
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

function addressTaken(email: string, user_id: string | null): AssayError {
  return new AssayError('conflict', `a user with the email address ${email} already exists`, {
    advice: 'to create another token for them, use POST /v1/tokens with their user_id',
    details: { user_id },
  });
}

/** Lists the tenant's users, newest first. */
export async function listUsers(
  store: Store,
  call: Call,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<User>> {
  requireRole(call, 'admin');
  const rows = await userRows.listUsers(scopeOf(store, call), {
    before: readCursor(query.cursor, idPattern('usr')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, userOf);
}
