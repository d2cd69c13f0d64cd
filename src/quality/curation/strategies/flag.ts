import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import { defineStrategy } from '../strategy.ts';

export const flag = defineStrategy({
  id: 'flag',
  title: strategyTitles.flag,
  about: 'Drops episodes with any of the flags in `codes`.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    codes: z.array(z.string().min(1).max(100)).min(1).max(100).describe('flag codes, such as camera_frozen'),
  }),
  run({ episodes }, { codes }) {
    const flagCodes = new Set(codes);
    const dropped = new Map<string, string>();
    for (const { id, flags } of episodes) {
      const carried = flags.filter((code) => flagCodes.has(code));
      if (carried.length > 0) dropped.set(id, `flagged ${[...new Set(carried)].sort().join(', ')}`);
    }
    return { dropped };
  },
});
