import { canonicalJson } from '#core';
import type { CertificationMetricId, CertificationPolicy, MetricBounds, TargetProfileId } from '#core/api';

/** What one policy says of a metric and another does not. */
interface PolicyChange {
  readonly metric: CertificationMetricId;
  /** null: the policy does not name the metric. */
  readonly before: MetricBounds | null;
  readonly after: MetricBounds | null;
}

export interface PolicyDiff {
  /** null: both are for the same. */
  readonly target: { readonly before: TargetProfileId; readonly after: TargetProfileId } | null;
  readonly changes: readonly PolicyChange[];
}

/** What changes from one policy to another, metric by metric, in the order of the registry. */
export function diffPolicies(before: CertificationPolicy, after: CertificationPolicy): PolicyDiff {
  const was = new Map(before.metrics.map((bounds) => [bounds.metric, bounds]));
  const is = new Map(after.metrics.map((bounds) => [bounds.metric, bounds]));
  const ids = new Set([...was.keys(), ...is.keys()]);
  const changes = [...ids].flatMap((metric) => {
    const change = { metric, before: was.get(metric) ?? null, after: is.get(metric) ?? null };
    return canonicalJson(change.before) === canonicalJson(change.after) ? [] : [change];
  });
  const target = before.target === after.target ? null : { before: before.target, after: after.target };
  return { target, changes };
}
