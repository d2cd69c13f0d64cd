import type { Token, User } from '#core/api';
import type { tokenRows, userRows } from '#store';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A token as it is shown: without what opens anything. */
export function tokenOf(row: Omit<tokenRows.TokenRow, 'tenant_id' | 'sha256'>): Token {
  return {
    id: row.id,
    kind: row.one_time ?? 'access',
    name: row.name,
    role: row.role,
    user_id: row.user_id,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    expires_at: time(row.expires_at),
    last_used_at: time(row.last_used_at),
    revoked_at: time(row.revoked_at),
  };
}

/** A user as shown. */
export function userOf(row: Omit<userRows.UserRow, 'tenant_id'>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    accepted_at: time(row.accepted_at),
  };
}
