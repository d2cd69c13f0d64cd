/** A seeded random generator (mulberry32): the same seed gives the same numbers on every machine. Not for secrets. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** Uniform integer in [low, high]. */
  integer(low: number, high: number): number;
  /** Standard normal (Box-Muller). */
  normal(): number;
  /** Uniformly chosen item; `undefined` for an empty list. */
  pick<T>(items: readonly T[]): T;
}

/** Creates a random generator from a seed; only the lower 32 bits of the seed count. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + Math.floor(next() * (high - low + 1)),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (items) => items[Math.floor(next() * items.length)],
  };
}
