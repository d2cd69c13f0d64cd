import type { CreatedToken } from '#contract';
import { AssayError, sha256 } from '#kernel';
import { type Store, type TenantScope, tokenRows, userRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import type { Call } from '../call.ts';
import { issueToken } from './issue-token.ts';

/**
 * Exchanges an invitation for the user's lasting token, once. Whoever has the invitation may: its holder is the actor
 * in the log. Throws `not_found` where it is unknown, used, revoked or expired, without telling which.
 */
export async function acceptInvitation(
  store: Store,
  { request_id, now }: Pick<Call, 'request_id' | 'now'>,
  invitation: string,
): Promise<CreatedToken> {
  return store.database.transaction(async () => {
    const taken = await tokenRows.takeInvitation(store.database.sql, sha256(invitation), now);
    const scope: TenantScope = { sql: store.database.sql, tenant_id: taken?.tenant_id ?? '' };
    const user = taken?.user_id == null ? null : await userRows.getUser(scope, taken.user_id);
    if (taken === null || user === null) throw notGood();
    await userRows.markAccepted(scope, user.id, now);
    const created = await issueToken(scope, {
      name: user.email,
      role: taken.role,
      user_id: user.id,
      kind: 'access',
      created_by: user.id,
      now,
      expires_in_s: null,
    });
    const actor = {
      tenant_id: taken.tenant_id,
      token_id: taken.id,
      user_id: user.id,
      name: user.name,
      role: taken.role,
    };
    const { token: _secret, ...shown } = created;
    await appendAudit(
      store,
      { actor, request_id, now },
      {
        action: 'accept_invitation',
        object_type: 'user',
        object_id: user.id,
        before: null,
        after: shown,
        detail: { invitation_id: taken.id, token_id: created.id },
      },
    );
    return created;
  });
}

function notGood(): AssayError {
  return new AssayError('not_found', 'the invitation is unknown, or was used, revoked or has expired', {
    advice: 'ask an admin for a token',
  });
}
