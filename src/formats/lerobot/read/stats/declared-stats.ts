import type { DeclaredStatistics, Severity, StreamStatistics } from '#core/episode';
import { bookkeeping, isObject } from '../../metadata/info.ts';
import type { LeRobotSet } from '../../metadata/lerobot-set.ts';
import { type LeRobotRuleId, lerobotBreach } from '../../rules/contract.ts';
import { roleOf } from '../episodes/column-plan.ts';
import { episodeStatsPath, poolsEpisodes } from './stats.ts';
import { type StatsEntry, statsEntry } from './stats-entry.ts';

/** What meta/stats.json says of the set's state, action and cameras; undefined without that file. */
export function declaredStatistics(
  set: Pick<LeRobotSet, 'features' | 'stats' | 'statsPath' | 'layout' | 'info' | 'episodes'>,
): DeclaredStatistics | undefined {
  const { features, stats, statsPath, layout, info, episodes } = set;
  if (stats === null || statsPath === null || statsPath === episodeStatsPath) return undefined;
  const streams: Record<string, StreamStatistics> = {};
  const luma: Record<string, number> = {};
  for (const { key, dtype } of features.values()) {
    const entry = stats[key];
    if (!isObject(entry) || bookkeeping.has(key)) continue;
    if (dtype === 'video' || dtype === 'image') {
      const mean = lumaOf(statsEntry(entry));
      if (mean !== null) luma[key] = mean;
    } else if (/^(state|action)$/.test(roleOf(key))) streams[key] = finite(statsEntry(entry));
  }
  const said = (id: LeRobotRuleId): { code: string; severity: Severity; advice: string } => {
    const { code, severity, advice } = lerobotBreach(layout, id, statsPath, '');
    return { code, severity, advice };
  };
  const unused = poolsEpisodes(layout, info.version);
  return {
    path: statsPath,
    episodes: episodes.count,
    streams,
    luma,
    wrong: said(unused ? 'unused_stats_wrong' : 'set_stats_wrong'),
    pictures_wrong: said(unused ? 'unused_stats_wrong' : 'picture_stats_wrong'),
  };
}

/** Lists that hold NaN are a finding of their own, and not compared. */
function finite({ min, max, mean, std, count }: StatsEntry): StreamStatistics {
  const whole = (list: readonly number[] | null) => (list?.every(Number.isFinite) === true ? list : null);
  return {
    min: whole(min),
    max: whole(max),
    mean: whole(mean),
    std: whole(std),
    count: Number.isFinite(count) ? count : null,
  };
}

/** Rec. 601, as luma of decoded frames is; null for what is no mean of three channels from 0 to 1. */
function lumaOf({ mean }: StatsEntry): number | null {
  if (mean?.length !== 3 || mean.some((value) => !(value >= 0 && value <= 1.01))) return null;
  return 255 * (0.299 * mean[0] + 0.587 * mean[1] + 0.114 * mean[2]);
}
