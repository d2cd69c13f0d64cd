// Written by `npm run generate` from src/core/api. Change it there.
import type { Calls } from '../../calls.ts';
import type { CallOptions } from '../../options.ts';
import type { Page } from '../types/shared.ts';
import type {
  AcceptInvitationInput,
  CreateSessionInput,
  CreateTenantInput,
  CreateTokenInput,
  CreateUserInput,
  ListTokensInput,
  ListUsersInput,
  RevokeTokenInput,
} from '../types/tenant-calls.ts';
import type { CreatedTenant, CreatedToken, InvitedUser, Token, User, Whoami } from '../types/tenant.ts';

export const tenant = ({ call }: Calls) => ({
  /**
   * Get the token’s owner and role.
   *
   * Needs the role `viewer`.
   */
  whoami: (options?: CallOptions): Promise<Whoami> => call('whoami', {}, options),

  /**
   * Make a tenant and its first token.
   *
   * For admins of the tenant `default`, which the first start made: they run the installation. They see
   * nothing of other tenants. The token is shown this once. A name that is taken is a conflict.
   *
   * Needs the role `admin`.
   */
  create: (input: CreateTenantInput, options?: CallOptions): Promise<CreatedTenant> =>
    call('create_tenant', input, options),

  /**
   * List users, newest first.
   *
   * Needs the role `admin`.
   */
  listUsers: (input: ListUsersInput = {}, options?: CallOptions): Promise<Page<User>> =>
    call('list_users', input, options),

  /**
   * Invite a user.
   *
   * Answers with an invitation: a token good for seven days and one exchange at `POST
   * /v1/invitations/accept`. It is shown only once; hand it to the user. An address that exists already
   * is a conflict.
   *
   * Needs the role `admin`.
   */
  createUser: (input: CreateUserInput, options?: CallOptions): Promise<InvitedUser> =>
    call('create_user', input, options),

  /**
   * Exchange an invitation for a token.
   *
   * Works once. The token is shown only once.
   *
   * Needs no token.
   */
  acceptInvitation: (input: AcceptInvitationInput, options?: CallOptions): Promise<CreatedToken> =>
    call('accept_invitation', input, options),

  /**
   * List tokens, newest first.
   *
   * Includes invitations and revoked tokens; never the tokens themselves.
   *
   * Needs the role `admin`.
   */
  listTokens: (input: ListTokensInput = {}, options?: CallOptions): Promise<Page<Token>> =>
    call('list_tokens', input, options),

  /**
   * Create a token.
   *
   * The token is shown only once; only its SHA-256 is kept.
   *
   * Needs the role `admin`.
   */
  createToken: (input: CreateTokenInput, options?: CallOptions): Promise<CreatedToken> =>
    call('create_token', input, options),

  /**
   * Revoke a token or an invitation.
   *
   * The last valid admin token cannot be revoked.
   *
   * Needs the role `admin`.
   */
  revokeToken: (input: RevokeTokenInput, options?: CallOptions): Promise<undefined> =>
    call('revoke_token', input, options),

  /**
   * Make a one-time token that signs a browser in.
   *
   * The token signs in as the user who asked, with the same role, within half an hour. The web
   * application takes it from the fragment of its address, `/#sign-in=asy_…`, which browsers send
   * nowhere.
   *
   * Needs the role `viewer`.
   */
  createSignInLink: (options?: CallOptions): Promise<CreatedToken> =>
    call('create_sign_in_link', {}, options),

  /**
   * Sign a browser in.
   *
   * Takes a token, an invitation or the token of a sign-in link, and sets a cookie that no script can
   * read. The cookie counts only for requests that pages of this service make.
   *
   * Needs no token.
   */
  createSession: (input: CreateSessionInput, options?: CallOptions): Promise<Whoami> =>
    call('create_session', input, options),

  /**
   * Sign a browser out.
   *
   * Removes the cookie, and ends the token behind it where a sign-in link made it.
   *
   * Needs no token.
   */
  endSession: (options?: CallOptions): Promise<undefined> => call('end_session', {}, options),
});
