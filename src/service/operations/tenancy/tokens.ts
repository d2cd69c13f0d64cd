import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { AssayError, idPattern, newId, sha256 } from '#core';
import { type CreatedToken, type createTokenSchema, type Role, roleReaches, type Token } from '#core/api';
import { type Store, type TenantScope, tokenRows, userRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { tokenOf } from './views.ts';

/** A token to create. */
export type NewToken = z.infer<typeof createTokenSchema>;

/**
 * Creates, audits and returns an access token for a user or program; only this answer contains the secret. Throws `forbidden`
 * for a role above the caller's, `not_found` for the user, `invalid_request` for a role above the user's.
 */
export async function createToken(store: Store, call: Call, input: NewToken): Promise<CreatedToken> {
  requireRole(call, 'admin');
  // Callers cannot grant a role above their own.
  requireRole(call, input.role);
  const scope = scopeOf(store, call);
  return store.database.transaction(async () => {
    if (input.user_id !== undefined) await requireRoleOfUser(scope, input.user_id, input.role);
    const created = await issueToken(scope, {
      name: input.name,
      role: input.role,
      user_id: input.user_id ?? null,
      kind: 'access',
      created_by: actorId(call),
      now: call.now,
      expires_in_s: input.expires_in_s ?? null,
    });
    await auditTokenCreated(store, call, created);
    return created;
  });
}

async function requireRoleOfUser(scope: TenantScope, user_id: string, role: Role): Promise<void> {
  const user = await userRows.getUser(scope, user_id);
  if (user === null) {
    throw new AssayError('not_found', `user ${user_id} not found`, {
      advice: 'list users with GET /v1/users',
    });
  }
  if (roleReaches(user.role, role)) return;
  throw new AssayError('invalid_request', `the user has the role ${user.role}, which is lower than ${role}`, {
    advice: `use the role ${user.role} or lower`,
    details: { errors: [{ pointer: '/body/role', message: `must be ${user.role} or lower` }] },
  });
}

/** Audits the creation of a token without its secret. */
export async function auditTokenCreated(store: Store, call: Call, created: CreatedToken): Promise<void> {
  const { token: _secret, ...publicFacts } = created;
  await appendAudit(store, call, {
    action: 'create_token',
    object_type: 'token',
    object_id: publicFacts.id,
    before: null,
    after: publicFacts,
    detail: {
      name: publicFacts.name,
      role: publicFacts.role,
      user_id: publicFacts.user_id,
      expires_at: publicFacts.expires_at,
    },
  });
}

/** Filters and page of tokens. */
interface TokensQuery {
  readonly user_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Lists the tenant's tokens and invitations, newest first, including revoked ones. */
export async function listTokens(store: Store, call: Call, query: TokensQuery): Promise<Page<Token>> {
  requireRole(call, 'admin');
  const rows = await tokenRows.listTokens(scopeOf(store, call), {
    user_id: query.user_id ?? null,
    before: readCursor(query.cursor, idPattern('tok')),
    limit: query.limit + 1,
  });
  return pageOfRows(rows, query.limit, ({ id }) => id, tokenOf);
}

/**
 * Revokes a token or invitation and audits this; a revoked one stays as it is. Throws `not_found`, `conflict` for the last
 * valid admin token.
 */
export async function revokeToken(store: Store, call: Call, token_id: string): Promise<void> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  await store.database.transaction(async () => {
    // Locked first, so that of two admins who revoke each other's token at once the second sees the first revocation.
    const admins = await tokenRows.lockWorkingAdminTokens(scope, call.now);
    const row = await tokenRows.getToken(scope, token_id);
    if (row === null) {
      throw new AssayError('not_found', `token ${token_id} not found`, {
        advice: 'list tokens with GET /v1/tokens',
      });
    }
    if (row.revoked_at !== null) return;
    if (admins.length === 1 && admins[0] === token_id) throw lastAdminToken(token_id);
    await tokenRows.revokeToken(scope, token_id, call.now);
    await appendAudit(store, call, {
      action: 'revoke_token',
      object_type: 'token',
      object_id: token_id,
      before: tokenOf(row),
      after: tokenOf({ ...row, revoked_at: call.now }),
      detail: { name: row.name, role: row.role, user_id: row.user_id },
    });
  });
}

function lastAdminToken(token_id: string): AssayError {
  return new AssayError('conflict', `${token_id} is the last valid admin token`, {
    advice: 'create another admin token first (POST /v1/tokens with the role admin), then revoke this one',
  });
}

/** A token to issue. */
interface TokenSpec {
  readonly name: string;
  readonly role: Role;
  readonly user_id: string | null;
  readonly kind: 'access' | 'invitation';
  readonly created_by: string;
  readonly now: Date;
  /** Lifetime in seconds; null means valid until revoked. */
  readonly expires_in_s: number | null;
  /** Secret to use instead of a random one. */
  readonly preset?: string | undefined;
}

/** Inserts a token and returns it with its secret, which is not stored. The caller checks permissions and audits. */
export async function issueToken(scope: TenantScope, issued: TokenSpec): Promise<CreatedToken> {
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
/** Base62 digits that 256 bits need. */
const tokenDigits = 43;

/** Returns a new secret: `asy_` and 32 random bytes in base62. */
export function newSecretToken(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let i = 0; i < tokenDigits; i++, number /= 62n) text = digits[Number(number % 62n)] + text;
  return `asy_${text}`;
}
