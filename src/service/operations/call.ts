import { AssayError, newId } from '#core';
import { type Role, roleReaches } from '#core/api';
import type { Store, TenantScope } from '#store';

/** The caller: the holder of a token, or the command line of the owner of the data folder. */
export interface Actor {
  readonly tenant_id: string;
  readonly token_id: string;
  readonly user_id: string | null;
  readonly name: string;
  readonly role: Role;
}

/** One call of an operation; every operation has the signature `verbNoun(store, call, input)`. */
export interface Call {
  readonly actor: Actor;
  readonly request_id: string;
  readonly now: Date;
}

/** Returns the caller's tenant scope for repositories. */
export function scopeOf(store: Store, call: Call): TenantScope {
  return { sql: store.database.sql, tenant_id: call.actor.tenant_id };
}

/**
 * Throws `forbidden` naming both roles unless the caller has the required role. HTTP and MCP check it too; this check
 * holds for every caller.
 */
export function requireRole(call: Call, required: Role): void {
  const { role } = call.actor;
  if (roleReaches(role, required)) return;
  throw new AssayError('forbidden', `this requires the ${required} role; the token has the ${role} role`, {
    advice: `ask an admin for a token with the role ${required}`,
    details: { required_role: required, role },
  });
}

/**
 * Returns a call with admin rights in a tenant, for the first start and the command line. `name` is the actor in the
 * audit log.
 */
export function systemCall(tenant_id: string, name: string, now: Date): Call {
  return {
    actor: { tenant_id, token_id: 'system', user_id: null, name, role: 'admin' },
    request_id: newId('req'),
    now,
  };
}
