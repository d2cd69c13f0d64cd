import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { defineStrategy } from '../strategy.ts';

export const length = defineStrategy({
  id: 'length',
  title: strategyTitles.length,
  about:
    'Drops episodes shorter than `least_s` or longer than `most_s`. Still images have no length and are kept.',
  source: null,
  needs: [],
  parameters: z
    .strictObject({
      least_s: z.number().min(0).max(86_400).default(1).describe('in seconds'),
      most_s: z.number().min(0).max(86_400).default(86_400).describe('in seconds'),
    })
    .refine(({ least_s, most_s }) => least_s <= most_s, {
      path: ['least_s'],
      message: 'must not exceed most_s',
    }),
  run({ episodes }, { least_s, most_s }) {
    const dropped = new Map<string, string>();
    const not_assessable = new Map<string, string>();
    for (const { id, duration_s } of episodes)
      if (!(duration_s > 0)) not_assessable.set(id, 'no duration');
      else if (duration_s < least_s) dropped.set(id, `${significant(duration_s, 3)} s is below ${least_s} s`);
      else if (duration_s > most_s) dropped.set(id, `${significant(duration_s, 3)} s is above ${most_s} s`);
    return { dropped, not_assessable };
  },
});
