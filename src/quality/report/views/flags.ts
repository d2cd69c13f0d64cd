const severities = ['blocking', 'warning', 'info'] as const;

/** Of a flag, what its place among others follows from. */
export interface RaisedFlag {
  readonly code: string;
  readonly check: string;
  readonly severity: (typeof severities)[number];
  readonly score: number;
  readonly advice: string;
}

/** Flags of one code and check: a recorder that stalled leaves a gap in every stream. */
export interface FlagGroup<Flag extends RaisedFlag> {
  /** At least one, with its place in the receipt. */
  readonly raised: readonly { readonly flag: Flag; readonly index: number }[];
  /** The least of theirs. */
  readonly score: number;
  /** Each once. */
  readonly advices: readonly string[];
}

/** Flags of one code together, worst first. */
export function flagGroups<Flag extends RaisedFlag>(flags: readonly Flag[]): FlagGroup<Flag>[] {
  const groups = new Map<string, { readonly flag: Flag; readonly index: number }[]>();
  for (const [index, flag] of flags.entries()) {
    const key = `${flag.check} ${flag.code}`;
    groups.set(key, [...(groups.get(key) ?? []), { flag, index }]);
  }
  const rank = ({ raised: [{ flag }] }: FlagGroup<Flag>) => severities.indexOf(flag.severity);
  return Array.from(groups.values(), (raised) => ({
    raised,
    score: Math.min(...raised.map(({ flag }) => flag.score)),
    advices: [...new Set(raised.map(({ flag }) => flag.advice))],
  })).sort((a, b) => rank(a) - rank(b) || a.score - b.score);
}

/** At most `most` of the items, two or more, as far apart as they can be. */
export function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, i) => items[Math.round((i * (items.length - 1)) / (most - 1))]);
}
