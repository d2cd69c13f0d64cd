import type { Component, Decision, ReceiptFlag } from '#contract';
import { clamp, significant } from '#kernel';
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

/** Judges one check's measurement: the score is the least of its aspects', each aspect below the threshold a flag. */
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
    if (aspectScore < score) score = aspectScore;
    if (aspectScore < threshold) flags.push(raise(check, aspect, aspectScore, threshold));
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

function raise(check: Check, aspect: Aspect, score: number, threshold: number): ReceiptFlag {
  const row = flagRow(check, aspect.flag);
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

/** Score = Σ w·s / Σ w over the scored checks; graded fraction = Σ w scored / Σ w applicable; decision and why. */
export function decide(components: readonly Component[], flags: readonly ReceiptFlag[]): Verdict {
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
  return { score, graded_fraction, ...decisionOf(score, graded_fraction, flags) };
}

function decisionOf(
  score: number | null,
  gradedFraction: number,
  flags: readonly ReceiptFlag[],
): { decision: Decision; decision_reason: string } {
  const { accept, reject, graded_fraction } = decisionBounds;
  const blocking = flags.filter((flag) => flag.severity === 'blocking');
  if (blocking.length > 0) return { decision: 'reject', decision_reason: `blocking: ${codesOf(blocking)}` };
  if (score === null) return { decision: 'review', decision_reason: 'nothing could be graded' };
  if (score < reject)
    return { decision: 'reject', decision_reason: `score ${score} is below ${reject}${because(flags)}` };
  if (gradedFraction < graded_fraction)
    return {
      decision: 'review',
      // Rounded down: what falls short must not read as enough.
      decision_reason: `only ${Math.floor(100 * gradedFraction)} % of the applicable weight could be graded; ${100 * graded_fraction} % are needed to accept`,
    };
  if (score < accept)
    return { decision: 'review', decision_reason: `score ${score} is below ${accept}${because(flags)}` };
  return {
    decision: 'accept',
    decision_reason: `score ${score} is at least ${accept} and nothing blocks${because(flags)}`,
  };
}

function because(flags: readonly ReceiptFlag[]): string {
  return flags.length === 0 ? '' : `; flags: ${codesOf(flags)}`;
}

/** Each once: several streams may raise the same. */
function codesOf(flags: readonly ReceiptFlag[]): string {
  return [...new Set(flags.map((flag) => flag.code))].join(', ');
}
