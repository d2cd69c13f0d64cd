import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import { defineStrategy } from '../strategy.ts';

export const decision = defineStrategy({
  id: 'decision',
  title: strategyTitles.decision,
  about: 'Keeps episodes whose decision (the reviewer’s, if there is one) is in `keep`; drops the rest.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    keep: z
      .array(z.enum(['accept', 'review', 'reject']))
      .min(1)
      .max(3)
      .default(['accept'])
      .describe('decisions to keep'),
  }),
  run({ episodes }, { keep }) {
    const decisions = new Set(keep);
    const dropped = new Map<string, string>();
    for (const { id, decision } of episodes)
      if (!decisions.has(decision)) dropped.set(id, `decision is ${decision}`);
    return { dropped };
  },
});
