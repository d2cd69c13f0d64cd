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
  throw new AssayError('not_found', `there is no tenant called ${name}`, {
    advice:
      name === defaultTenant
        ? 'the first `assay serve` makes it'
        : 'check the name, or add --new-tenant to `assay token create` to make it',
  });
}
