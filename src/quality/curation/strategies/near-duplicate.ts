import { z } from 'zod';
import { significant } from '#core';
import { nearEarlier } from '../measures/near-pairs.ts';
import { vectorsOf } from '../measures/vectors.ts';
import { defineStrategy } from '../strategy.ts';
import { measureParameter, tooFew } from './choosing.ts';

export const nearDuplicate = defineStrategy({
  id: 'near_duplicate',
  title: 'Near duplicates',
  about:
    'Drops an episode whose descriptor lies within `distance` of an earlier one that stays. Each dimension is divided by its standard deviation over the set, and the distance is the root of the mean square: 1 is the usual spread. Exact, not approximate.',
  source: null,
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({
    by: measureParameter('motion'),
    distance: z
      .number()
      .min(0)
      .max(2)
      .default(0.05)
      .describe('in standard deviations of the set; more drops more'),
  }),
  run({ episodes }, { by, distance }) {
    const vectors = vectorsOf(episodes, by);
    const few = tooFew(vectors);
    if (few !== null) return { not_assessable: few };
    const dropped = new Map<string, string>();
    for (const [i, { of, distance: apart }] of nearEarlier(vectors, distance))
      dropped.set(vectors.ids[i], `its ${by} is ${significant(apart, 2)} from that of ${vectors.ids[of]}`);
    return { dropped, not_assessable: vectors.missing };
  },
});
