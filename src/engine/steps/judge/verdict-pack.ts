import type { EpisodeVerdict } from './verdict.ts';

/**
 * Verdicts on their way between threads: a few arrays and texts instead of thousands of objects, since each object that
 * crosses costs more than judging its episode. What they share is kept once.
 */
export interface PackedVerdicts {
  /** As JSON: ids, receipts, and the distinct rests of the verdicts. */
  readonly ids: string;
  readonly receipts: string;
  readonly rests: string;
  /** Five a verdict: index, place of its rest, graded fraction, duration, score (−1 for none). */
  readonly numbers: Float64Array;
}

type Rest = Omit<EpisodeVerdict, 'id' | 'index' | 'receipt' | 'graded_fraction' | 'duration_s' | 'score'>;

const width = 5;

export function packVerdicts(verdicts: readonly EpisodeVerdict[]): PackedVerdicts {
  const places = new Map<string, number>();
  const numbers = new Float64Array(verdicts.length * width);
  for (const [i, verdict] of verdicts.entries()) {
    const { dataset, kind, decision, flags, findings, reason } = verdict;
    const rest = JSON.stringify({ dataset, kind, decision, flags, findings, reason } satisfies Rest);
    const place = places.get(rest) ?? places.size;
    places.set(rest, place);
    const { index, graded_fraction, duration_s, score } = verdict;
    numbers.set([index, place, graded_fraction, duration_s, score ?? -1], i * width);
  }
  return {
    ids: JSON.stringify(verdicts.map(({ id }) => id)),
    receipts: JSON.stringify(verdicts.map(({ receipt }) => receipt)),
    rests: `[${[...places.keys()].join(',')}]`,
    numbers,
  };
}

/** The verdicts in their order, written as `verdictOf` writes them; those that were alike share what they were alike in. */
export function unpackVerdicts({ ids, receipts, rests, numbers }: PackedVerdicts): EpisodeVerdict[] {
  const files: readonly (string | null)[] = JSON.parse(receipts);
  const shared: readonly Rest[] = JSON.parse(rests);
  return (JSON.parse(ids) as readonly string[]).map((id, i) => {
    const at = i * width;
    const { dataset, kind, decision, flags, findings, reason } = shared[numbers[at + 1]];
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
      reason,
      flags,
      receipt: files[i],
    };
  });
}
