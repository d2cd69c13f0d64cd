import { z } from 'zod';
import { strategyTitles } from '#core/titles';
import { defineStrategy } from '../strategy.ts';

export const heldOut = defineStrategy({
  id: 'held_out',
  title: strategyTitles.held_out,
  about:
    'Drops episodes that a locked slice holds out for evaluation. A service puts this stage before all others if the project has such episodes; in a folder there are none.',
  source: null,
  needs: [],
  parameters: z.strictObject({}),
  run: ({ episodes }) => ({
    dropped: new Map(
      episodes.flatMap(({ id, held_out }) =>
        held_out === undefined ? [] : [[id, `held out for evaluation by the slice ${held_out}`] as const],
      ),
    ),
  }),
});
