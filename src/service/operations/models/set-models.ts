import { canonicalJson } from '#core';
import type { ModelRegistry } from '#core/api';
import { readTenantModels } from '#labels/models';
import { type Store, tenantModelRows } from '#store';
import { appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { registryView } from './surface-view.ts';
import { vettedModels } from './vetted-models.ts';

/**
 * Stores which models all projects of the tenant use, unless they choose their own, and audits it as a change of
 * policy. Throws `invalid_request` for a model that is no option.
 */
export async function setModels(
  store: Store,
  call: Call,
  asked: { readonly models: Readonly<Record<string, string>> },
): Promise<ModelRegistry> {
  requireRole(call, 'admin');
  const scope = scopeOf(store, call);
  const to = { ...vettedModels(asked.models) };
  await store.database.transaction(async () => {
    await tenantModelRows.ensureTenantModels(scope, call.now);
    const from = { ...readTenantModels((await tenantModelRows.getTenantModels(scope, 'update'))?.models) };
    if (canonicalJson(from) === canonicalJson(to)) return;
    await tenantModelRows.setTenantModels(scope, to, call.now);
    await appendAudit(store, call, {
      action: 'set_models',
      object_type: 'annotation_policy',
      object_id: scope.tenant_id,
      before: from,
      after: to,
      detail: { change: 'policy', stored: { from, to } },
    });
  });
  return registryView(store, to, null);
}
