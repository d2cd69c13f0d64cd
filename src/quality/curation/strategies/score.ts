import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { defineStrategy } from '../strategy.ts';

export const score = defineStrategy({
  id: 'score',
  title: strategyTitles.score,
  about: 'Drops episodes whose readiness score is below `least`. Episodes without a score are kept.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    least: z.number().min(0).max(1).default(0.8).describe('minimum score to keep, 0 to 1'),
  }),
  run({ episodes }, { least }) {
    const dropped = new Map<string, string>();
    const not_assessable = new Map<string, string>();
    for (const { id, score } of episodes)
      if (score === null) not_assessable.set(id, 'no check could be scored');
      else if (score < least) dropped.set(id, `score ${significant(score, 3)} is below ${least}`);
    return { dropped, not_assessable };
  },
});
