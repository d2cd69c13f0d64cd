import {
  type EpisodeVerdict,
  shapeOf,
  type VerdictFinding,
  type VerdictFlag,
  worstFirst,
} from '../../steps/judge/verdict.ts';
import type { JudgedUnit } from '../../steps/tasks.ts';
import type { Decisions } from './result.ts';

/**
 * Verdicts as units are judged, in any order. Words (messages, reasons) stay with the episodes of each dataset that
 * need looking at most, and with one episode of each sort; what the rest share is held once, so that 100,000 of them stay small.
 */
export class VerdictList {
  readonly decisions: Decisions = { accept: 0, review: 0, reject: 0 };
  readonly #details: number;
  readonly #byPlace = new Map<number, EpisodeVerdict[]>();
  readonly #worst = new Map<number, EpisodeVerdict[]>();
  /** By dataset and shape, of each the episode that needs looking at most. */
  readonly #examples = new Map<string, EpisodeVerdict>();
  readonly #shared = new Map<string, unknown>();
  /** Flags without their words, by the flags: a unit's verdicts share theirs. */
  readonly #bare = new WeakMap<readonly VerdictFlag[], readonly VerdictFlag[]>();

  constructor(details: number) {
    this.#details = details;
  }

  add({ place, verdicts }: JudgedUnit): void {
    const own: EpisodeVerdict[] = [];
    for (const verdict of verdicts) {
      this.decisions[verdict.decision]++;
      this.#keepWorst(verdict);
      this.#keepExample(verdict);
      own.push(this.#withoutWords(verdict));
    }
    this.#byPlace.set(place, own);
  }

  /** All of them, in the order of datasets and episodes. */
  list(): EpisodeVerdict[] {
    const places = [...this.#byPlace.keys()].sort((a, b) => a - b);
    const inWords = new Map<string, EpisodeVerdict>();
    for (const own of this.#worst.values()) {
      for (const verdict of own.sort(worstFirst).slice(0, this.#details))
        inWords.set(keyOf(verdict), verdict);
    }
    for (const verdict of this.#examples.values()) inWords.set(keyOf(verdict), verdict);
    const all: EpisodeVerdict[] = [];
    for (const place of places) {
      for (const verdict of this.#byPlace.get(place)!) all.push(inWords.get(keyOf(verdict)) ?? verdict);
    }
    return all.sort((a, b) => a.dataset - b.dataset || a.index - b.index);
  }

  #keepWorst(verdict: EpisodeVerdict): void {
    const own = this.#worst.get(verdict.dataset);
    if (own === undefined) this.#worst.set(verdict.dataset, [verdict]);
    else {
      own.push(verdict);
      if (own.length > this.#details * 2 + 100) own.sort(worstFirst).splice(this.#details);
    }
  }

  #keepExample(verdict: EpisodeVerdict): void {
    if (verdict.flags.length + verdict.findings.length === 0) return;
    const key = `${verdict.dataset}\n${shapeOf(verdict)}`;
    const known = this.#examples.get(key);
    if (known === undefined ? this.#examples.size < mostExamples : worstFirst(verdict, known) < 0)
      this.#examples.set(key, verdict);
  }

  #withoutWords({ flags, findings, kind, decision, ...rest }: EpisodeVerdict): EpisodeVerdict {
    return {
      dataset: rest.dataset,
      index: rest.index,
      id: rest.id,
      kind: this.#share(kind, () => kind),
      decision: this.#share(decision, () => decision),
      score: rest.score,
      graded_fraction: rest.graded_fraction,
      duration_s: rest.duration_s,
      flags: this.#bareOf(flags),
      findings: this.#bareFindings(findings),
      reason: null,
      receipt: rest.receipt,
    };
  }

  #bareOf(flags: readonly VerdictFlag[]): readonly VerdictFlag[] {
    let bare = this.#bare.get(flags);
    if (bare === undefined) {
      const key = flags.map(({ code, check }) => `${check}/${code}`).join();
      bare = this.#share(key, () => flags.map(withoutMessage));
      this.#bare.set(flags, bare);
    }
    return bare;
  }

  #bareFindings(findings: readonly VerdictFinding[]): readonly VerdictFinding[] {
    const key = findings.map(({ code, severity, advice }) => `${severity} ${code} ${advice}`).join();
    return this.#share(key, () => findings.map((finding) => ({ ...finding, message: null })));
  }

  #share<T>(key: string, make: () => T): T {
    let shared = this.#shared.get(key) as T | undefined;
    if (shared === undefined) {
      shared = make();
      this.#shared.set(key, shared);
    }
    return shared;
  }
}

const mostExamples = 1000;

const keyOf = ({ dataset, index, id }: EpisodeVerdict): string => `${dataset}/${index}/${id}`;

function withoutMessage(flag: VerdictFlag): VerdictFlag {
  return { ...flag, message: null };
}
