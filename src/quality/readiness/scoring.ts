import { clamp, significant } from '#core';
import type { Component, Decision, ReceiptFlag } from '#core/api';
import type { Finding } from '#core/episode';
import type { Aspect, Check, ComparedNotes, FlagRow, Measured } from './check.ts';
import type { ResolvedCheck } from './settings.ts';

/** Decision boundaries (docs/checks.md): at least `accept` is accepted, below `reject` is rejected. */
export const decisionBounds = { accept: 0.8, reject: 0.5, graded_fraction: 0.6 } as const;

export interface JudgedCheck {
  readonly component: Component;
  readonly flags: readonly ReceiptFlag[];
}

export interface Verdict {
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly decision: Decision;
  readonly decision_reason: string;
}

/**
 * Judges one check's measurement: the score is the least of its aspects', those of `info` flags left out; each aspect
 * below the threshold raises its flag.
 */
export function judgeCheck(
  check: Check,
  measured: Measured,
  notes: ComparedNotes | undefined,
  settings: ResolvedCheck,
): JudgedCheck {
  const { threshold, weight } = settings;
  if (!settings.enabled)
    return unscored(check, { status: 'disabled', reason: 'switched off in the settings' }, settings);
  const values = measured.status === 'measured' ? measured.values : notes && measured.if_noted;
  if (values === undefined) return unscored(check, measured as Why, settings);
  let score = 1;
  const flags: ReceiptFlag[] = [];
  for (const aspect of check.judge(values, notes ?? noNotes)) {
    const aspectScore = significant(clamp(aspect.score, 0, 1));
    const row = flagRow(check, aspect.flag);
    if (row.severity !== 'info' && aspectScore < score) score = aspectScore;
    if (aspectScore < threshold) flags.push(raise(check, row, aspect, aspectScore, threshold));
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

const noNotes: ComparedNotes = {};

type Why = Pick<Extract<Component, { reason: string }>, 'status' | 'reason'>;

function unscored(check: Check, { status, reason }: Why, { threshold, weight }: ResolvedCheck): JudgedCheck {
  return { component: { id: check.id, reason, status, threshold, weight }, flags: [] };
}

function raise(check: Check, row: FlagRow, aspect: Aspect, score: number, threshold: number): ReceiptFlag {
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

function flagRow(check: Check, code: string): FlagRow {
  const row = check.flags.find((flag) => flag.code === code);
  if (row === undefined) throw new Error(`check ${check.id} raised ${code}, which it does not declare`);
  return row;
}

/** What deciding needs of a finding. */
export type SeenFinding = Pick<Finding, 'code' | 'severity'>;

/** Score = Σ w·s / Σ w over the scored checks; graded fraction = Σ w scored / Σ w applicable; decision and why. */
export function decide(
  components: readonly Component[],
  flags: readonly ReceiptFlag[],
  findings: readonly SeenFinding[],
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
  return { score, graded_fraction, ...decisionOf(score, graded_fraction, flags, findings) };
}

/**
 * The one rule. Reject: something blocks, or the score is below 0.5. Review: something failed, less than 60 % could be
 * graded, or the score is below 0.8. Accept: the rest. What is `info` is said and decides nothing.
 */
function decisionOf(
  score: number | null,
  gradedFraction: number,
  flags: readonly ReceiptFlag[],
  findings: readonly SeenFinding[],
): { decision: Decision; decision_reason: string } {
  const { accept, reject, graded_fraction } = decisionBounds;
  const blocking = codesOf([...withSeverity(findings, 'blocking'), ...withSeverity(flags, 'blocking')]);
  const failed = codesOf([...withSeverity(findings, 'error'), ...withSeverity(flags, 'warning')]);
  const because = failed === '' ? '' : `; failed: ${failed}`;
  if (blocking !== '') return { decision: 'reject', decision_reason: `blocking: ${blocking}${because}` };
  if (score === null) return { decision: 'review', decision_reason: `nothing could be graded${because}` };
  if (score < reject)
    return { decision: 'reject', decision_reason: `score ${score} is below ${reject}${because}` };
  if (failed !== '') return { decision: 'review', decision_reason: `failed: ${failed}` };
  if (gradedFraction < graded_fraction)
    return {
      decision: 'review',
      // Rounded down: what falls short must not read as enough.
      decision_reason: `only ${Math.floor(100 * gradedFraction)} % of the applicable weight could be graded; ${100 * graded_fraction} % are needed to accept`,
    };
  if (score < accept) return { decision: 'review', decision_reason: `score ${score} is below ${accept}` };
  return { decision: 'accept', decision_reason: `score ${score} is at least ${accept} and nothing failed` };
}

function withSeverity<Row extends { readonly severity: string }>(
  rows: readonly Row[],
  severity: Row['severity'],
): readonly Row[] {
  return rows.filter((row) => row.severity === severity);
}

/** Each once: several streams may raise the same. */
function codesOf(rows: readonly { readonly code: string }[]): string {
  return [...new Set(rows.map(({ code }) => code))].join(', ');
}
