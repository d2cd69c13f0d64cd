import type { Decision } from '#core/api';
import type { Severity } from '#core/episode';
import type { EpisodeBrief, Judgement } from '#quality/readiness';

/** Summary of an episode's receipt, for tables and tests. */
export interface EpisodeVerdict {
  readonly dataset: number;
  readonly index: number;
  readonly id: string;
  readonly kind: string;
  readonly decision: Decision;
  readonly score: number | null;
  readonly graded_fraction: number;
  readonly duration_s: number;
  readonly flags: readonly VerdictFlag[];
  /** Findings of its reader, without info findings. */
  readonly findings: readonly VerdictFinding[];
  /** Codes of its reader's info findings, which another loader may refuse; absent if there are none. */
  readonly info_codes?: readonly string[] | undefined;
  /** Reason for the decision; `null` unless messages are kept. */
  readonly reason: string | null;
  /** Path of the receipt relative to the output folder; `null` if none is written. */
  readonly receipt: string | null;
}

/** A finding of an episode's reader. */
export interface VerdictFinding {
  readonly code: string;
  readonly severity: Severity;
  /** Suggested fix. */
  readonly advice: string;
  /** Message; `null` unless messages are kept. */
  readonly message: string | null;
}

/** A flag that a check raised. */
export interface VerdictFlag {
  readonly code: string;
  readonly check: string;
  readonly severity: 'blocking' | 'warning' | 'info';
  /** Message with numbers; kept only for the worst episodes, `null` for the rest. */
  readonly message: string | null;
}

/** Builds the verdict of an episode. `file`: path of its receipt, or null. */
export function toVerdict(
  { episode, kind, findings }: EpisodeBrief,
  { decision, decision_reason, flags, graded_fraction, score }: Judgement,
  dataset: number,
  file: string | null,
): EpisodeVerdict {
  const info_codes = findings.flatMap(({ code, severity }) => (severity === 'info' ? [code] : []));
  return {
    dataset,
    index: episode.index,
    id: episode.id,
    kind: kind.kind,
    decision,
    score,
    graded_fraction,
    duration_s: episode.duration_s,
    findings: findings.flatMap(({ code, severity, message, advice }) =>
      severity === 'info' ? [] : [{ code, severity, message, advice }],
    ),
    ...(info_codes.length === 0 ? {} : { info_codes }),
    reason: decision_reason,
    flags: flags.map(({ code, check, severity, message }) => ({ code, check, severity, message })),
    receipt: file,
  };
}

const rank = { reject: 0, review: 1, accept: 2 } as const;

/**
 * Compares verdicts for sorting: rejected before review before accepted, then those without score, lower scores, more flags,
 * less evidence; equal ones in recording order.
 */
export function worstFirst(a: EpisodeVerdict, b: EpisodeVerdict): number {
  return (
    rank[a.decision] - rank[b.decision] ||
    (a.score ?? -1) - (b.score ?? -1) ||
    b.flags.length - a.flags.length ||
    a.graded_fraction - b.graded_fraction ||
    a.dataset - b.dataset ||
    a.index - b.index
  );
}

/**
 * Returns the decision and distinct codes of a verdict, without numbers and texts: equal for episodes with the same
 * problems.
 */
export function verdictPattern({ decision, flags, findings }: EpisodeVerdict): string {
  const codes = [...flags, ...findings].map(({ code, severity }) => `${severity} ${code}`);
  return [decision, ...new Set(codes)].join('\n');
}

/**
 * Verdicts packed into a few arrays and strings for sending between threads, since sending each object costs more
 * than judging its episode. Shared fields are stored once.
 */
export interface PackedVerdicts {
  /** JSON arrays: ids, receipt paths, and the distinct shared fields. */
  readonly ids: string;
  readonly receipts: string;
  readonly rests: string;
  /** Five numbers per verdict: index, position in `rests`, graded fraction, duration, score (−1 for none). */
  readonly numbers: Float64Array;
}

type SharedFields = Omit<
  EpisodeVerdict,
  'id' | 'index' | 'receipt' | 'graded_fraction' | 'duration_s' | 'score'
>;

const numbersPerVerdict = 5;

/** Returns verdicts packed for `unpackVerdicts`. */
export function packVerdicts(verdicts: readonly EpisodeVerdict[]): PackedVerdicts {
  const places = new Map<string, number>();
  const numbers = new Float64Array(verdicts.length * numbersPerVerdict);
  for (const [i, verdict] of verdicts.entries()) {
    const { dataset, kind, decision, flags, findings, info_codes, reason } = verdict;
    const fields = { dataset, kind, decision, flags, findings, info_codes, reason } satisfies SharedFields;
    const rest = JSON.stringify(fields);
    const place = places.get(rest) ?? places.size;
    places.set(rest, place);
    const { index, graded_fraction, duration_s, score } = verdict;
    numbers.set([index, place, graded_fraction, duration_s, score ?? -1], i * numbersPerVerdict);
  }
  return {
    ids: JSON.stringify(verdicts.map(({ id }) => id)),
    receipts: JSON.stringify(verdicts.map(({ receipt }) => receipt)),
    rests: `[${[...places.keys()].join(',')}]`,
    numbers,
  };
}

/** Returns packed verdicts, in order. Verdicts with equal shared fields share the same objects. */
export function unpackVerdicts({ ids, receipts, rests, numbers }: PackedVerdicts): EpisodeVerdict[] {
  const files: readonly (string | null)[] = JSON.parse(receipts);
  const shared: readonly SharedFields[] = JSON.parse(rests);
  return (JSON.parse(ids) as readonly string[]).map((id, i) => {
    const at = i * numbersPerVerdict;
    const { dataset, kind, decision, flags, findings, info_codes, reason } = shared[numbers[at + 1]];
    return {
      dataset,
      index: numbers[at],
      id,
      kind,
      decision,
      score: numbers[at + 4] < 0 ? null : numbers[at + 4],
      graded_fraction: numbers[at + 2],
      duration_s: numbers[at + 3],
      findings,
      ...(info_codes === undefined ? {} : { info_codes }),
      reason,
      flags,
      receipt: files[i],
    };
  });
}
