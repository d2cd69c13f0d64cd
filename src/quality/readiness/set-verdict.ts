import type { Decision, SetVerdict } from '#core/api';
import { companionCode, type Severity } from '#core/episode';

type SetReason = SetVerdict['reasons'][number];
type SetEffect = SetReason['effect'];

/** An episode's decision and the codes that may have led to it. */
interface JudgedEpisode {
  readonly decision: Decision;
  readonly flags: readonly { readonly code: string; readonly severity: string }[];
  readonly findings: readonly { readonly code: string; readonly severity: string }[];
}

/** Counts over some episodes of a dataset, as plain data. */
export interface SetCounts {
  /** Number of episodes by the codes of their findings and flags. */
  readonly codes: Readonly<Record<string, number>>;
  /** Number of rejected episodes by the codes that reject them; `score_too_low` if none does. */
  readonly rejections: Readonly<Record<string, number>>;
  /** Number of episodes that are not rejected, or only for codes that `assay fix` can correct. */
  readonly usable: number;
}

/** Counts the episodes of a dataset for the verdict on it. `fixable`: codes that `assay fix` can correct. */
export class SetTally {
  readonly #fixable: ReadonlySet<string>;
  readonly #codes = new Map<string, number>();
  readonly #rejections = new Map<string, number>();
  #usable = 0;

  constructor(fixable: ReadonlySet<string>) {
    this.#fixable = fixable;
  }

  /** Counts one episode; a rejected one is usable only if all its blocking codes are fixable. */
  add({ decision, flags, findings }: JudgedEpisode): void {
    const all = [...findings, ...flags];
    for (const code of new Set(all.map((one) => one.code))) addCount(this.#codes, code, 1);
    if (decision !== 'reject') {
      this.#usable++;
      return;
    }
    const blocking = all.filter(({ severity }) => severity === 'blocking');
    const codes = blocking.length === 0 ? ['score_too_low'] : blocking.map(({ code }) => code);
    if (codes.every((code) => this.#fixable.has(code))) this.#usable++;
    for (const code of new Set(codes)) addCount(this.#rejections, code, 1);
  }

  /** Adds the counts of other episodes. */
  merge({ codes, rejections, usable }: SetCounts): void {
    for (const [code, count] of Object.entries(codes)) addCount(this.#codes, code, count);
    for (const [code, count] of Object.entries(rejections)) addCount(this.#rejections, code, count);
    this.#usable += usable;
  }

  /** Counts so far: episodes by code, rejected episodes by code, and usable episodes. */
  get counts(): SetCounts {
    return {
      codes: Object.fromEntries(this.#codes),
      rejections: Object.fromEntries(this.#rejections),
      usable: this.#usable,
    };
  }
}

function addCount(counts: Map<string, number>, code: string, count: number): void {
  counts.set(code, (counts.get(code) ?? 0) + count);
}

interface LoaderProblem {
  readonly rule: string;
  readonly does: 'refuses_set' | 'refuses_rows' | 'serves_wrong_rows' | 'loads';
  readonly episodes: number | null;
}

/** Inputs of the verdict on a dataset. */
export interface SetEvidence {
  readonly counts: Omit<SetCounts, 'codes'>;
  /** Violated rules of its loader; `null` if no loader's rules are known. */
  readonly loads: { readonly why: readonly LoaderProblem[] } | null;
  /** Findings on the dataset and on files that could not be read. */
  readonly findings: readonly { readonly code: string; readonly severity: Severity }[];
  /** Number of episodes that could not be read. */
  readonly unreadable: number;
  /** Codes that `assay fix` can correct. */
  readonly fixable: ReadonlySet<string>;
}

/**
 * Decides whether a dataset is usable as it is, after remedies, or not at all, and lists the reasons with their
 * remedies, those with the worst effect first.
 */
export function judgeSet({ counts, loads, findings, unreadable, fixable }: SetEvidence): SetVerdict {
  const { usable, rejections } = counts;
  const problems = (loads?.why ?? []).flatMap(({ rule, does, episodes }): Problem[] =>
    does === 'loads' ? [] : [{ code: rule, effect: does, episodes }],
  );
  const add = (code: string, effect: SetEffect, episodes: number | null) => {
    if (!problems.some((problem) => problem.code === code)) problems.push({ code, effect, episodes });
  };
  // A loader that refuses the set or some of its rows already names why episodes cannot be read.
  if (unreadable > 0 && !problems.some(({ effect }) => effect !== 'serves_wrong_rows'))
    add('episodes_unreadable', 'unreadable', unreadable);
  for (const { code, severity } of findings) if (severity === 'blocking') add(code, 'stops_training', null);
  if (findings.some(({ code }) => code === companionCode)) add(companionCode, 'unreadable', null);
  for (const [code, episodes] of Object.entries(rejections)) add(code, 'rejected', episodes);
  const remedyOf = (code: string) => {
    if (fixable.has(code)) return 'fix';
    return usable > 0 && code !== companionCode ? 'export' : 'restore';
  };
  const reasons = problems
    .map((problem): SetReason => ({ ...problem, remedy: remedyOf(problem.code) }))
    .sort(
      (a, b) => effectOrder.indexOf(a.effect) - effectOrder.indexOf(b.effect) || (a.code < b.code ? -1 : 1),
    );
  return { verdict: nameVerdict(reasons, usable), usable_episodes: usable, reasons };
}

type Problem = Omit<SetReason, 'remedy'>;

const effectOrder: readonly SetEffect[] = [
  'refuses_set',
  'refuses_rows',
  'unreadable',
  'stops_training',
  'serves_wrong_rows',
  'rejected',
];

function nameVerdict(reasons: readonly SetReason[], usable_episodes: number): SetVerdict['verdict'] {
  if (usable_episodes === 0) return 'not_usable';
  return reasons.length === 0 ? 'usable' : 'usable_after_fix';
}

/**
 * Combines the verdicts of all datasets under one path with errors of its listing: `usable` only if everything is,
 * `not_usable` if nothing is or there is no dataset, else `usable_after_fix`. Findings of the listing are, for
 * example, files that look like recordings and cannot be read.
 */
export function combineSetVerdicts(
  parts: readonly SetVerdict[],
  listing: readonly { readonly code: string; readonly severity: Severity }[],
): SetVerdict {
  const unread = listing.filter(({ severity }) => severity === 'error' || severity === 'blocking');
  const codes = new Set(unread.map(({ code }) => code));
  const reasons = mergeReasons([
    ...parts.flatMap((part) => part.reasons),
    ...[...codes].map((code) => ({ code, effect: 'unreadable', episodes: null, remedy: 'restore' }) as const),
  ]);
  const usable_episodes = parts.reduce((sum, part) => sum + part.usable_episodes, 0);
  return { verdict: nameVerdict(reasons, usable_episodes), usable_episodes, reasons };
}

/** Merges reasons of the same kind in several datasets, with their episodes summed; `null` if a whole dataset has it. */
function mergeReasons(all: readonly SetReason[]): SetReason[] {
  const groups = Map.groupBy(all, ({ code, effect, remedy }) => `${code} ${effect} ${remedy}`);
  const merged = [...groups.values()].map((group): SetReason => {
    const whole = group.some(({ episodes }) => episodes === null);
    const sum = group.reduce((total, { episodes }) => total + (episodes ?? 0), 0);
    return { ...group[0], episodes: whole ? null : sum };
  });
  return merged.sort((a, b) => effectOrder.indexOf(a.effect) - effectOrder.indexOf(b.effect));
}
