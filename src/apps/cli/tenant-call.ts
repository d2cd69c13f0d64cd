import { AssayError } from '#core';
import { type Call, defaultTenant, findTenant, systemCall } from '#service/operations';
import type { Store } from '#store';

/** Actor name in the audit log for changes made on the command line. */
export const commandLine = 'command line';

/**
 * Returns a call with full rights in a tenant, since the owner of the data folder or database may do anything. Throws
 * `not_found` for an unknown tenant.
 */
export async function callInTenant(store: Store, name: string): Promise<Call> {
  const tenant = await findTenant(store, name);
  if (tenant !== null) return systemCall(tenant.id, commandLine, new Date());
  throw new AssayError('not_found', `no tenant named ${name}`, {
    advice:
      name === defaultTenant
        ? 'run `assay serve` once to create it'
        : 'check the name, or create it with `assay token create --new-tenant`',
  });
}
