/** Statistics of one feature by name; values are numbers, nested as the feature's shape is. */
export type FeatureStatistics = Readonly<Record<string, unknown>>;

type Nested = number | readonly Nested[];

/**
 * Statistics of a whole set from those of its episodes, as LeRobot's `aggregate_feature_stats` combines them: means
 * weighted by the count, variances with the spread of the means added, quantiles as weighted means of the episodes'.
 * Names that an episode lacks are left out. Holds one episode's worth, whatever the number of episodes.
 */
export class StatisticsPool {
  readonly #features = new Map<string, FeaturePool>();

  add(statistics: Readonly<Record<string, FeatureStatistics>>): void {
    for (const [feature, own] of Object.entries(statistics)) {
      if (!Array.isArray(own.count) || !(Number(own.count[0]) > 0)) continue;
      const pool = this.#features.get(feature);
      if (pool === undefined) this.#features.set(feature, new FeaturePool(own));
      else pool.add(own);
    }
  }

  /** By feature; those that no episode has are left out. */
  result(): Record<string, FeatureStatistics> {
    return Object.fromEntries([...this.#features].map(([feature, pool]) => [feature, pool.result()]));
  }
}

const order = ['min', 'max', 'mean', 'std', 'count'];

class FeaturePool {
  #count: number;
  readonly #names: Set<string>;
  readonly #held: Map<string, Nested>;

  constructor(first: FeatureStatistics) {
    this.#count = countOf(first);
    this.#names = new Set(Object.keys(first).filter((name) => has(first, name)));
    this.#held = new Map([...this.#names].map((name) => [name, numbersOf(first, name)]));
    // The spread is kept as a variance.
    if (this.#names.has('std'))
      this.#held.set(
        'std',
        each(this.#of('std'), (value) => value ** 2),
      );
  }

  add(own: FeatureStatistics): void {
    for (const name of this.#names) if (!has(own, name)) this.#names.delete(name);
    const [before, more] = [this.#count, countOf(own)];
    const total = before + more;
    const weighted = (a: number, b: number) => a + ((b - a) * more) / total;
    if (this.#names.has('mean') && this.#names.has('std')) {
      const apart = pair(this.#of('mean'), numbersOf(own, 'mean'), (a, b) => (b - a) ** 2);
      const within = pair(this.#of('std'), numbersOf(own, 'std'), (a, b) => weighted(a, b ** 2));
      this.#held.set(
        'std',
        pair(within, apart, (a, b) => a + (b * before * more) / total ** 2),
      );
    }
    for (const name of this.#names) {
      const value = numbersOf(own, name);
      if (name === 'min') this.#held.set(name, pair(this.#of(name), value, Math.min));
      else if (name === 'max') this.#held.set(name, pair(this.#of(name), value, Math.max));
      else if (name === 'mean' || /^q\d+$/.test(name))
        this.#held.set(name, pair(this.#of(name), value, weighted));
    }
    this.#count = total;
  }

  result(): FeatureStatistics {
    const out: Record<string, unknown> = {};
    const quantiles = [...this.#names].filter((name) => /^q\d+$/.test(name));
    for (const name of [...order, ...quantiles]) {
      if (name === 'count') out.count = [this.#count];
      else if (name === 'std' && this.#names.has('mean') && this.#names.has('std'))
        out.std = each(this.#of('std'), Math.sqrt);
      else if (name !== 'std' && this.#names.has(name)) out[name] = this.#of(name);
    }
    return out;
  }

  #of(name: string): Nested {
    return this.#held.get(name) ?? [];
  }
}

const countOf = ({ count }: FeatureStatistics): number => Number((count as readonly unknown[])[0]);
const has = (own: FeatureStatistics, name: string) => own[name] !== undefined && own[name] !== null;
const numbersOf = (own: FeatureStatistics, name: string) => own[name] as Nested;

function each(value: Nested, to: (value: number) => number): Nested {
  return typeof value === 'number' ? to(value) : value.map((part) => each(part, to));
}

function pair(a: Nested, b: Nested, to: (a: number, b: number) => number): Nested {
  if (typeof a === 'number') return to(a, b as number);
  return a.map((part, place) => pair(part, (b as readonly Nested[])[place], to));
}
