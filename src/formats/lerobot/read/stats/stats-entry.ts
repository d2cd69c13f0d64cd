import type { JsonObject, JsonValue } from '#core';
import type { StreamStatistics } from '#core/episode';

/** Statistics of one feature, nested lists of a picture's channels unrolled. */
export interface StatsEntry extends StreamStatistics {
  /** Levels in percent, ascending, with a number a dimension. */
  readonly quantiles: readonly (readonly [level: number, values: readonly number[]])[];
}

/** Statistics of an episode by feature; malformed: what the library cannot pool of them, in words. */
export interface EpisodeStats {
  readonly entries: ReadonlyMap<string, StatsEntry>;
  readonly malformed: readonly string[];
}

/** By episode; an episode that is not in it has none. */
export type StatsOfEpisodes = ReadonlyMap<number, EpisodeStats>;

/** Reads the statistics of episodes from `first` to `last`, ends included: as many as a unit holds, and no more. */
export type ReadEpisodeStats = (first: number, last: number) => Promise<StatsOfEpisodes>;

/** An entry of stats.json or of a line of episodes_stats.jsonl; what is no number in it is NaN. */
export function statsEntry(entry: JsonObject): StatsEntry {
  const quantiles = Object.keys(entry)
    .flatMap((key): [number, readonly number[]][] => {
      const level = /^q(\d{1,3})$/.exec(key)?.[1];
      const values = numbersIn(entry[key]);
      return level === undefined || values === null ? [] : [[Number(level), values]];
    })
    .sort((a, b) => a[0] - b[0]);
  return {
    min: numbersIn(entry.min),
    max: numbersIn(entry.max),
    mean: numbersIn(entry.mean),
    std: numbersIn(entry.std),
    count: numbersIn(entry.count)?.[0] ?? null,
    quantiles,
  };
}

/** Pictures' statistics are nested three deep; a file of brackets alone is not followed down. */
const deepest = 8;

/** Lengths of the lists that a value is nested in: [3, 1, 1] of a picture's mean. */
export function nesting(value: JsonValue | undefined, depth = 0): number[] {
  return Array.isArray(value) && depth < deepest ? [value.length, ...nesting(value[0], depth + 1)] : [];
}

function numbersIn(value: JsonValue | undefined, depth = 0): number[] | null {
  if (value === undefined) return null;
  if (typeof value === 'number') return [value];
  if (Array.isArray(value) && depth < deepest)
    return value.flatMap((part) => numbersIn(part, depth + 1) ?? []);
  return [typeof value === 'boolean' ? Number(value) : Number.NaN];
}
