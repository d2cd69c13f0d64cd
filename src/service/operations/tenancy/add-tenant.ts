import type { z } from 'zod';
import { AssayError } from '#core';
import type { CreatedTenant, createTenantSchema } from '#core/api';
import { type Store, tenantRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole } from '../call.ts';
import { defaultTenant } from './bootstrap-tenant.ts';
import { createTenant } from './create-tenant.ts';
import { createToken } from './create-token.ts';
import { systemCall } from './system-call.ts';

/**
 * Makes a tenant with its first token while the service runs, for admins of the tenant that the first start made: they
 * run the installation. Audited in both tenants. Throws `forbidden` for others, `conflict` for a name that is taken.
 */
export async function addTenant(
  store: Store,
  call: Call,
  { name, token }: z.infer<typeof createTenantSchema>,
): Promise<CreatedTenant> {
  requireRole(call, 'admin');
  await requireOperator(store, call);
  const by = call.actor.name;
  return store.database.transaction(async () => {
    const tenant = await createTenant(store, { name, by, now: call.now });
    const created = await createToken(store, systemCall(tenant.id, by, call.now), token);
    await appendAudit(store, call, {
      action: 'create_tenant',
      object_type: 'tenant',
      object_id: tenant.id,
      before: null,
      after: { ...tenant },
      detail: { name, token_id: created.id, role: created.role },
    });
    return { ...tenant, token: created };
  });
}

async function requireOperator(store: Store, { actor }: Call): Promise<void> {
  const own = await tenantRows.findTenantByName(store.database.sql, defaultTenant);
  if (own?.id === actor.tenant_id) return;
  throw new AssayError('forbidden', `this is for admins of the tenant ${defaultTenant}`, {
    advice: 'ask whoever runs this installation',
    details: { required_role: 'admin', role: actor.role, required_tenant: defaultTenant },
  });
}
