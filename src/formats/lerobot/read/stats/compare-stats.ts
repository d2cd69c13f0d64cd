import { listText, significant } from '#core';
import type { Finding, StreamStatistics } from '#core/episode';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { createLeRobotViolation } from '../../rules/contract.ts';
import type { EpisodeParts } from '../episodes/episode-parts.ts';
import { rethrowProgramError } from '../episodes/unreadable.ts';
import type { StatsOfEpisodes } from './episode-stats.ts';
import { episodeStatsPath } from './stats.ts';

/** The first difference between declared statistics and rows. */
export interface StatisticDifference {
  readonly statistic: 'count' | 'min' | 'max' | 'mean' | 'std' | 'dimensions';
  /** Dimension; −1 if the difference concerns all. */
  readonly dimension: number;
  readonly declared: number;
  readonly found: number;
}

/** Relative rounding error of float32: half a unit in the last place. */
const float32Unit = 2 ** -24;

/**
 * Returns the first difference between the declared statistics of a feature and its rows (row-major values); null if
 * they agree, if there are no rows or if a value is not finite. Exact up to float32 rounding by the writers: min and
 * max may be rounded twice; a sum of n numbers is off by at most n units of the magnitude of its terms, so mean by n ·
 * u · rms, and mean(x²) − mean(x)², LeRobot 0.4.4's variance, by 3 · n · u · rms². The sample std (n − 1) is accepted
 * too.
 */
export function compareStatistics(
  values: Float32Array | Float64Array,
  dims: number,
  declared: StreamStatistics,
): StatisticDifference | null {
  const rows = dims === 0 ? 0 : Math.floor(values.length / dims);
  if (rows === 0) return null;
  const { min, max, mean, std, count } = declared;
  if (count !== null && count !== rows)
    return { statistic: 'count', dimension: -1, declared: count, found: rows };
  for (const list of [min, max, mean, std])
    if (list !== null && list.length !== dims)
      return { statistic: 'dimensions', dimension: -1, declared: list.length, found: dims };
  for (let dim = 0; dim < dims; dim++) {
    let low = values[dim];
    let high = low;
    let sum = 0;
    let squares = 0;
    for (let at = dim; at < values.length; at += dims) {
      const value = values[at];
      if (value < low) low = value;
      else if (value > high) high = value;
      sum += value;
      squares += value * value;
    }
    if (!Number.isFinite(squares)) return null;
    const off = compareDimension({ rows, low, high, sum, squares }, dim, declared);
    if (off !== null) return off;
  }
  return null;
}

/** Row count, range and sums of one dimension. */
interface Moments {
  readonly rows: number;
  readonly low: number;
  readonly high: number;
  readonly sum: number;
  readonly squares: number;
}

/** Compares the statistics of one dimension; null if they agree. */
function compareDimension(
  { rows, low, high, sum, squares }: Moments,
  dimension: number,
  { min, max, mean, std }: StreamStatistics,
): StatisticDifference | null {
  if (min !== null && differs(min[dimension], low, 4 * float32Unit * Math.abs(low)))
    return { statistic: 'min', dimension, declared: min[dimension], found: low };
  if (max !== null && differs(max[dimension], high, 4 * float32Unit * Math.abs(high)))
    return { statistic: 'max', dimension, declared: max[dimension], found: high };
  const found = sum / rows;
  const square = squares / rows;
  const rounding = (rows + 8) * float32Unit;
  if (mean !== null && differs(mean[dimension], found, rounding * Math.sqrt(square)))
    return { statistic: 'mean', dimension, declared: mean[dimension], found };
  if (std === null) return null;
  const variance = Math.max(0, square - found * found);
  const own = std[dimension] ** 2;
  const slack = 3 * rounding * square;
  if (!differs(own, variance, slack) || !differs(own, (variance * rows) / Math.max(1, rows - 1), slack))
    return null;
  return { statistic: 'std', dimension, declared: std[dimension], found: Math.sqrt(variance) };
}

/** Returns true if the values differ by more than `slack`; NaN always differs. */
function differs(declared: number, found: number, slack: number): boolean {
  return !(Math.abs(declared - found) <= slack + Number.MIN_VALUE);
}

/**
 * Reads the stored statistics of all episodes from the lowest to the highest of these indexes; null if `episodes` is
 * empty, the set has no episode statistics or they cannot be read.
 */
export async function readStatsOfEpisodes(
  set: LeRobotSet,
  episodes: readonly number[],
): Promise<StatsOfEpisodes | null> {
  if (set.episodeStats === null || episodes.length === 0) return null;
  let [first, last] = [episodes[0], episodes[0]];
  for (const episode of episodes) {
    if (episode < first) first = episode;
    if (episode > last) last = episode;
  }
  return set.episodeStats(first, last).catch((thrown: unknown) => {
    rethrowProgramError(thrown);
    return null;
  });
}

/**
 * Returns findings on stored statistics of an episode that are missing, malformed or differ from its rows; empty if
 * they agree, or if the set has no episode statistics.
 */
export function checkEpisodeStats(set: LeRobotSet, { rows, stats, table_row }: EpisodeParts): Finding[] {
  if (stats === undefined) return [];
  const { layout, episodes } = set;
  const path = layout === 'v2' ? episodeStatsPath : (episodes.files[0] ?? 'meta/episodes');
  const { episode } = rows.numbering;
  if (stats === null) {
    // An episode that no table lists is reported as unlisted.
    if (table_row === undefined) return [];
    return [
      createLeRobotViolation(
        layout,
        'episode_stats_missing',
        path,
        `${path} has no statistics for episode ${episode}`,
      ),
    ];
  }
  const findings: Finding[] = [];
  if (stats.malformed.length > 0) {
    const message = `malformed statistics of episode ${episode}: ${listText(stats.malformed, 4)}`;
    findings.push(createLeRobotViolation(layout, 'episode_stats_malformed', path, message));
  }
  const off = rows.columns.flatMap(({ plan, values, dims }) => {
    const entry = stats.entries.get(plan.feature.key);
    const wrong = entry === undefined ? null : compareStatistics(values, dims, entry);
    return wrong === null ? [] : [{ key: plan.feature.key, ...wrong }];
  });
  if (off.length === 0) return findings;
  const keys = off.map(({ key }) => key);
  findings.push(
    createLeRobotViolation(
      layout,
      'episode_stats_stale',
      path,
      `statistics of episode ${episode} do not match its rows: ${describeDifference(off[0])}${keys.length > 1 ? `; also ${listText(keys.slice(1), 4)}` : ''}`,
      { features: keys },
    ),
  );
  return findings;
}

/** Formats a difference for the message. */
function describeDifference({
  key,
  statistic,
  dimension,
  declared,
  found,
}: StatisticDifference & { readonly key: string }): string {
  if (statistic === 'count') return `count of ${key} is ${declared}, but the episode has ${found} rows`;
  if (statistic === 'dimensions') return `${key} has ${declared} values, but a row has ${found}`;
  return `${statistic} of ${key} dimension ${dimension} is ${significant(declared)}, computed from the rows: ${significant(found)}`;
}
