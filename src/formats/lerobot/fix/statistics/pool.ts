import type { JsonValue } from '#core';
import { flatNumbers, type StatisticsEntry } from '../draft/statistics-entry.ts';

/** The set's entry of one feature from its episodes', one after the other, as the library pools them (aggregate_feature_stats). */
export class EntryPool {
  #count = 0;
  #first: StatisticsEntry | null = null;
  readonly #least: number[] = [];
  readonly #most: number[] = [];
  readonly #sums: number[] = [];
  readonly #squares: number[] = [];
  readonly #quantiles = new Map<string, number[]>();

  /** Entries that lack a number or have other dimensions are left out; false says so. */
  add(entry: StatisticsEntry): boolean {
    const [min, max, mean, std, counts] = ['min', 'max', 'mean', 'std', 'count'].map((name) =>
      flatNumbers(entry[name]),
    );
    const count = counts?.[0] ?? 0;
    if (min === null || max === null || mean === null || std === null || !(count > 0)) return false;
    if (this.#first !== null && this.#sums.length !== mean.length) return false;
    if (![min, max, mean, std].every((list) => list.length === mean.length && list.every(Number.isFinite)))
      return false;
    const levels = Object.keys(entry).filter((name) => /^q\d+$/.test(name));
    if (this.#first === null) {
      this.#first = entry;
      for (const name of levels)
        this.#quantiles.set(
          name,
          mean.map(() => 0),
        );
    }
    for (const name of this.#quantiles.keys()) if (!levels.includes(name)) this.#quantiles.delete(name);
    mean.forEach((value, dim) => {
      this.#least[dim] = Math.min(this.#least[dim] ?? Infinity, min[dim]);
      this.#most[dim] = Math.max(this.#most[dim] ?? -Infinity, max[dim]);
      this.#sums[dim] = (this.#sums[dim] ?? 0) + value * count;
      // The variance of all: that within each, and that of the means.
      this.#squares[dim] = (this.#squares[dim] ?? 0) + (std[dim] ** 2 + value ** 2) * count;
    });
    for (const [name, sums] of this.#quantiles)
      flatNumbers(entry[name])?.forEach((value, dim) => {
        sums[dim] += value * count;
      });
    this.#count += count;
    return true;
  }

  /** Null where nothing was added. */
  entry(): StatisticsEntry | null {
    if (this.#first === null) return null;
    const mean = this.#sums.map((sum) => sum / this.#count);
    const lists: Record<string, number[]> = {
      min: this.#least,
      max: this.#most,
      mean,
      std: this.#squares.map((sum, dim) => Math.sqrt(Math.max(0, sum / this.#count - mean[dim] ** 2))),
    };
    for (const [name, sums] of this.#quantiles) lists[name] = sums.map((sum) => sum / this.#count);
    const nested = Array.isArray((this.#first.mean as readonly JsonValue[])[0]);
    const shaped = Object.entries(lists).map(([name, values]) => [
      name,
      nested ? values.map((value) => [[value]]) : values,
    ]);
    return { ...Object.fromEntries(shaped), count: [this.#count] };
  }
}
