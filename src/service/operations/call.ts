import { AssayError } from '#core';
import { type Role, roleReaches } from '#core/api';
import type { Store, TenantScope } from '#store';

/** Who calls: a token's holder, or the command line of whoever owns the data folder. */
export interface Actor {
  readonly tenant_id: string;
  readonly token_id: string;
  readonly user_id: string | null;
  readonly name: string;
  readonly role: Role;
}

/** One call of a use case: every one is `verbNoun(store, call, input)`. */
export interface Call {
  readonly actor: Actor;
  readonly request_id: string;
  readonly now: Date;
}

/** The caller's tenant, for repositories. */
export function scopeOf(store: Store, call: Call): TenantScope {
  return { sql: store.database.sql, tenant_id: call.actor.tenant_id };
}

/** Throws `forbidden` naming both roles; the edges check before, this holds wherever a use case is called from. */
export function requireRole(call: Call, required: Role): void {
  const { role } = call.actor;
  if (roleReaches(role, required)) return;
  throw new AssayError('forbidden', `this needs the role ${required}; the token has ${role}`, {
    advice: `ask an admin for a token with the role ${required}`,
    details: { required_role: required, role },
  });
}
