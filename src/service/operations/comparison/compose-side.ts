import { significant } from '#core';
import type { ComparedSide } from '#core/api';
import type { Chosen, JudgedEpisode } from './judged-episodes.ts';

const mostListed = 50;
const bins = 10;

/** Edges of ten bins of equal width over the durations of both sides, in seconds; fewer where all are as long. */
export function durationEdges(sides: readonly (readonly JudgedEpisode[])[]): readonly number[] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { duration_s } of sides.flat()) {
    least = Math.min(least, duration_s);
    most = Math.max(most, duration_s);
  }
  if (least > most) return [];
  if (least === most) return [least, most];
  return Array.from({ length: bins + 1 }, (_, at) => significant(least + (at * (most - least)) / bins));
}

/** What one side is made of. */
export function composeSide(
  chosen: Chosen,
  episodes: readonly JudgedEpisode[],
  edges: readonly number[],
): ComparedSide {
  const decisions = { accept: 0, review: 0, reject: 0 };
  for (const { decision } of episodes) decisions[decision]++;
  const scores = episodes.flatMap(({ score }) => score ?? []).sort((a, b) => a - b);
  return {
    run_id: 'run_id' in chosen ? chosen.run_id : null,
    slice_id: 'slice_id' in chosen ? chosen.slice_id : null,
    episodes: episodes.length,
    duration_s: significant(
      episodes.reduce((sum, { duration_s }) => sum + duration_s, 0),
      9,
    ),
    decisions,
    median_score: scores.length === 0 ? null : scores[(scores.length - 1) >> 1],
    flags: partsOf(episodes.flatMap(({ flags }) => [...new Set(flags)])),
    tasks: partsOf(episodes.map(({ task }) => task)),
    robots: partsOf(episodes.map(({ robot }) => robot)),
    outcomes: partsOf(episodes.map(({ outcome }) => outcome)),
    durations: binsOf(episodes, edges),
  };
}

function partsOf<Value extends string | null>(values: readonly Value[]) {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, episodes]) => ({ value, episodes }))
    .sort((a, b) => b.episodes - a.episodes || ((a.value ?? '') < (b.value ?? '') ? -1 : 1))
    .slice(0, mostListed);
}

function binsOf(episodes: readonly JudgedEpisode[], edges: readonly number[]): ComparedSide['durations'] {
  const found = edges.slice(1).map((to_s, at) => ({ from_s: edges[at], to_s, episodes: 0 }));
  for (const { duration_s } of episodes) {
    const bin = found.find(({ to_s }) => duration_s < to_s) ?? found.at(-1);
    if (bin !== undefined) bin.episodes++;
  }
  return found;
}
