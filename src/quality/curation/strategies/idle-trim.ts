import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { defineStrategy, type TrimMark } from '../strategy.ts';

export const idleTrim = defineStrategy({
  id: 'idle_trim',
  title: strategyTitles.idle_trim,
  about:
    'Marks idle time before the first and after the last motion that is longer than `least_s`, so that exports trim it to `margin_s`. Drops no episodes.',
  source: null,
  needs: ['idle'],
  parameters: z.strictObject({
    least_s: z.number().min(0.1).max(60).default(1).describe('minimum idle time to trim, in seconds'),
    margin_s: z.number().min(0).max(10).default(0.2).describe('idle time to keep at each end, in seconds'),
  }),
  run({ episodes }, { least_s, margin_s }) {
    const trims = new Map<string, TrimMark>();
    const not_assessable = new Map<string, string>();
    for (const { id, idle, duration_s } of episodes) {
      if (idle === undefined) {
        not_assessable.set(id, 'idle time was not measured');
        continue;
      }
      const rest = (at: number): number => (at > least_s ? Math.max(0, at - margin_s) : 0);
      const from_s = significant(rest(idle.head_s));
      const to_s = significant(duration_s - rest(idle.tail_s));
      if (to_s > from_s && (from_s > 0 || rest(idle.tail_s) > 0)) trims.set(id, { from_s, to_s });
    }
    return { trims, not_assessable };
  },
});
