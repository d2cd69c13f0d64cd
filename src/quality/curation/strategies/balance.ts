import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import type { CurationEpisode } from '../curation-episode.ts';
import { shuffled } from '../measures/shuffle.ts';
import { groupings, groupOf } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const balance = defineStrategy({
  id: 'balance',
  title: strategyTitles.balance,
  about:
    'Cuts every group (same task, robot, operator or outcome) to at most `ratio` times the median size of the groups, rounded up. Boosted episodes stay first, then the best scores (`prefer: score`) or the seed’s choice (`prefer: random`). Groups are never filled up.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    by: z.enum(groupings).default('task').describe('what makes a group'),
    ratio: z.number().min(0.1).max(100).default(1).describe('most of a group, in median group sizes'),
    prefer: z.enum(['score', 'random']).default('score').describe('which of a group stay'),
  }),
  run({ episodes, random, boosts }, { by, ratio, prefer }) {
    const not_assessable = new Map<string, string>();
    const groups = new Map<string, CurationEpisode[]>();
    for (const episode of episodes) {
      const group = groupOf(episode, by);
      if (group === null) not_assessable.set(episode.id, `its ${by} is not known`);
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
        dropped.set(id, `the ${by} ${shortened(name)} has ${group.length} episodes, and ${maxPerValue} stay`);
    }
    return { dropped, not_assessable };
  },
});

const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 57)}…`);
