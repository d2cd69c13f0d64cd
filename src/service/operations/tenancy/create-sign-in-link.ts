import type { CreatedToken } from '#core/api';
import type { Store } from '#store';
import { actorId } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { signInLinkName } from './accept-invitation.ts';
import { auditCreated } from './create-token.ts';
import { issueToken } from './issue-token.ts';

/** Long enough to walk from the terminal to the browser. */
const link_s = 30 * 60;

/**
 * A one-time token that opens the web application as whoever asks: their user and role, and no more. It is good for one
 * exchange within half an hour, and opens nothing else.
 */
export async function createSignInLink(store: Store, call: Call): Promise<CreatedToken> {
  requireRole(call, 'viewer');
  return store.database.transaction(async () => {
    const created = await issueToken(scopeOf(store, call), {
      name: signInLinkName,
      role: call.actor.role,
      user_id: call.actor.user_id,
      kind: 'invitation',
      created_by: actorId(call),
      now: call.now,
      expires_in_s: link_s,
    });
    await auditCreated(store, call, created);
    return created;
  });
}
