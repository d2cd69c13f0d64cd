import { AssayError } from '#core';
import { type Call, defaultTenant, findTenant, systemCall } from '#service/operations';
import type { Store } from '#store';

/** What the audit log shows where somebody used the command line. */
export const commandLine = 'command line';

/** Whoever owns the data folder or the database may do anything in every tenant. Throws `not_found`. */
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
