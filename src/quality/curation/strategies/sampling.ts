import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import type { CurationEpisode } from '../curation-episode.ts';
import { estimateDemonstrationInformation } from '../measures/demonstration-information.ts';
import { kCentre } from '../measures/k-centre.ts';
import { projectToPrincipal } from '../measures/principal.ts';
import { computePoints, nearestRows, shuffled } from '../measures/vectors.ts';
import {
  computeKeepCount,
  groupings,
  groupOf,
  keepShare,
  measureParameter,
  reportTooFewPoints,
} from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const demonstrationInformation = defineStrategy({
  id: 'demonstration_information',
  title: strategyTitles.demonstration_information,
  about:
    'Estimates how much each demonstration contributes to the mutual information of state and action, with k nearest neighbours over standardised pairs sampled from each episode (k = 5 to 7, batches of 512 pairs, clipped at the 1st and 99th percentile, averaged per episode), and keeps the share `keep` with the highest values. High: varied states with predictable actions. Low: idle time, jitter, contradictory actions. No training is involved. Compare only episodes of one task and robot.',
  source:
    'After DemInf: Hejna et al. 2025, arXiv 2502.08623; estimator of Kraskov, Stögbauer and Grassberger 2004, arXiv cond-mat/0305641',
  needs: ['sample'],
  parameters: z.strictObject({ keep: keepShare(0.8) }),
  run({ episodes, random, boosts }, { keep }) {
    const { scores, missing } = estimateDemonstrationInformation(episodes, random);
    const order = [...scores].sort(
      ([a, x], [b, y]) => (boosts.get(b) ?? 1) - (boosts.get(a) ?? 1) || y - x || (a < b ? -1 : 1),
    );
    const dropped = new Map<string, string>();
    for (const [id, scored] of order.slice(computeKeepCount(keep, order.length)))
      dropped.set(id, `demonstration information ${significant(scored, 3)} is among the lowest`);
    return { dropped, not_assessable: missing };
  },
});

export const failureBoost = defineStrategy({
  id: 'failure_boost',
  title: strategyTitles.failure_boost,
  about:
    'Gives the sampling weight `factor` to the `neighbours` successful episodes nearest to each failure: later selection stages keep them first, and the plan passes the weights to a sampler. Failures are the episodes in `failures`, or those whose outcome is failure. With `episodes`, these episodes get the weight instead, for example those nearest to failures of another dataset. Drops nothing.',
  source: null,
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    neighbours: z
      .int()
      .min(1)
      .max(100)
      .default(5)
      .describe('number of nearest episodes per failure that get the weight'),
    factor: z
      .number()
      .min(1.01)
      .max(100)
      .default(2)
      .describe('sampling weight of these episodes; all others have 1'),
    failures: z
      .array(z.string().min(1).max(500))
      .max(10_000)
      .default([])
      .describe('ids of failed episodes; empty: episodes whose outcome is failure'),
    episodes: z
      .array(z.string().min(1).max(5000))
      .max(20_000)
      .default([])
      .describe('ids of episodes that get the weight; empty: those nearest to the failures'),
  }),
  run({ episodes }, { by, neighbours, factor, failures, episodes: boostedIds }) {
    if (boostedIds.length > 0) {
      const boostedSet = new Set(boostedIds);
      return {
        boosts: new Map(episodes.flatMap(({ id }) => (boostedSet.has(id) ? [[id, factor] as const] : []))),
      };
    }
    const vectors = projectToPrincipal(computePoints(episodes, by));
    const unassessable = reportTooFewPoints(vectors);
    if (unassessable !== null) return { not_assessable: unassessable };
    const { ids, missing } = vectors;
    const failureIds = new Set(failures);
    const failed = new Set(
      episodes
        .filter(({ id, outcome }) => (failureIds.size > 0 ? failureIds.has(id) : outcome === 'failure'))
        .map(({ id }) => id),
    );
    const candidates = [...ids.keys()].filter((i) => !failed.has(ids[i]));
    const boosts = new Map<string, number>();
    for (const [i, id] of ids.entries()) {
      if (!failed.has(id)) continue;
      for (const { row } of nearestRows(vectors, i, candidates, neighbours)) boosts.set(ids[row], factor);
    }
    return { boosts, not_assessable: missing };
  },
});

export const balance = defineStrategy({
  id: 'balance',
  title: strategyTitles.balance,
  about:
    'Reduces every group (same task, robot, operator, outcome or object classes) to at most `ratio` times the median group size, rounded up. Keeps episodes with a higher sampling weight first, then the highest scores (`prefer: score`) or a random choice (`prefer: random`). Never oversamples.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    by: z.enum(groupings).default('task').describe('property to group by'),
    ratio: z
      .number()
      .min(0.1)
      .max(100)
      .default(1)
      .describe('maximum group size, as a multiple of the median'),
    prefer: z.enum(['score', 'random']).default('score').describe('which episodes of a group to keep'),
  }),
  run({ episodes, random, boosts }, { by, ratio, prefer }) {
    const not_assessable = new Map<string, string>();
    const groups = new Map<string, CurationEpisode[]>();
    for (const episode of episodes) {
      const group = groupOf(episode, by);
      if (group === null) not_assessable.set(episode.id, `${by} unknown`);
      else if (!groups.get(group)?.push(episode)) groups.set(group, [episode]);
    }
    const dropped = new Map<string, string>();
    if (groups.size === 0) return { not_assessable };
    const sizes = [...groups.values()].map(({ length }) => length).sort((a, b) => a - b);
    const maxPerValue = Math.max(1, Math.ceil(ratio * sizes[(sizes.length - 1) >> 1]));
    for (const [name, group] of groups) {
      const order = shuffled(group, random).sort(
        (a, b) =>
          (boosts.get(b.id) ?? 1) - (boosts.get(a.id) ?? 1) ||
          (prefer === 'score' ? (b.score ?? -1) - (a.score ?? -1) : 0),
      );
      for (const { id } of order.slice(maxPerValue))
        dropped.set(id, `${by} ${shortened(name)} has ${group.length} episodes, ${maxPerValue} are kept`);
    }
    return { dropped, not_assessable };
  },
});

const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 57)}…`);

export const diversity = defineStrategy({
  id: 'diversity',
  title: strategyTitles.diversity,
  about:
    'Greedy k-centre selection: starts from the most central episode (or those with a higher sampling weight) and repeatedly adds the episode farthest from all selected ones, until the share `keep` is reached. Distances use the first 16 principal components. Prefers unusual episodes, so remove outliers first.',
  source:
    'Gonzalez 1985, Clustering to minimize the maximum intercluster distance; Sener and Savarese 2018, arXiv 1708.00489',
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({ by: measureParameter('motion'), keep: keepShare(0.5) }),
  run({ episodes, boosts }, { by, keep }) {
    const vectors = projectToPrincipal(computePoints(episodes, by));
    const unassessable = reportTooFewPoints(vectors);
    if (unassessable !== null) return { not_assessable: unassessable };
    const { ids, missing } = vectors;
    const boostedRows = [...ids.keys()].filter((i) => boosts.has(ids[i]));
    const { chosen, nearest, distance } = kCentre(vectors, computeKeepCount(keep, ids.length), boostedRows);
    const selectedRows = new Set(chosen);
    const dropped = new Map<string, string>();
    for (const [i, id] of ids.entries())
      if (!selectedRows.has(i))
        dropped.set(id, `similar ${by} as ${ids[nearest[i]]} (distance ${significant(distance[i], 2)})`);
    return { dropped, not_assessable: missing };
  },
});

export const random = defineStrategy({
  id: 'random',
  title: strategyTitles.random,
  about:
    'Keeps the share `keep`, drawn with the random seed: the baseline for any other selection of the same size. Episodes with a higher sampling weight are kept first.',
  source: null,
  needs: [],
  parameters: z.strictObject({ keep: keepShare(0.5) }),
  run({ episodes, random, boosts }, { keep }) {
    const order = shuffled(episodes, random).sort(
      (a, b) => (boosts.get(b.id) ?? 1) - (boosts.get(a.id) ?? 1),
    );
    const dropped = new Map<string, string>();
    for (const { id } of order.slice(computeKeepCount(keep, order.length))) dropped.set(id, 'not drawn');
    return { dropped };
  },
});
