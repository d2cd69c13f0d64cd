import { canonicalJson, clamp, sha256, significant } from '#core';
import type { Component, Decision, ReadinessSettings, ReceiptFlag } from '#core/api';
import { settingBounds } from '#core/api/bounds';
import type { Finding } from '#core/episode';
import type { Aspect, Check, CheckMeasurement, ComparisonNotes, FlagRow } from './check.ts';
import { checks } from './check-registry.ts';
import { explainMissingEvidence, type StreamSummary } from './missing-evidence.ts';

/**
 * Decision thresholds (docs/checks.md): a score of at least `accept` is accepted, one below `reject` is
 * rejected; below `graded_fraction` the episode goes to review.
 */
export const decisionBounds = { accept: 0.8, reject: 0.5, graded_fraction: 0.6 } as const;

/** Result of one evaluated check: its entry in the receipt and the raised flags. */
export interface CheckResult {
  readonly component: Component;
  readonly flags: readonly ReceiptFlag[];
}

/** Score and decision of an episode. `score` is `null` if no check was scored; `graded_fraction` is 0..1. */
export interface Verdict {
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly decision: Decision;
  readonly decision_reason: string;
}

/**
 * Evaluates one check: the score is its lowest aspect score, `info` flags excluded, and each aspect below the
 * threshold raises a flag; a disabled or unmeasured check gets its reason instead.
 */
export function judgeCheck(
  check: Check,
  measured: CheckMeasurement,
  notes: ComparisonNotes | undefined,
  settings: ResolvedCheck,
): CheckResult {
  const { threshold, weight } = settings;
  if (!settings.enabled)
    return createUnscored(check, { status: 'disabled', reason: 'disabled in the settings' }, settings);
  const values = measured.status === 'measured' ? measured.values : notes && measured.if_noted;
  if (values === undefined) return createUnscored(check, measured as UnscoredReason, settings);
  let score = 1;
  const flags: ReceiptFlag[] = [];
  for (const aspect of check.judge(values, notes ?? emptyNotes)) {
    const aspectScore = significant(clamp(aspect.score, 0, 1));
    const row = findFlagRow(check, aspect.flag);
    if (row.severity !== 'info' && aspectScore < score) score = aspectScore;
    if (aspectScore < threshold) flags.push(createFlag(check, row, aspect, aspectScore, threshold));
  }
  const component: Component =
    notes === undefined
      ? { id: check.id, inputs: values, score, status: 'scored', threshold, weight }
      : {
          compared: notes,
          id: check.id,
          inputs: values,
          score,
          status: 'scored',
          threshold,
          weight,
        };
  return { component, flags };
}

const emptyNotes: ComparisonNotes = {};

type UnscoredReason = Pick<Extract<Component, { reason: string }>, 'status' | 'reason'>;

function createUnscored(
  check: Check,
  { status, reason }: UnscoredReason,
  { threshold, weight }: ResolvedCheck,
): CheckResult {
  return { component: { id: check.id, reason, status, threshold, weight }, flags: [] };
}

function createFlag(
  check: Check,
  row: FlagRow,
  aspect: Aspect,
  score: number,
  threshold: number,
): ReceiptFlag {
  return {
    advice: row.advice,
    check: check.id,
    code: row.code,
    marks: (aspect.marks ?? []).map((mark) => ({
      ...(mark.dimension === undefined ? {} : { dimension: mark.dimension }),
      from_s: significant(mark.from_s, 9),
      stream: mark.stream,
      to_s: significant(mark.to_s, 9),
    })),
    message: aspect.message(),
    observed: significant(aspect.observed),
    score,
    severity: row.severity,
    threshold,
  };
}

function findFlagRow(check: Check, code: string): FlagRow {
  const row = check.flags.find((flag) => flag.code === code);
  if (row === undefined) throw new Error(`check ${check.id} raised ${code}, which it does not declare`);
  return row;
}

/** Fields of a finding that the decision depends on. */
export type FindingSummary = Pick<Finding, 'code' | 'severity'>;

/**
 * Computes an episode's score, graded fraction, decision and reason from its evaluated checks, flags and findings.
 * Score = Σ w·s / Σ w over the scored checks (`null` if none), graded fraction = Σ w scored / Σ w applicable. With
 * `streams`, the reason for too little evidence also names what is missing and which of them could provide it.
 */
export function decide(
  components: readonly Component[],
  flags: readonly ReceiptFlag[],
  findings: readonly FindingSummary[],
  streams?: readonly StreamSummary[],
): Verdict {
  let scoredWeight = 0;
  let applicableWeight = 0;
  let sum = 0;
  for (const component of components) {
    if (component.status === 'scored') {
      scoredWeight += component.weight;
      sum += component.weight * component.score;
    }
    if (component.status === 'scored' || component.status === 'not_assessable')
      applicableWeight += component.weight;
  }
  const score = scoredWeight > 0 ? significant(sum / scoredWeight) : null;
  const graded_fraction = applicableWeight > 0 ? significant(scoredWeight / applicableWeight) : 0;
  const explain = () => (streams === undefined ? '' : explainMissingEvidence(components, streams));
  return {
    score,
    graded_fraction,
    ...applyDecisionRule(score, graded_fraction, { flags, findings, explain }),
  };
}

interface DecisionInputs {
  readonly flags: readonly ReceiptFlag[];
  readonly findings: readonly FindingSummary[];
  readonly explain: () => string;
}

/**
 * Applies the decision rule. Reject: a blocking flag or finding, or a score below 0.5. Review: a warning flag
 * or an error finding, less than 60 % of the weight graded, or a score below 0.8. Accept: everything else.
 * `info` has no influence. `explain` says what evidence is missing.
 */
function applyDecisionRule(
  score: number | null,
  gradedFraction: number,
  { flags, findings, explain }: DecisionInputs,
): { decision: Decision; decision_reason: string } {
  const { accept, reject, graded_fraction } = decisionBounds;
  const blocking = joinCodes([
    ...filterBySeverity(findings, 'blocking'),
    ...filterBySeverity(flags, 'blocking'),
  ]);
  const failed = joinCodes([...filterBySeverity(findings, 'error'), ...filterBySeverity(flags, 'warning')]);
  const because = failed === '' ? '' : `; failed: ${failed}`;
  if (blocking !== '') return { decision: 'reject', decision_reason: `blocking: ${blocking}${because}` };
  if (score === null) return { decision: 'review', decision_reason: `no check could be scored${because}` };
  if (score < reject)
    return { decision: 'reject', decision_reason: `score ${score} is below ${reject}${because}` };
  if (failed !== '') return { decision: 'review', decision_reason: `failed: ${failed}` };
  if (gradedFraction < graded_fraction)
    return {
      decision: 'review',
      // Rounded down, so that a value below the limit is not shown as reaching it.
      decision_reason: `not enough evidence: checks with ${Math.floor(100 * gradedFraction)} % of the applicable weight could run (${100 * graded_fraction} % required)${explain()}`,
    };
  if (score < accept) return { decision: 'review', decision_reason: `score ${score} is below ${accept}` };
  return { decision: 'accept', decision_reason: `score ${score} is at least ${accept} and no check failed` };
}

function filterBySeverity<Row extends { readonly severity: string }>(
  rows: readonly Row[],
  severity: Row['severity'],
): readonly Row[] {
  return rows.filter((row) => row.severity === severity);
}

/** Joins the distinct codes, comma-separated; several streams may raise the same code. */
function joinCodes(rows: readonly { readonly code: string }[]): string {
  return [...new Set(rows.map(({ code }) => code))].join(', ');
}

/** Effective settings of one check: defaults combined with the user's settings, within bounds. */
export interface ResolvedCheck {
  readonly enabled: boolean;
  readonly threshold: number;
  readonly weight: number;
}

/** Effective settings of all checks, with their hash. */
export interface ResolvedSettings {
  /** Effective settings by check id; every registered check has an entry. */
  readonly checks: Readonly<Record<string, ResolvedCheck>>;
  /** Ids of the loaders that the user asks for, sorted and without duplicates; empty: chosen by format and files. */
  readonly loaders: readonly string[];
  /** SHA-256 of the canonical JSON of `checks`, and of `loaders` if there are any. Equal hashes give equal evaluations. */
  readonly settings_hash: string;
}

/**
 * Returns threshold, weight and state of every check from user settings, defaults for the rest, and the hash of all;
 * offsets and factors out of bounds are clamped, unknown check ids ignored. Stored settings may outlive a check.
 */
export function resolveSettings(settings: ReadinessSettings = {}): ResolvedSettings {
  const resolved: Record<string, ResolvedCheck> = {};
  for (const check of checks) {
    const override = settings.checks?.[check.id];
    const offset = clamp(override?.threshold_offset ?? 0, ...settingBounds.threshold_offset);
    const factor = clamp(override?.weight_factor ?? 1, ...settingBounds.weight_factor);
    resolved[check.id] = {
      enabled: override?.enabled ?? true,
      threshold: significant(clamp(check.threshold.value + offset, 0, 1)),
      weight: significant(check.weight * factor),
    };
  }
  const loaders = [...new Set(settings.loaders)].sort();
  return { checks: resolved, loaders, settings_hash: hashSettings(resolved, loaders) };
}

/** Returns the SHA-256 of the canonical JSON of resolved settings; an empty list of loaders is not part of it. */
export function hashSettings(
  resolved: Readonly<Record<string, ResolvedCheck>>,
  loaders: readonly string[] = [],
): string {
  return sha256(canonicalJson({ checks: resolved, ...(loaders.length === 0 ? {} : { loaders }) }));
}
