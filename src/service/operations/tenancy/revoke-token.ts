import { AssayError } from '#core';
import { type Store, tokenRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { tokenOf } from './views.ts';

/** Ends a token or an invitation. One that is revoked already stays so. Throws `conflict` for the last admin token. */
export async function revokeToken(store: Store, call: Call, token_id: string): Promise<void> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    // First, so that of two who revoke each other's token at once the second sees what the first did.
    const admins = await tokenRows.lockWorkingAdminTokens(scope, call.now);
    const row = await tokenRows.getToken(scope, token_id);
    if (row === null) {
      throw new AssayError('not_found', `there is no token ${token_id}`, {
        advice: 'GET /v1/tokens lists them',
      });
    }
    if (row.revoked_at !== null) return;
    if (admins.length === 1 && admins[0] === token_id) throw lastAdmin(token_id);
    await tokenRows.revokeToken(scope, token_id, call.now);
    await appendAudit(store, call, {
      action: 'revoke_token',
      object_type: 'token',
      object_id: token_id,
      before: tokenOf(row),
      after: tokenOf({ ...row, revoked_at: call.now }),
      detail: { name: row.name, role: row.role, user_id: row.user_id },
    });
  });
}

function lastAdmin(token_id: string): AssayError {
  return new AssayError('conflict', `${token_id} is the last admin token that works`, {
    advice: 'create another admin token first (POST /v1/tokens with the role admin), then revoke this one',
  });
}
