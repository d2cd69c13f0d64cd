import { AssayError, canonicalJson, sha256 } from '#core';
import type { CertificationPolicy, CertificationPolicyInput, MetricBounds } from '#core/api';
import { metricOf, metrics } from '../metric-registry.ts';

const schema = 'assay/certification-policy/v1';

/** Adds version and hash to a policy. Sorts the metrics by the registry, so that equal policies have equal hashes. */
export function sealPolicy(input: CertificationPolicyInput, version: number | null): CertificationPolicy {
  const metrics = requireConsistentPolicy(input);
  const body = { schema, target: input.target, metrics } as const;
  return { ...body, version, policy_hash: sha256(canonicalJson(body)) };
}

interface PointedError {
  readonly pointer: string;
  readonly message: string;
}

/** Returns the metrics in the registry's order; throws `invalid_request` with all contradictions. */
function requireConsistentPolicy({ metrics: rows }: CertificationPolicyInput): MetricBounds[] {
  const seenMetrics = new Set<string>();
  const errors = rows.flatMap((row, i) => {
    const isRepeated = seenMetrics.has(row.metric);
    seenMetrics.add(row.metric);
    const at = `/metrics/${i}`;
    return isRepeated
      ? [{ pointer: `${at}/metric`, message: `${row.metric} is listed twice` }]
      : findBoundsErrors(row, at);
  });
  if (!rows.some(({ need }) => need !== 'advisory'))
    errors.push({ pointer: '/metrics', message: 'all metrics are advisory: at least one must be counted' });
  if (errors.length > 0) throw createPolicyError(errors);
  const registryIndex = new Map<string, number>(metrics.ids.map((id, i) => [id, i]));
  return rows.toSorted((a, b) => (registryIndex.get(a.metric) ?? 0) - (registryIndex.get(b.metric) ?? 0));
}

function findBoundsErrors(
  { metric: id, unit, direction, ideal, review }: MetricBounds,
  at: string,
): PointedError[] {
  const metric = metricOf(id);
  const errors: PointedError[] = [];
  if (unit !== metric.unit)
    errors.push({ pointer: `${at}/unit`, message: `${id} is measured in ${metric.unit}, not in ${unit}` });
  if (direction !== metric.direction)
    errors.push({
      pointer: `${at}/direction`,
      message: `the direction of ${id} must be ${metric.direction}`,
    });
  if (direction === 'lower_is_better' ? ideal > review : ideal < review)
    errors.push({
      pointer: `${at}/review`,
      message: `the review boundary of ${id} (${review}) is stricter than its ideal boundary (${ideal})`,
    });
  return errors;
}

function createPolicyError(errors: readonly PointedError[]): AssayError {
  const [{ pointer, message }] = errors;
  return new AssayError('invalid_request', `invalid policy: ${pointer}: ${message}`, {
    place: pointer,
    advice: 'see docs/certification.md for the metrics with their units and directions',
    details: { errors: errors.map((error) => ({ ...error })) },
  });
}
