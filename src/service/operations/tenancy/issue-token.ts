import { randomBytes } from 'node:crypto';
import { newId, sha256 } from '#core';
import type { CreatedToken, Role } from '#core/api';
import { type TenantScope, tokenRows } from '#store';
import { tokenOf } from './views.ts';

export interface IssuedToken {
  readonly name: string;
  readonly role: Role;
  readonly user_id: string | null;
  readonly kind: 'access' | 'invitation';
  readonly created_by: string;
  readonly now: Date;
  /** Null: good until it is revoked. */
  readonly expires_in_s: number | null;
  /** Instead of a random one. */
  readonly preset?: string | undefined;
}

/** Writes a token's row; the answer alone holds the token itself. Rights were checked, and the caller audits. */
export async function issueToken(scope: TenantScope, issued: IssuedToken): Promise<CreatedToken> {
  const { name, role, user_id, kind, created_by, now, expires_in_s } = issued;
  const token = issued.preset ?? newSecretToken();
  const row = {
    id: newId('tok'),
    user_id,
    name,
    role,
    one_time: kind === 'invitation' ? kind : null,
    created_at: now,
    created_by,
    expires_at: expires_in_s === null ? null : new Date(now.getTime() + expires_in_s * 1000),
    last_used_at: null,
    revoked_at: null,
  };
  await tokenRows.insertToken(scope, { ...row, sha256: sha256(token) });
  return { ...tokenOf(row), token };
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** As many as 256 bits take. */
const length = 43;

/** A new token: `asy_` and 32 random bytes in base62. */
export function newSecretToken(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let i = 0; i < length; i++, number /= 62n) text = digits[Number(number % 62n)] + text;
  return `asy_${text}`;
}
