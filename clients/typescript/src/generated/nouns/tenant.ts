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
   * Requires the role `viewer` or higher.
   */
  whoami: (options?: CallOptions): Promise<Whoami> => call('whoami', {}, options),

  /**
   * Create a tenant and its first token.
   *
   * Only for admins of the tenant `default`, which is created at the first start: they operate the
   * installation. They cannot see data of other tenants. The token is shown only once. Returns 409 if
   * the name is taken.
   *
   * Requires the role `admin` or higher.
   */
  create: (input: CreateTenantInput, options?: CallOptions): Promise<CreatedTenant> =>
    call('create_tenant', input, options),

  /**
   * List users, newest first.
   *
   * Requires the role `admin` or higher.
   */
  listUsers: (input: ListUsersInput = {}, options?: CallOptions): Promise<Page<User>> =>
    call('list_users', input, options),

  /**
   * Invite a user.
   *
   * Returns an invitation token, which can be exchanged once within seven days at `POST
   * /v1/invitations/accept`. It is shown only once; send it to the user. Returns 409 if the email
   * address is already in use.
   *
   * Requires the role `admin` or higher.
   */
  createUser: (input: CreateUserInput, options?: CallOptions): Promise<InvitedUser> =>
    call('create_user', input, options),

  /**
   * Accept an invitation and get a token.
   *
   * Each invitation works once. The token is shown only once.
   *
   * No token required.
   */
  acceptInvitation: (input: AcceptInvitationInput, options?: CallOptions): Promise<CreatedToken> =>
    call('accept_invitation', input, options),

  /**
   * List tokens, newest first.
   *
   * Includes invitations and revoked tokens, but never the secret values.
   *
   * Requires the role `admin` or higher.
   */
  listTokens: (input: ListTokensInput = {}, options?: CallOptions): Promise<Page<Token>> =>
    call('list_tokens', input, options),

  /**
   * Create a token.
   *
   * The token is shown only once; the service stores only its SHA-256.
   *
   * Requires the role `admin` or higher.
   */
  createToken: (input: CreateTokenInput, options?: CallOptions): Promise<CreatedToken> =>
    call('create_token', input, options),

  /**
   * Revoke a token or an invitation.
   *
   * The last valid admin token cannot be revoked.
   *
   * Requires the role `admin` or higher.
   */
  revokeToken: (input: RevokeTokenInput, options?: CallOptions): Promise<undefined> =>
    call('revoke_token', input, options),

  /**
   * Create a one-time sign-in token for a browser.
   *
   * The token signs in as the calling user with the same role and expires after 30 minutes. The web
   * application reads it from the fragment of its URL, `/#sign-in=asy_…`, which browsers do not send to
   * servers.
   *
   * Requires the role `viewer` or higher.
   */
  createSignInLink: (options?: CallOptions): Promise<CreatedToken> =>
    call('create_sign_in_link', {}, options),

  /**
   * Create a browser session.
   *
   * Accepts an API token, an invitation or a sign-in token and sets an HTTP-only cookie. The cookie is
   * accepted only for requests from pages of this service.
   *
   * No token required.
   */
  createSession: (input: CreateSessionInput, options?: CallOptions): Promise<Whoami> =>
    call('create_session', input, options),

  /**
   * End a browser session.
   *
   * Removes the cookie and, for sessions from a sign-in link, revokes the token behind it.
   *
   * No token required.
   */
  endSession: (options?: CallOptions): Promise<undefined> => call('end_session', {}, options),
});
