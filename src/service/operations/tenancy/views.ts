import type { Token, User } from '#core/api';
import type { tokenRows, userRows } from '#store';

const toIso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** Converts a token row to the API view, without its secret. */
export function tokenOf(row: Omit<tokenRows.TokenRow, 'tenant_id' | 'sha256'>): Token {
  return {
    id: row.id,
    kind: row.one_time ?? 'access',
    name: row.name,
    role: row.role,
    user_id: row.user_id,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    expires_at: toIso(row.expires_at),
    last_used_at: toIso(row.last_used_at),
    revoked_at: toIso(row.revoked_at),
  };
}

/** Converts a user row to the API view. */
export function userOf(row: Omit<userRows.UserRow, 'tenant_id'>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    accepted_at: toIso(row.accepted_at),
  };
}
