import type { tenancyOperations } from '#core/api/operations';
import {
  acceptInvitation,
  addTenant,
  createSession,
  createSignInLink,
  createToken,
  createUser,
  endSession,
  listTokens,
  listUsers,
  revokeToken,
  whoami,
} from '#service/operations';
import { type HandlersOf, SessionAnswer } from '../handler.ts';

/** Handlers of tenants, users, tokens and sessions. */
export const tenancyHandlers = {
  whoami: ({ store, call }) => whoami(store, call),
  create_tenant: ({ store, call }, { body }) => addTenant(store, call, body),
  list_users: ({ store, call }, { query }) => listUsers(store, call, query),
  create_user: ({ store, call }, { body }) => createUser(store, call, body),
  accept_invitation: ({ store, call }, { body }) => acceptInvitation(store, call, body.token),
  list_tokens: ({ store, call }, { query }) => listTokens(store, call, query),
  create_token: ({ store, call }, { body }) => createToken(store, call, body),
  revoke_token: async ({ store, call }, { params }) => {
    await revokeToken(store, call, params.token_id);
    return undefined;
  },
  create_sign_in_link: ({ store, call }) => createSignInLink(store, call),
  create_session: async ({ store, call }, { body }) => {
    const { whoami: who, token } = await createSession(store, call, body.token);
    const { expires_at } = who.token;
    return new SessionAnswer(who, token, expires_at === null ? null : new Date(expires_at));
  },
  end_session: async ({ store, call, session_token }) => {
    if (session_token !== null) await endSession(store, call, session_token);
    return new SessionAnswer(undefined, null);
  },
} satisfies HandlersOf<typeof tenancyOperations>;
