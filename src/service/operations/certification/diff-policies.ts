import { canonicalJson } from '#core';
import type { CertificationPolicy, PolicyDifference } from '#core/api';
import { defaultPolicy, metrics } from '#quality/certification';
import { projectRows, type Store } from '#store';
import { type Call, requireRole, scopeOf } from '../call.ts';
import { noProject } from '../projects/views.ts';
import { policyInEffect } from './policy-in-effect.ts';

interface DiffedPolicies {
  readonly project_id: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** What two versions of a project's policy differ in. Throws `not_found`. */
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
  return { from: one.version, to: other.version, target, metrics: changedMetrics(one, other) };
}

function changedMetrics(one: CertificationPolicy, other: CertificationPolicy): PolicyDifference['metrics'] {
  const boundsOf = (policy: CertificationPolicy) => new Map(policy.metrics.map((row) => [row.metric, row]));
  const [before, after] = [boundsOf(one), boundsOf(other)];
  return metrics.rows.flatMap(({ id: metric }) => {
    const [from, to] = [before.get(metric) ?? null, after.get(metric) ?? null];
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ metric, from, to }];
  });
}
