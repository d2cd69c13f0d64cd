import { AssayError, sha256 } from '#core';
import { type CreatedToken, tokenShape, type Whoami } from '#core/api';
import { type Store, type TenantScope, tenantRows, tokenRows, userRows } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Actor, type Call, requireRole, scopeOf } from '../call.ts';
import { auditTokenCreated, issueToken } from './tokens.ts';
import { tokenOf, userOf } from './views.ts';

/** The signed-in caller, and the token that the browser keeps. */
export interface Session {
  readonly whoami: Whoami;
  readonly token: string;
}

/**
 * Signs a browser in and returns the caller and the browser's token: the access token that was sent, or one that a sign-in
 * link or invitation is exchanged for. Throws `not_found` if the token is not valid.
 */
export async function createSession(
  store: Store,
  call: Pick<Call, 'request_id' | 'now'>,
  linkToken: string,
): Promise<Session> {
  const token = (await isWorkingToken(store, linkToken, call.now))
    ? linkToken
    : (await acceptInvitation(store, call, linkToken)).token;
  const actor = await findActor(store, token, call.now);
  if (actor === null) throw new AssayError('not_found', 'the token has just been revoked');
  return { whoami: await whoami(store, { ...call, actor }), token };
}

const isWorkingToken = async (store: Store, token: string, now: Date): Promise<boolean> =>
  tokenShape.test(token) && (await findActor(store, token, now)) !== null;

/**
 * Ends a browser session by revoking the token that a sign-in link was exchanged for, and audits this. Other valid tokens are
 * kept; unknown tokens are ignored.
 */
export async function endSession(
  store: Store,
  { request_id, now }: Pick<Call, 'request_id' | 'now'>,
  token: string,
): Promise<void> {
  await store.database.transaction(async () => {
    const found = await tokenRows.findWorkingToken(store.database.sql, sha256(token), now);
    if (found === null || found.token.name !== sessionTokenName) return;
    const { id, tenant_id, user_id, role, name } = found.token;
    await tokenRows.revokeToken({ sql: store.database.sql, tenant_id }, id, now);
    const actor = { tenant_id, token_id: id, user_id, role, name: found.user?.name ?? name };
    await appendAudit(
      store,
      { actor, request_id, now },
      {
        action: 'end_session',
        object_type: 'token',
        object_id: id,
        before: tokenOf(found.token),
        after: tokenOf({ ...found.token, revoked_at: now }),
        detail: { name, role, user_id },
      },
    );
  });
}

/** Lifetime of a sign-in link in seconds. */
const linkLifetime_s = 30 * 60;

/**
 * Creates, audits and returns a one-time token that signs a browser in as the caller, with the same user and role. It can be
 * exchanged once within half an hour and is valid for nothing else.
 */
export async function createSignInLink(store: Store, call: Call): Promise<CreatedToken> {
  requireRole(call, 'viewer');
  return store.database.transaction(async () => {
    const created = await issueToken(scopeOf(store, call), {
      name: signInLinkName,
      role: call.actor.role,
      user_id: call.actor.user_id,
      kind: 'invitation',
      created_by: actorId(call),
      now: call.now,
      expires_in_s: linkLifetime_s,
    });
    await auditTokenCreated(store, call, created);
    return created;
  });
}

/** Name of the browser tokens that sign-in links are exchanged for. */
const sessionTokenName = 'browser session';
/** Name of the one-time tokens that are sign-in links. */
const signInLinkName = 'sign-in link';

/** Lifetime of a browser session in seconds. */
const sessionLifetime_s = 30 * 86_400;

/**
 * Exchanges an invitation for the user's access token, or a sign-in link for a browser token of thirty days, and returns the
 * new token; each works once. No authentication is needed: the holder is the actor in the audit log. Throws the same
 * `not_found` whether the token is unknown, used, revoked or expired.
 */
export async function acceptInvitation(
  store: Store,
  { request_id, now }: Pick<Call, 'request_id' | 'now'>,
  invitation: string,
): Promise<CreatedToken> {
  return store.database.transaction(async () => {
    const taken = await tokenRows.takeInvitation(store.database.sql, sha256(invitation), now);
    const scope: TenantScope = { sql: store.database.sql, tenant_id: taken?.tenant_id ?? '' };
    const user = taken?.user_id == null ? null : await userRows.getUser(scope, taken.user_id);
    const isLink = taken?.name === signInLinkName;
    if (taken === null || (user === null && !isLink)) throw invalidInvitation();
    if (user !== null && !isLink) await userRows.markAccepted(scope, user.id, now);
    const by = user?.id ?? taken.id;
    const created = await issueToken(scope, {
      name: isLink ? sessionTokenName : (user?.email ?? taken.name),
      role: taken.role,
      user_id: taken.user_id,
      kind: 'access',
      created_by: by,
      now,
      expires_in_s: isLink ? sessionLifetime_s : null,
    });
    const actor = {
      tenant_id: taken.tenant_id,
      token_id: taken.id,
      user_id: taken.user_id,
      name: user?.name ?? taken.name,
      role: taken.role,
    };
    const { token: _secret, ...publicFacts } = created;
    await appendAudit(
      store,
      { actor, request_id, now },
      {
        action: isLink ? 'create_session' : 'accept_invitation',
        object_type: isLink ? 'token' : 'user',
        object_id: isLink ? created.id : by,
        before: null,
        after: publicFacts,
        detail: { invitation_id: taken.id, token_id: created.id },
      },
    );
    return created;
  });
}

function invalidInvitation(): AssayError {
  return new AssayError('not_found', 'the invitation or link is invalid, used, revoked or expired', {
    advice: 'run `assay open` for a new link, or ask an admin for a token',
  });
}

/** Smallest interval in ms between two recorded uses of a token. */
const minUseInterval_ms = 60_000;

/**
 * Returns the actor of an access token; null if it is unknown, expired, revoked or an invitation. Takes one indexed
 * query; the use is recorded in the background.
 */
export async function findActor(store: Store, token: string, now: Date): Promise<Actor | null> {
  if (!tokenShape.test(token)) return null;
  const found = await tokenRows.findWorkingToken(store.database.sql, sha256(token), now);
  if (found === null) return null;
  const { id, tenant_id, user_id, role, last_used_at, name } = found.token;
  const recent = new Date(now.getTime() - minUseInterval_ms);
  if (last_used_at === null || last_used_at < recent) {
    recordUse({ sql: store.database.sql, tenant_id }, id, now, recent);
  }
  return { tenant_id, token_id: id, user_id, name: found.user?.name ?? name, role };
}

/** Records a use of a token in the background; errors are ignored, because the next use is recorded again. */
function recordUse(scope: TenantScope, id: string, now: Date, recent: Date): void {
  tokenRows.noteTokenUse(scope, id, now, recent).catch(() => {});
}

/** Returns the tenant, role, token and user of the caller. Throws `not_found` if the token was deleted meanwhile. */
export async function whoami(store: Store, call: Call): Promise<Whoami> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const { tenant_id, token_id, user_id, role } = call.actor;
  const [tenant, token, user] = await Promise.all([
    tenantRows.getTenant(store.database.sql, tenant_id),
    tokenRows.getToken(scope, token_id),
    user_id === null ? null : userRows.getUser(scope, user_id),
  ]);
  if (tenant === null || token === null) throw new AssayError('not_found', 'the token no longer exists');
  return {
    tenant: { id: tenant.id, name: tenant.name },
    role,
    token: tokenOf(token),
    user: user === null ? null : userOf(user),
  };
}
