import { AssayError, sha256 } from '#core';
import type { CreatedToken } from '#core/api';
import { type Store, type TenantScope, tokenRows, userRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import type { Call } from '../call.ts';
import { issueToken } from './issue-token.ts';

/** Name of the tokens that browsers get for a sign-in link. */
export const sessionTokenName = 'browser session';
/** Name of the invitations that are sign-in links. */
export const signInLinkName = 'sign-in link';

/** A browser that is used every week stays signed in until its user comes back from a holiday, and no longer. */
const session_s = 30 * 86_400;

/**
 * Exchanges an invitation for the user's lasting token, or a sign-in link for a browser's token of thirty days, once. Whoever
 * has it may: its holder is the actor in the log. Throws `not_found` where it is unknown, used, revoked or expired,
 * without telling which.
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
    const isLink = taken?.name === signInLinkName;
    if (taken === null || (user === null && !isLink)) throw notGood();
    if (user !== null && !isLink) await userRows.markAccepted(scope, user.id, now);
    const by = user?.id ?? taken.id;
    const created = await issueToken(scope, {
      name: isLink ? sessionTokenName : (user?.email ?? taken.name),
      role: taken.role,
      user_id: taken.user_id,
      kind: 'access',
      created_by: by,
      now,
      expires_in_s: isLink ? session_s : null,
    });
    const actor = {
      tenant_id: taken.tenant_id,
      token_id: taken.id,
      user_id: taken.user_id,
      name: user?.name ?? taken.name,
      role: taken.role,
    };
    const { token: _secret, ...shown } = created;
    await appendAudit(
      store,
      { actor, request_id, now },
      {
        action: isLink ? 'create_session' : 'accept_invitation',
        object_type: isLink ? 'token' : 'user',
        object_id: isLink ? created.id : by,
        before: null,
        after: shown,
        detail: { invitation_id: taken.id, token_id: created.id },
      },
    );
    return created;
  });
}

function notGood(): AssayError {
  return new AssayError(
    'not_found',
    'the invitation or link is unknown, or was used, revoked or has expired',
    {
      advice: '`assay open` prints another link; or ask an admin for a token',
    },
  );
}
