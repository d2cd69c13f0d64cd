import type { tenancyOperations } from '#operations';
import {
  acceptInvitation,
  addTenant,
  createToken,
  createUser,
  listTokens,
  listUsers,
  revokeToken,
  whoami,
} from '#services';
import type { HandlersOf } from '../handler.ts';

/** Users, tokens, and who one is. */
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
} satisfies HandlersOf<typeof tenancyOperations>;
