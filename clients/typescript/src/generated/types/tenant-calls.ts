// Written by `npm run generate` from src/core/api. Change it there.
import type { Role } from './shared.ts';

export interface CreateTenantInput {
  readonly name: string;
  readonly token: {
    readonly name: string;
    readonly role: Role;
    readonly expires_in_s?: number | undefined;
  };
}

export interface ListUsersInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface CreateUserInput {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface AcceptInvitationInput {
  readonly token: string;
}

export interface ListTokensInput {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly user_id?: string | undefined;
}

export interface CreateTokenInput {
  readonly name: string;
  readonly role: Role;
  readonly user_id?: string | undefined;
  readonly expires_in_s?: number | undefined;
}

export interface RevokeTokenInput {
  readonly token_id: string;
}

export interface CreateSessionInput {
  readonly token: string;
}
