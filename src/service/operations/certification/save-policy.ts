import { newId } from '#core';
import type { CertificationPolicyInput, SavedPolicy } from '#core/api';
import { sealPolicy } from '#quality/certification';
import { type PolicyRow, policyRows, projectRows, type Store } from '#store';
import { actorId, appendAudit } from '../audit/append-audit.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { savedPolicyOf } from './views.ts';

/** Saves a new version of a project's policy. Throws `not_found`, `invalid_request` for one that contradicts itself. */
export async function createCertificationPolicy(
  store: Store,
  call: Call,
  { project_id, ...input }: CertificationPolicyInput & { readonly project_id: string },
): Promise<SavedPolicy> {
  requireRole(call, 'reviewer');
  // Refused before anybody waits.
  sealPolicy(input, null);
  return store.database.transaction(async () =>
    savedPolicyOf(await savePolicy(store, call, project_id, input)),
  );
}

/** The same within a transaction: whoever saves another meanwhile waits, and gets the version after. */
export async function savePolicy(
  store: Store,
  call: Call,
  project_id: string,
  input: CertificationPolicyInput,
): Promise<PolicyRow> {
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id, 'update')) === null) throw noProject();
  const before = await policyRows.getPolicy(scope, project_id, null);
  const policy = sealPolicy(input, (before?.version ?? 0) + 1);
  const row: PolicyRow = {
    ...{ tenant_id: scope.tenant_id, id: newId('pol'), project_id },
    version: policy.version ?? 1,
    policy_hash: policy.policy_hash,
    policy,
    created_at: call.now,
    created_by: actorId(call),
  };
  await policyRows.insertPolicy(scope, row);
  await appendAudit(store, call, {
    action: 'create_certification_policy',
    object_type: 'certification_policy',
    object_id: row.id,
    before: before === null ? null : { ...before.policy },
    after: { ...policy },
    detail: { project_id, version: row.version, policy_hash: row.policy_hash },
  });
  return row;
}
