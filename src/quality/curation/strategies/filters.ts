import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { defineStrategy, type TrimMark } from '../strategy.ts';

export const heldOut = defineStrategy({
  id: 'held_out',
  title: strategyTitles.held_out,
  about:
    'Drops episodes that a locked slice reserves for evaluation. A service puts this stage before all others if the project has such episodes; a folder never has any.',
  source: null,
  needs: [],
  parameters: z.strictObject({}),
  run: ({ episodes }) => ({
    dropped: new Map(
      episodes.flatMap(({ id, held_out }) =>
        held_out === undefined
          ? []
          : [[id, `reserved for evaluation by the locked slice ${held_out}`] as const],
      ),
    ),
  }),
});

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

export const score = defineStrategy({
  id: 'score',
  title: strategyTitles.score,
  about: 'Drops episodes whose readiness score is below `least`. Episodes without a score are kept.',
  source: null,
  needs: [],
  parameters: z.strictObject({
    least: z.number().min(0).max(1).default(0.8).describe('minimum score to keep'),
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
