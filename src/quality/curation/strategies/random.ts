import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import { shuffled } from '../measures/shuffle.ts';
import { computeKeepCount, keepShare } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const random = defineStrategy({
  id: 'random',
  title: strategyTitles.random,
  about:
    'Keeps the share `keep`, drawn with the random seed: the baseline for any other selection of the same size. Boosted episodes are kept first.',
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
