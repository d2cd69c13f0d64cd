/** Statistics of one feature by name; values are numbers, nested as the feature's shape is. */
export type FeatureStatistics = Readonly<Record<string, unknown>>;

type Nested = number | readonly Nested[];

/**
 * Statistics of a whole set from those of its episodes, as LeRobot's `aggregate_feature_stats` combines them: means
 * weighted by the count, variances with the spread of the means added, quantiles as weighted means of the episodes'.
 * Names that an episode lacks are left out. Null where no episode has any.
 */
export function aggregateStatistics(episodes: readonly FeatureStatistics[]): FeatureStatistics | null {
  const whole = episodes.filter(({ count }) => Array.isArray(count) && Number(count[0]) > 0);
  if (whole.length === 0) return null;
  const counts = whole.map(({ count }) => Number((count as readonly unknown[])[0]));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const of = (name: string) => whole.map((one) => one[name] as Nested);
  const weighted = (parts: readonly Nested[]) =>
    combine(parts, (values) => values.reduce((sum, value, place) => sum + value * counts[place], 0) / total);
  const out: Record<string, unknown> = {};
  const has = (name: string) => whole.every((one) => one[name] !== undefined && one[name] !== null);
  if (has('min')) out.min = combine(of('min'), (values) => Math.min(...few(values, Math.min)));
  if (has('max')) out.max = combine(of('max'), (values) => Math.max(...few(values, Math.max)));
  if (has('mean')) out.mean = weighted(of('mean'));
  if (has('mean') && has('std')) out.std = pooledDeviation(of('mean'), of('std'), counts, total);
  out.count = [total];
  for (const name of Object.keys(whole[0]))
    if (/^q\d+$/.test(name) && has(name)) out[name] = weighted(of(name));
  return out;
}

/** √(Σ nᵢ (sᵢ² + (mᵢ − m)²) / Σ nᵢ), dimension by dimension. */
function pooledDeviation(
  means: readonly Nested[],
  deviations: readonly Nested[],
  counts: readonly number[],
  total: number,
): Nested {
  const pairs = means.map((mean, place) => zip(mean, deviations[place]));
  return combinePairs(pairs, (values) => {
    const mean = values.reduce((sum, [own], place) => sum + own * counts[place], 0) / total;
    const variance = values.reduce(
      (sum, [own, deviation], place) => sum + (deviation ** 2 + (own - mean) ** 2) * counts[place],
      0,
    );
    return Math.sqrt(variance / total);
  });
}

/** Spreading 100,000 arguments overflows the stack. */
function few(values: readonly number[], pick: (...values: number[]) => number): number[] {
  const picked: number[] = [];
  for (let at = 0; at < values.length; at += 4096) picked.push(pick(...values.slice(at, at + 4096)));
  return picked;
}

function combine(parts: readonly Nested[], to: (values: readonly number[]) => number): Nested {
  const [first] = parts;
  if (typeof first === 'number') return to(parts as readonly number[]);
  return first.map((_, place) =>
    combine(
      parts.map((part) => (part as readonly Nested[])[place]),
      to,
    ),
  );
}

type Pair = readonly [number, number];
type NestedPair = { readonly pair: Pair } | readonly NestedPair[];

function zip(a: Nested, b: Nested): NestedPair {
  return typeof a === 'number'
    ? { pair: [a, b as number] }
    : a.map((part, place) => zip(part, (b as readonly Nested[])[place]));
}

function combinePairs(parts: readonly NestedPair[], to: (values: readonly Pair[]) => number): Nested {
  const [first] = parts;
  if ('pair' in first) return to(parts.map((part) => (part as { pair: Pair }).pair));
  return first.map((_, place) =>
    combinePairs(
      parts.map((part) => (part as readonly NestedPair[])[place]),
      to,
    ),
  );
}
