import { AssayError, canonicalJson, newId } from '#core';
import type {
  CertificationPolicy,
  CertificationPolicyInput,
  PolicyDifference,
  SavedPolicy,
  TargetProfileId,
} from '#core/api';
import { defaultPolicy, metrics, sealPolicy } from '#quality/certification';
import { type PolicyRow, policyRows, projectRows, type Store, type TenantScope } from '#store';
import { actorId, appendAudit } from '../audit/audit-log.ts';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { type Page, pageOfRows, readCursor } from '../page.ts';
import { noProject } from '../projects/views.ts';

/** Lists the versions of a project's policy, newest first. Throws `not_found`. */
export async function listCertificationPolicies(
  store: Store,
  call: Call,
  {
    project_id,
    limit,
    cursor,
  }: { readonly project_id: string; readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<SavedPolicy>> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const before = readCursor(cursor, /^[1-9]\d{0,8}$/);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const page = { project_id, before: before === null ? null : Number(before), limit: limit + 1 };
  const rows = await policyRows.listPolicies(scope, page);
  return pageOfRows(rows, limit, ({ version }) => String(version), savedPolicyOf);
}

/** Returns one version of a project's policy. Throws `not_found`. */
export async function getCertificationPolicy(
  store: Store,
  call: Call,
  { project_id, policy_version }: { readonly project_id: string; readonly policy_version: number },
): Promise<SavedPolicy> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  if ((await projectRows.getProject(scope, project_id)) === null) throw noProject();
  const row = await policyRows.getPolicy(scope, project_id, policy_version);
  if (row === null) throw noPolicy(policy_version);
  return savedPolicyOf(row);
}

/** Returns the default policy of a target, or of the project's target profile. Throws `not_found`. */
export async function getDefaultCertificationPolicy(
  store: Store,
  call: Call,
  { project_id, target }: { readonly project_id: string; readonly target?: TargetProfileId | undefined },
): Promise<CertificationPolicy> {
  requireRole(call, 'viewer');
  const project = await projectRows.getProject(scopeOf(store, call), project_id);
  if (project === null) throw noProject();
  return defaultPolicy(target ?? project.target_profile);
}

/**
 * Saves and audits a new version of a project's policy and returns it. Throws `not_found`, `invalid_request` for a policy that
 * contradicts itself.
 */
export async function createCertificationPolicy(
  store: Store,
  call: Call,
  { project_id, ...input }: CertificationPolicyInput & { readonly project_id: string },
): Promise<SavedPolicy> {
  requireRole(call, 'reviewer');
  // Validated before the lock is taken.
  sealPolicy(input, null);
  return store.database.transaction(async () =>
    savedPolicyOf(await savePolicy(store, call, project_id, input)),
  );
}

/**
 * Saves and audits a new version of a project's policy within the caller's transaction, and returns its row. It locks the
 * project, so concurrent saves get consecutive versions.
 * @throws `not_found`, `invalid_request`
 */
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

interface DiffedPolicies {
  readonly project_id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * Compares two versions of a project's policy. `to` defaults to the policy in effect, `from` to the version before
 * `to`; version 0 is the default policy. Throws `not_found`.
 */
export async function diffCertificationPolicies(
  store: Store,
  call: Call,
  { project_id, from, to }: DiffedPolicies,
): Promise<PolicyDifference> {
  requireRole(call, 'viewer');
  const scope = scopeOf(store, call);
  const project = await projectRows.getProject(scope, project_id);
  if (project === null) throw noProject();
  const other = await policyInEffect(scope, project, to);
  const earlier = from ?? (other.version ?? 1) - 1;
  const one =
    earlier === 0 ? defaultPolicy(project.target_profile) : await policyInEffect(scope, project, earlier);
  const target = one.target === other.target ? null : { from: one.target, to: other.target };
  return { from: one.version, to: other.version, target, metrics: diffMetrics(one, other) };
}

function diffMetrics(one: CertificationPolicy, other: CertificationPolicy): PolicyDifference['metrics'] {
  const boundsOf = (policy: CertificationPolicy) => new Map(policy.metrics.map((row) => [row.metric, row]));
  const [before, after] = [boundsOf(one), boundsOf(other)];
  return metrics.rows.flatMap(({ id: metric }) => {
    const [from, to] = [before.get(metric) ?? null, after.get(metric) ?? null];
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ metric, from, to }];
  });
}

/**
 * Returns the given version of a project's policy, or the newest if `version` is undefined. Without a saved policy it
 * returns the default of the target profile, whose version is null. Throws `not_found`.
 */
export async function policyInEffect(
  scope: TenantScope,
  { id, target_profile }: Pick<projectRows.ProjectRow, 'id' | 'target_profile'>,
  version: number | undefined,
): Promise<CertificationPolicy> {
  const saved = await policyRows.getPolicy(scope, id, version ?? null);
  if (saved !== null) return { ...saved.policy, version: saved.version };
  if (version !== undefined) throw noPolicy(version);
  return defaultPolicy(target_profile);
}

/** Converts a policy row to the API view. */
function savedPolicyOf({ id, project_id, version, policy, created_at, created_by }: PolicyRow): SavedPolicy {
  return { id, project_id, policy: { ...policy, version }, created_at: created_at.toISOString(), created_by };
}

/** Returns the error `not_found` for a missing policy version. */
const noPolicy = (version: number): AssayError =>
  new AssayError('not_found', `the project has no policy version ${version}`, {
    advice: 'list the versions with GET /v1/projects/{project_id}/certification/policies',
  });
