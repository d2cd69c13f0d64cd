import { canonicalJson } from '#core';
import type { CertificationMetricId, CertificationPolicy, MetricBounds, TargetProfileId } from '#core/api';

/** Metric whose bounds differ between two policies. */
interface PolicyChange {
  readonly metric: CertificationMetricId;
  /** null if the policy does not contain the metric. */
  readonly before: MetricBounds | null;
  readonly after: MetricBounds | null;
}

/** Differences between two policies. */
export interface PolicyDiff {
  /** null if both policies have the same target. */
  readonly target: { readonly before: TargetProfileId; readonly after: TargetProfileId } | null;
  readonly changes: readonly PolicyChange[];
}

/**
 * Lists the metrics whose bounds differ between two policies, in the order of `before`, then those that `after`
 * adds; and the target if it differs.
 */
export function diffPolicies(before: CertificationPolicy, after: CertificationPolicy): PolicyDiff {
  const boundsBefore = new Map(before.metrics.map((bounds) => [bounds.metric, bounds]));
  const boundsAfter = new Map(after.metrics.map((bounds) => [bounds.metric, bounds]));
  const ids = new Set([...boundsBefore.keys(), ...boundsAfter.keys()]);
  const changes = [...ids].flatMap((metric) => {
    const change = {
      metric,
      before: boundsBefore.get(metric) ?? null,
      after: boundsAfter.get(metric) ?? null,
    };
    return canonicalJson(change.before) === canonicalJson(change.after) ? [] : [change];
  });
  const target = before.target === after.target ? null : { before: before.target, after: after.target };
  return { target, changes };
}
