import { sha256 } from '#core';
import { type Store, tokenRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import type { Call } from '../call.ts';
import { sessionTokenName } from './accept-invitation.ts';
import { tokenOf } from './views.ts';

/**
 * Ends a browser's session: the token that a sign-in link was exchanged for opens nothing any more. A token that was pasted
 * goes on working elsewhere; one that is unknown is nothing to end.
 */
export async function endSession(
  store: Store,
  { request_id, now }: Pick<Call, 'request_id' | 'now'>,
  token: string,
): Promise<void> {
  await store.database.transaction(async () => {
    const found = await tokenRows.findWorkingToken(store.database.sql, sha256(token), now);
    if (found === null || found.token.name !== sessionTokenName) return;
    const { id, tenant_id, user_id, role, name } = found.token;
    await tokenRows.revokeToken({ sql: store.database.sql, tenant_id }, id, now);
    const actor = { tenant_id, token_id: id, user_id, role, name: found.user?.name ?? name };
    await appendAudit(
      store,
      { actor, request_id, now },
      {
        action: 'end_session',
        object_type: 'token',
        object_id: id,
        before: tokenOf(found.token),
        after: tokenOf({ ...found.token, revoked_at: now }),
        detail: { name, role, user_id },
      },
    );
  });
}
