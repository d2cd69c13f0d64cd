import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import { defineStrategy } from '../strategy.ts';

export const decision = defineStrategy({
  id: 'decision',
  title: strategyTitles.decision,
  about: 'Keeps episodes whose decision (a reviewer’s, where there is one) is among `keep`; drops the rest.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    keep: z
      .array(z.enum(['accept', 'review', 'reject']))
      .min(1)
      .max(3)
      .default(['accept'])
      .describe('decisions that stay'),
  }),
  run({ episodes }, { keep }) {
    const decisions = new Set(keep);
    const dropped = new Map<string, string>();
    for (const { id, decision } of episodes)
      if (!decisions.has(decision)) dropped.set(id, `its decision is ${decision}`);
    return { dropped };
  },
});
