/** One planted fault and what was made of it. */
export interface Trial {
  readonly family: string;
  readonly timeline: boolean;
  readonly size: string;
  readonly base: string;
  readonly episode: string;
  readonly suspicion: number;
  /** Flags that the episode did not have before, or had with a better score. */
  readonly raised: readonly string[];
  readonly right: boolean;
}

export interface CleanTrial {
  readonly base: string;
  /** The sound look-alike that the episode was made into; null: as it was recorded. */
  readonly twin: string | null;
  readonly suspicion: number;
  readonly accepted: boolean;
  readonly episode: string;
  readonly flags: readonly string[];
  readonly messages: readonly string[];
}

/** Chance that a planted episode ranks above a clean one; ties count half (Mann and Whitney). */
export function areaUnderCurve(planted: readonly number[], clean: readonly number[]): number {
  const sorted = Float64Array.from(clean).sort();
  let wins = 0;
  for (const value of planted) {
    wins += (countBelow(sorted, value, false) + countBelow(sorted, value, true)) / 2;
  }
  return wins / (planted.length * clean.length);
}

/** Counts the sorted values below `value`, or at most `value` if `orEqual`. */
function countBelow(sorted: Float64Array, value: number, orEqual: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (orEqual ? sorted[middle] <= value : sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface FamilyFigures {
  readonly family: string;
  readonly timeline: boolean;
  readonly trials: number;
  readonly auc: number;
  /** Share in which a flag went up. */
  readonly detected: number;
  /** Share of the detections whose flags name the fault. */
  readonly right: number;
  /** Share detected by size. */
  readonly bySize: Readonly<Record<string, number>>;
  /** Flags raised, most frequent first. */
  readonly raised: Readonly<Record<string, number>>;
}

export interface Figures {
  readonly families: readonly FamilyFigures[];
  readonly auc: number;
  /** AUC of the timeline faults against the unmodified episodes. */
  readonly aucTimeline: number;
  readonly detected: number;
  readonly right: number;
  /** Share of the clean episodes accepted, sound look-alikes included. */
  readonly cleanAccepted: number;
  /** The same of the episodes as they were recorded. */
  readonly cleanByBase: Readonly<Record<string, number>>;
  /** The same of the look-alikes, with how many there were. */
  readonly cleanByTwin: Readonly<Record<string, { readonly trials: number; readonly accepted: number }>>;
}

export function figuresOf(trials: readonly Trial[], clean: readonly CleanTrial[]): Figures {
  const families = [...new Set(trials.map((trial) => trial.family))].map((family) =>
    familyFigures(
      trials.filter((trial) => trial.family === family),
      clean,
    ),
  );
  const found = trials.filter((trial) => trial.raised.length > 0);
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const recorded = clean.filter((trial) => trial.twin === null);
  const bases = [...new Set(recorded.map((trial) => trial.base))];
  const twins = [...new Set(clean.map((trial) => trial.twin).filter((twin) => twin !== null))];
  const accepted = (some: readonly CleanTrial[]) => mean(some.map((trial) => (trial.accepted ? 1 : 0)));
  return {
    families,
    auc: pooled(trials, clean),
    aucTimeline: pooled(
      trials.filter((trial) => trial.timeline),
      recorded,
    ),
    detected: found.length / Math.max(1, trials.length),
    right: mean(found.map((trial) => (trial.right ? 1 : 0))),
    cleanAccepted: accepted(clean),
    cleanByBase: Object.fromEntries(
      bases.map((base) => [base, accepted(recorded.filter((trial) => trial.base === base))]),
    ),
    cleanByTwin: Object.fromEntries(
      twins.map((twin) => {
        const own = clean.filter((trial) => trial.twin === twin);
        return [twin, { trials: own.length, accepted: accepted(own) }];
      }),
    ),
  };
}

function familyFigures(trials: readonly Trial[], clean: readonly CleanTrial[]): FamilyFigures {
  const found = trials.filter((trial) => trial.raised.length > 0);
  const sizes = [...new Set(trials.map((trial) => trial.size))];
  const counts = new Map<string, number>();
  for (const flag of trials.flatMap((trial) => trial.raised)) counts.set(flag, (counts.get(flag) ?? 0) + 1);
  return {
    family: trials[0].family,
    timeline: trials[0].timeline,
    trials: trials.length,
    auc: pooled(trials, clean),
    detected: found.length / trials.length,
    right: found.length === 0 ? 0 : found.filter((trial) => trial.right).length / found.length,
    bySize: Object.fromEntries(
      sizes.map((size) => {
        const own = trials.filter((trial) => trial.size === size);
        return [size, own.filter((trial) => trial.raised.length > 0).length / own.length];
      }),
    ),
    raised: Object.fromEntries([...counts].sort((a, b) => b[1] - a[1])),
  };
}

function pooled(trials: readonly Trial[], clean: readonly CleanTrial[]): number {
  return areaUnderCurve(
    trials.map((trial) => trial.suspicion),
    clean.map((trial) => trial.suspicion),
  );
}
