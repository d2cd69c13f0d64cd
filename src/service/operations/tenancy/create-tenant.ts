import { AssayError, newId } from '#core';
import { tenantNameShape } from '#core/api';
import { type Store, tenantRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { systemCall } from './system-call.ts';

export interface Tenant {
  readonly id: string;
  readonly name: string;
}

/**
 * Makes a tenant, whose audit log begins with this. `by` is who asks, as the log shows it. Throws `invalid_request` for
 * a name in another shape, `conflict` for one that is taken.
 */
export async function createTenant(
  store: Store,
  { name, by, now }: { readonly name: string; readonly by: string; readonly now: Date },
): Promise<Tenant> {
  if (!tenantNameShape.test(name)) {
    throw new AssayError('invalid_request', `${JSON.stringify(name)} cannot be a tenant's name`, {
      advice: 'use lower-case letters, digits and hyphens, 63 at most, a letter or digit first',
    });
  }
  const tenant = { id: newId('tnt'), name };
  return store.database.transaction(async () => {
    if (!(await tenantRows.insertTenant(store.database.sql, { ...tenant, created_at: now }))) {
      throw new AssayError('conflict', `there is a tenant called ${name} already`);
    }
    await appendAudit(store, systemCall(tenant.id, by, now), {
      action: 'create_tenant',
      object_type: 'tenant',
      object_id: tenant.id,
      before: null,
      after: tenant,
      detail: { name },
    });
    return tenant;
  });
}

/** The tenant called so, or null. */
export async function findTenant(store: Store, name: string): Promise<Tenant | null> {
  return tenantRows.findTenantByName(store.database.sql, name);
}

/** Every tenant of the installation, by name. */
export async function listTenants(store: Store): Promise<readonly Tenant[]> {
  return tenantRows.listTenants(store.database.sql);
}
