// Written by `npm run generate` from src/core/api. Change it there.
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

export interface TenantOperations {
  whoami: { input: Record<never, never>; answer: Whoami; error: 'rate_limited' | 'unauthenticated' };
  create_tenant: {
    input: CreateTenantInput;
    answer: CreatedTenant;
    error:
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  list_users: {
    input: ListUsersInput;
    answer: Page<User>;
    error: 'forbidden' | 'rate_limited' | 'unauthenticated';
  };
  create_user: {
    input: CreateUserInput;
    answer: InvitedUser;
    error:
      | 'conflict'
      | 'forbidden'
      | 'idempotency_conflict'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  accept_invitation: {
    input: AcceptInvitationInput;
    answer: CreatedToken;
    error: 'not_found' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type';
  };
  list_tokens: {
    input: ListTokensInput;
    answer: Page<Token>;
    error: 'forbidden' | 'rate_limited' | 'unauthenticated';
  };
  create_token: {
    input: CreateTokenInput;
    answer: CreatedToken;
    error:
      | 'forbidden'
      | 'idempotency_conflict'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  revoke_token: {
    input: RevokeTokenInput;
    answer: undefined;
    error:
      | 'conflict'
      | 'forbidden'
      | 'not_found'
      | 'payload_too_large'
      | 'rate_limited'
      | 'unauthenticated'
      | 'unsupported_media_type';
  };
  create_sign_in_link: {
    input: Record<never, never>;
    answer: CreatedToken;
    error: 'payload_too_large' | 'rate_limited' | 'unauthenticated' | 'unsupported_media_type';
  };
  create_session: {
    input: CreateSessionInput;
    answer: Whoami;
    error: 'not_found' | 'payload_too_large' | 'rate_limited' | 'unsupported_media_type';
  };
  end_session: {
    input: Record<never, never>;
    answer: undefined;
    error: 'payload_too_large' | 'rate_limited' | 'unsupported_media_type';
  };
}
