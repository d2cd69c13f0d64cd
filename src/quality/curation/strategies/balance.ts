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
    'Reduces every group (same task, robot, operator, outcome or object classes) to at most `ratio` times the median group size, rounded up. Keeps boosted episodes first, then the highest scores (`prefer: score`) or a random choice (`prefer: random`). Never oversamples.',
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
