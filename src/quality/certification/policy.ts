import type { z } from 'zod';
import { AssayError, canonicalJson, sha256 } from '#core';
import {
  type CertificationMetricId,
  type CertificationPolicy,
  type CertificationPolicyInput,
  certificationPolicyInputSchema,
  certificationPolicySchema,
  type MetricBounds,
  type RequirementId,
  type TargetProfileId,
} from '#core/api';
import { targetProfile } from '#quality/use-cases';
import { metricOf, metrics } from './metric-registry.ts';

/**
 * Parses a handwritten policy, or a saved one with version and hash; throws `invalid_request` for an invalid one and
 * `hash_mismatch` for a saved one that was changed. The error lists the faults with their JSON pointers.
 */
export function parsePolicy(document: unknown): CertificationPolicy {
  const saved = certificationPolicySchema.safeParse(document);
  if (!saved.success)
    return sealPolicy(requirePolicyInput(certificationPolicyInputSchema.safeParse(document)), null);
  const { target, metrics, version, policy_hash } = saved.data;
  const policy = sealPolicy({ target, metrics }, version);
  if (policy.policy_hash === policy_hash) return policy;
  throw new AssayError(
    'hash_mismatch',
    `policy_hash mismatch: the policy says ${policy_hash} but hashes to ${policy.policy_hash}`,
    {
      advice: 'download the policy again, or remove version and policy_hash to create a new policy',
    },
  );
}

function requirePolicyInput(read: z.ZodSafeParseResult<CertificationPolicyInput>): CertificationPolicyInput {
  if (read.success) return read.data;
  const errors = read.error.issues.map(({ path, message }) => ({
    pointer: `/${path.map(String).join('/')}`,
    message,
  }));
  throw new AssayError('invalid_request', `invalid policy: ${errors[0].pointer}: ${errors[0].message}`, {
    place: errors[0].pointer,
    advice: 'see docs/certification.md for an example; assay certify PATH --out DIR writes a policy',
    details: { errors },
  });
}

const policySchema = 'assay/certification-policy/v1';

/**
 * Adds version and hash to a policy, with its metrics sorted as in the registry; throws `invalid_request` if its
 * metrics are inconsistent. Equal policies have equal hashes, which do not cover the version.
 */
export function sealPolicy(input: CertificationPolicyInput, version: number | null): CertificationPolicy {
  const metrics = requireConsistentPolicy(input);
  const body = { schema: policySchema, target: input.target, metrics } as const;
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
      message: `the review threshold of ${id} (${review}) is stricter than its ideal threshold (${ideal})`,
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

/** Returns the default policy of a target: the same thresholds for all targets, and needs that follow from the target's requirements. */
export function defaultPolicy(target: TargetProfileId): CertificationPolicy {
  const levels = new Map(targetProfile(target).requirements.map(({ id, level }) => [id, level]));
  const rows = metrics.rows.map(
    ({ id, unit, direction, boundaries }): MetricBounds => ({
      metric: id,
      need: resolveNeed(metricConditions[id], levels),
      unit,
      direction,
      ...boundaries,
    }),
  );
  return sealPolicy({ target, metrics: rows }, null);
}

type Levels = ReadonlyMap<RequirementId, 'required' | 'helps'>;

/**
 * Rule for the need of a metric. Object: the requirement (`of`) that the metric is evidence for, and the need (`most`) it
 * gets if the target requires it; `if_present` if it only helps the target, advisory otherwise. `present`: always
 * `if_present`. `never`: always advisory.
 */
type Condition =
  | { readonly of: RequirementId; readonly most: 'required' | 'if_present' }
  | 'present'
  | 'never';

const required = (of: RequirementId): Condition => ({ of, most: 'required' });
const optional = (of: RequirementId): Condition => ({ of, most: 'if_present' });

const metricConditions: Readonly<Record<CertificationMetricId, Condition>> = {
  'format.loadable': 'present',
  'timeline.monotonic': required('time'),
  'timeline.gap_ratio': optional('time'),
  'timeline.jitter': optional('time'),
  'sync.overlap': optional('time'),
  'sync.content_lag': 'never',
  'kinematics.violations': required('actions'),
  'kinematics.frozen_ratio': required('actions'),
  'action.saturation': required('actions'),
  'gripper.convention': optional('actions'),
  'calibration.drift': 'never',
  'camera.coverage': required('cameras'),
  'camera.frozen_frames': optional('cameras'),
  'image.decodable': required('cameras'),
  'image.blur': required('cameras'),
  'image.exposure': required('cameras'),
  'image.duplicates': optional('cameras'),
  'stereo.reprojection': 'never',
  'language.instruction_present': required('instructions'),
  'language.caption_coverage': 'never',
  'language.caption_boundaries': 'never',
  'language.caption_video_agreement': 'never',
  'annotation.coverage': required('labels'),
  'split.leakage': 'present',
};

function resolveNeed(condition: Condition, levels: Levels): MetricBounds['need'] {
  if (condition === 'never') return 'advisory';
  if (condition === 'present') return 'if_present';
  const level = levels.get(condition.of);
  if (level === undefined) return 'advisory';
  return level === 'required' ? condition.most : 'if_present';
}

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
