// Written by `npm run generate` from src/core/api. Change it there.
import type { Role } from './shared.ts';

export interface CreatedTenant {
  readonly id: string;
  readonly name: string;
  readonly token: CreatedToken;
}

export interface CreatedToken {
  readonly id: string;
  readonly kind: 'access' | 'invitation';
  readonly name: string;
  readonly role: Role;
  readonly user_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Shown only once. */
  readonly token: string;
}

export interface InvitedUser {
  readonly user: User;
  readonly invitation: CreatedToken;
}

export interface Token {
  readonly id: string;
  readonly kind: 'access' | 'invitation';
  readonly name: string;
  readonly role: Role;
  readonly user_id: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
}

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly created_at: string;
  readonly created_by: string;
  readonly accepted_at: string | null;
}

export interface Whoami {
  readonly tenant: {
    readonly id: string;
    readonly name: string;
  };
  readonly role: Role;
  readonly token: Token;
  readonly user: User | null;
}
