import type { Decision } from '#core/api';
import type { Severity } from '#core/episode';
import type { EpisodeBrief, Judgement } from '#quality/readiness';

/** What tables and tests need of an episode's receipt. */
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
  /** What its reader found wrong with it: everything but remarks. */
  readonly findings: readonly VerdictFinding[];
  /** Why it was judged so; kept where `flags` keep their messages. */
  readonly reason: string | null;
  /** The receipt's file relative to the output folder, where receipts are written. */
  readonly receipt: string | null;
}

export interface VerdictFinding {
  readonly code: string;
  readonly severity: Severity;
  /** What to do about it. */
  readonly advice: string;
  /** Kept where `flags` keep their messages. */
  readonly message: string | null;
}

export interface VerdictFlag {
  readonly code: string;
  readonly check: string;
  readonly severity: 'blocking' | 'warning' | 'info';
  /** With the numbers; kept for the episodes that need looking at most, null for the rest. */
  readonly message: string | null;
}

export function verdictOf(
  { episode, kind, findings }: EpisodeBrief,
  { decision, decision_reason, flags, graded_fraction, score }: Judgement,
  dataset: number,
  file: string | null,
): EpisodeVerdict {
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
    reason: decision_reason,
    flags: flags.map(({ code, check, severity, message }) => ({ code, check, severity, message })),
    receipt: file,
  };
}

const rank = { reject: 0, review: 1, accept: 2 } as const;

/** Orders what needs looking at most first; equal ones stay in the order of the recording. */
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

/** What an episode was judged and why, without numbers and words: the same for episodes that share all their faults. */
export function shapeOf({ decision, flags, findings }: EpisodeVerdict): string {
  const codes = [...flags, ...findings].map(({ code, severity }) => `${severity} ${code}`);
  return [decision, ...new Set(codes)].join('\n');
}
