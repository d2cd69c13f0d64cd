import { significant } from '#core';
import type { CurationEpisode } from './curation-episode.ts';
import { createFrame } from './report-frame.ts';

/** Aspect of a set that is searched for gaps. */
export type GapAspect = 'task' | 'robot' | 'duration' | 'action_region' | 'scene' | 'phase';

/** Part of a set with too few episodes. */
export interface Gap {
  /** Rank from 1, the largest missing share first. */
  readonly rank: number;
  readonly aspect: GapAspect;
  /** The value, or the range as text. */
  readonly part: string;
  readonly episodes: number;
  readonly expected_episodes: number;
  /** 0 to 1. */
  readonly missing_share: number;
}

/** Gaps of a set, and aspects without gaps. */
export interface Gaps {
  readonly gaps: readonly Gap[];
  readonly covered: readonly GapAspect[];
  readonly not_assessable: readonly { readonly aspect: GapAspect; readonly reason: string }[];
  /** Number of episodes considered: all except rejected ones. */
  readonly episodes: number;
}

/** Number of episodes in each part of an aspect, or the reason why they cannot be counted. */
type Parts = ReadonlyMap<string, number> | string;

/** Share of the expected episodes from which a part is not a gap. */
const minExpectedShare = 0.8;
const maxListed = 100;
const bins = 8;

/**
 * Finds the tasks, robots, durations, action regions and scenes with under 80 % of the expected episodes
 * (`minEpisodes`, or an equal share if `null`) among those not rejected; worst first, at most 100.
 */
export function findGaps(all: readonly CurationEpisode[], minEpisodes: number | null): Gaps {
  const episodes = all.filter(({ decision }) => decision !== 'reject');
  const aspects: Readonly<Record<GapAspect, Parts>> = {
    task: byValue(episodes, ({ task }) => task, 'no episode has a task text'),
    robot: byValue(episodes, ({ robot }) => robot, 'no episode has a robot name'),
    duration: byDuration(episodes),
    action_region: byAction(episodes),
    scene: byScene(episodes),
    phase: 'no annotation layer provides episode phases',
  };
  const gaps: Omit<Gap, 'rank'>[] = [];
  const covered: GapAspect[] = [];
  const not_assessable: { aspect: GapAspect; reason: string }[] = [];
  for (const [aspect, parts] of Object.entries(aspects) as [GapAspect, Parts][]) {
    if (typeof parts === 'string') {
      not_assessable.push({ aspect, reason: parts });
      continue;
    }
    const found = findGapsOfAspect(aspect, parts, minEpisodes);
    if (found.length === 0) covered.push(aspect);
    gaps.push(...found);
  }
  gaps.sort(
    (a, b) =>
      b.missing_share - a.missing_share ||
      b.expected_episodes - b.episodes - (a.expected_episodes - a.episodes) ||
      (`${a.aspect} ${a.part}` < `${b.aspect} ${b.part}` ? -1 : 1),
  );
  return {
    gaps: gaps.slice(0, maxListed).map((gap, i) => ({ rank: i + 1, ...gap })),
    covered,
    not_assessable,
    episodes: episodes.length,
  };
}

function findGapsOfAspect(
  aspect: GapAspect,
  parts: ReadonlyMap<string, number>,
  declaredMinimum: number | null,
): Omit<Gap, 'rank'>[] {
  const total = [...parts.values()].reduce((sum, count) => sum + count, 0);
  const expected = declaredMinimum ?? total / parts.size;
  return [...parts].flatMap(([part, count]) =>
    count >= minExpectedShare * expected
      ? []
      : [
          {
            aspect,
            part,
            episodes: count,
            expected_episodes: significant(expected, 4),
            missing_share: significant(1 - count / expected, 4),
          },
        ],
  );
}

function byValue(
  episodes: readonly CurationEpisode[],
  named: (episode: CurationEpisode) => string | null,
  reason: string,
): Parts {
  const parts = new Map<string, number>();
  for (const episode of episodes) {
    const value = named(episode);
    if (value !== null) parts.set(value, (parts.get(value) ?? 0) + 1);
  }
  return parts.size === 0 ? reason : parts;
}

function byDuration(episodes: readonly CurationEpisode[]): Parts {
  const durations = episodes.map(({ duration_s }) => duration_s).filter((duration) => duration > 0);
  const range = computeRange(durations);
  if (range === null) return 'all episodes have the same duration';
  const parts = createBins(range, (low, high) => `${low} to ${high} s`);
  for (const duration of durations) parts.counts[parts.binOf(duration)]++;
  return parts.named();
}

/** Counts the episodes that visit each eighth of each action dimension, for the most frequent layout. */
function byAction(episodes: readonly CurationEpisode[]): Parts {
  const layouts = new Map<string, number>();
  for (const { sample } of episodes)
    if (sample !== undefined && sample.action_dims > 0 && sample.rows > 0)
      layouts.set(sample.layout, (layouts.get(sample.layout) ?? 0) + 1);
  const [layout] = [...layouts].sort(([, a], [, b]) => b - a)[0] ?? [];
  const samples = episodes.flatMap(({ sample }) => (sample?.layout === layout && sample ? [sample] : []));
  if (samples.length === 0) return 'no episode has stored action samples';
  const all = new Map<string, number>();
  for (let d = 0; d < samples[0].action_dims; d++) {
    const columns = samples.map(({ actions, action_dims }) =>
      actions.filter((value, i) => i % action_dims === d && Number.isFinite(value)),
    );
    const range = computeRange(columns.flatMap((column) => [...column]));
    if (range === null) continue;
    const parts = createBins(range, (low, high) => `dimension ${d}: ${low} to ${high}`);
    for (const column of columns)
      for (const bin of new Set([...column].map(parts.binOf))) parts.counts[bin]++;
    for (const [name, count] of parts.named()) all.set(name, count);
  }
  return all.size === 0 ? 'no action varies' : all;
}

function byScene(episodes: readonly CurationEpisode[]): Parts {
  const { scenes } = createFrame(episodes);
  if (scenes.size === 0) return 'fewer than two episodes have an image descriptor';
  const first = new Map<number, string>();
  for (const [id, scene] of scenes) if (!first.has(scene)) first.set(scene, id);
  return byValue(
    episodes,
    ({ id }) => {
      const scene = scenes.get(id);
      return scene === undefined ? null : `looks like ${first.get(scene)}`;
    },
    '',
  );
}

/** Returns the 2nd and 98th percentile, so that outliers create no empty bins; null if they are equal. */
function computeRange(values: readonly number[]): readonly [number, number] | null {
  if (values.length < 2) return null;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  const [low, high] = [at(0.02), at(0.98)];
  return high > low ? [low, high] : null;
}

function createBins([low, high]: readonly [number, number], name: (low: number, high: number) => string) {
  const counts = new Array<number>(bins).fill(0);
  const width = (high - low) / bins;
  return {
    counts,
    /** Returns the bin of a value; values outside the range belong to the outer bins. */
    binOf: (value: number): number => Math.max(0, Math.min(bins - 1, Math.floor((value - low) / width))),
    named: () =>
      new Map(
        counts.map((count, i) => [
          name(significant(low + i * width, 3), significant(low + (i + 1) * width, 3)),
          count,
        ]),
      ),
  };
}
