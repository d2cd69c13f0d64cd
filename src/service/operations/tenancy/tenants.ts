import type { z } from 'zod';
import { AssayError, newId, sha256 } from '#core';
import { type CreatedTenant, type createTenantSchema, tenantNameShape, tokenShape } from '#core/api';
import { adminTokenFile, readAdminToken, type Store, tenantRows, tokenRows, writeAdminToken } from '#store';
import { appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, systemCall } from '../call.ts';
import { auditTokenCreated, createToken, issueToken, newSecretToken } from './tokens.ts';

/** A tenant of the installation. */
export interface Tenant {
  readonly id: string;
  readonly name: string;
}

/**
 * Creates and returns a tenant; its audit log begins with this action. `by` is the actor in the log. Throws `invalid_request`
 * for a malformed name, `conflict` for one that is taken.
 */
export async function createTenant(
  store: Store,
  { name, by, now }: { readonly name: string; readonly by: string; readonly now: Date },
): Promise<Tenant> {
  if (!tenantNameShape.test(name)) {
    throw new AssayError('invalid_request', `invalid tenant name ${JSON.stringify(name)}`, {
      advice: 'use 1–63 lower-case letters, digits and hyphens, starting with a letter or digit',
    });
  }
  const tenant = { id: newId('tnt'), name };
  return store.database.transaction(async () => {
    if (!(await tenantRows.insertTenant(store.database.sql, { ...tenant, created_at: now }))) {
      throw new AssayError('conflict', `a tenant named ${name} already exists`);
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

/** Returns a tenant by name; null if there is none. */
export async function findTenant(store: Store, name: string): Promise<Tenant | null> {
  return tenantRows.findTenantByName(store.database.sql, name);
}

/** Lists all tenants of the installation by name. */
export async function listTenants(store: Store): Promise<readonly Tenant[]> {
  return tenantRows.listTenants(store.database.sql);
}

/**
 * Creates a tenant with its first token and returns both, for admins of the default tenant, who operate the installation.
 * Audited in both tenants. Throws `forbidden` for others, `conflict` for a name that is taken.
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
  const operatorTenant = await tenantRows.findTenantByName(store.database.sql, defaultTenant);
  if (operatorTenant?.id === actor.tenant_id) return;
  throw new AssayError('forbidden', `only admins of the tenant ${defaultTenant} can do this`, {
    advice: 'ask the operator of this installation',
    details: { required_role: 'admin', role: actor.role, required_tenant: defaultTenant },
  });
}

/** Input of the first start. */
interface BootstrapInput {
  readonly data_folder: string;
  /** Preset admin token, in the format of every token; a random one is generated if null or undefined. */
  readonly bootstrap_token?: string | null;
  readonly now: Date;
}

/** Tenant and admin token of an installation. */
export interface BootstrapResult {
  readonly tenant_id: string;
  /** Whether this start created the tenant. */
  readonly first_start: boolean;
  /** Admin token to print once; null on later starts and if it was preset. */
  readonly token: string | null;
  /** File with a valid admin token of the tenant; null if there is none. */
  readonly token_file: string | null;
  /**
   * Warning for the terminal if the preset token is not valid, because it is used on the first start only; else null.
   */
  readonly warning: string | null;
}

/** Name of the tenant that the first start creates. */
export const defaultTenant = 'default';
const bootstrapActor = 'first start';

/**
 * Creates the default tenant and its admin token on the first start and returns them; on later starts only reports them,
 * without the token. Throws `usage` for a malformed preset token. The token file is on disk before the commit: a process
 * killed before the commit starts over, one killed after it leaves the valid token. Nothing is created if the file cannot be
 * written. Of concurrent starts on one database only one creates the tenant.
 */
export async function bootstrapTenant(store: Store, input: BootstrapInput): Promise<BootstrapResult> {
  const preset = input.bootstrap_token ?? null;
  if (preset !== null && !tokenShape.test(preset)) throw malformedPresetToken();
  const { sql } = store.database;
  const existing = await tenantRows.findTenantByName(sql, defaultTenant);
  if (existing !== null) return describeLaterStart(store, input, existing.id);
  return store.database.transaction(async () => {
    await tenantRows.lockBootstrap(store.database);
    const createdMeanwhile = await tenantRows.findTenantByName(sql, defaultTenant);
    if (createdMeanwhile !== null) return describeLaterStart(store, input, createdMeanwhile.id);
    const token = preset ?? newSecretToken();
    const tenant_id = await createFirstTenant(store, token, input.now);
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

async function createFirstTenant(store: Store, token: string, now: Date): Promise<string> {
  const { id: tenant_id } = await createTenant(store, { name: defaultTenant, by: bootstrapActor, now });
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
  await auditTokenCreated(store, systemCall(tenant_id, bootstrapActor, now), created);
  return tenant_id;
}

async function describeLaterStart(
  store: Store,
  input: BootstrapInput,
  tenant_id: string,
): Promise<BootstrapResult> {
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
        : 'the preset admin token is not a token of this installation; it is used only on the first start. Create another with `assay token create --role admin`',
  };
}

function malformedPresetToken(): AssayError {
  return new AssayError('usage', 'the preset admin token must be asy_ followed by 43 letters or digits', {
    advice: 'generate one with: echo asy_$(openssl rand -base64 99 | tr -dc A-Za-z0-9 | head -c 43)',
  });
}
