import { AssayError, sha256 } from '#core';
import { tokenShape } from '#core/api';
import { adminTokenFile, readAdminToken, type Store, tenantRows, tokenRows, writeAdminToken } from '#store';
import { createTenant } from './create-tenant.ts';
import { auditCreated } from './create-token.ts';
import { issueToken, newSecretToken } from './issue-token.ts';
import { systemCall } from './system-call.ts';

export interface BootstrapInput {
  readonly data_folder: string;
  /** Admin token of the first start instead of a random one, in the shape of every token. */
  readonly bootstrap_token?: string | null;
  readonly now: Date;
}

export interface Bootstrapped {
  readonly tenant_id: string;
  /** Whether the tenant was made now. */
  readonly first_start: boolean;
  /** To be printed this once; null on later starts, and where it was preset. */
  readonly token: string | null;
  /** File with an admin token of the tenant that works now; null where there is none. */
  readonly token_file: string | null;
  /** For the terminal: the preset token is not one that works, since it is taken on the first start only. */
  readonly warning: string | null;
}

/** Tenant that the first start makes. */
export const defaultTenant = 'default';
const by = 'first start';

/**
 * On the first start makes the tenant and its admin token. The token is in its file, on the disk, before the commit:
 * killed before it, the next start finds no tenant and begins again, over the file; killed after it, the file has the
 * token that works. Where the file cannot be written nothing is made. Of processes that start at once on one database
 * one does it.
 */
export async function bootstrapTenant(store: Store, input: BootstrapInput): Promise<Bootstrapped> {
  const preset = input.bootstrap_token ?? null;
  if (preset !== null && !tokenShape.test(preset)) throw misshapen();
  const { sql } = store.database;
  const there = await tenantRows.findTenantByName(sql, defaultTenant);
  if (there !== null) return laterStart(store, input, there.id);
  return store.database.transaction(async () => {
    await tenantRows.lockBootstrap(store.database);
    const meanwhile = await tenantRows.findTenantByName(sql, defaultTenant);
    if (meanwhile !== null) return laterStart(store, input, meanwhile.id);
    const token = preset ?? newSecretToken();
    const tenant_id = await makeTenant(store, token, input.now);
    writeAdminToken(input.data_folder, token);
    return {
      tenant_id,
      first_start: true,
      token: preset === null ? token : null,
      token_file: adminTokenFile(input.data_folder),
      warning: null,
    };
  });
}

async function makeTenant(store: Store, token: string, now: Date): Promise<string> {
  const { id: tenant_id } = await createTenant(store, { name: defaultTenant, by, now });
  const created = await issueToken(
    { sql: store.database.sql, tenant_id },
    {
      name: 'first admin',
      role: 'admin',
      user_id: null,
      kind: 'access',
      created_by: 'system',
      now,
      expires_in_s: null,
      preset: token,
    },
  );
  await auditCreated(store, systemCall(tenant_id, by, now), created);
  return tenant_id;
}

async function laterStart(store: Store, input: BootstrapInput, tenant_id: string): Promise<Bootstrapped> {
  const opens = async (token: string | null) => {
    if (token === null) return false;
    const found = await tokenRows.findWorkingToken(store.database.sql, sha256(token), input.now);
    return found?.token.tenant_id === tenant_id && found.token.role === 'admin';
  };
  const preset = input.bootstrap_token ?? null;
  return {
    tenant_id,
    first_start: false,
    token: null,
    token_file: (await opens(readAdminToken(input.data_folder))) ? adminTokenFile(input.data_folder) : null,
    warning:
      preset === null || (await opens(preset))
        ? null
        : 'the preset admin token is not one of this installation: it is taken on the first start only; `assay token create --role admin` makes another',
  };
}

function misshapen(): AssayError {
  return new AssayError('usage', 'the preset admin token must be asy_ and 43 letters or digits', {
    advice: 'make one with: echo asy_$(openssl rand -base64 99 | tr -dc A-Za-z0-9 | head -c 43)',
  });
}
