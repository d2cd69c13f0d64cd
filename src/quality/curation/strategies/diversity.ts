import { z } from 'zod';
import { significant } from '#core';
import { kCentre } from '../measures/k-centre.ts';
import { principal } from '../measures/principal.ts';
import { vectorsOf } from '../measures/vectors.ts';
import { defineStrategy } from '../strategy.ts';
import { countOf, keepShare, measureParameter, tooFew } from './choosing.ts';

export const diversity = defineStrategy({
  id: 'diversity',
  title: 'Diversity',
  about:
    'Greedy k-centre: starts from the most central episode (or the boosted ones) and adds, again and again, the episode farthest from all that are chosen, until the share `keep` is reached. Distances are taken along the 16 directions in which the set differs most. It prefers what is unusual, so drop outliers before.',
  source:
    'Gonzalez 1985, Clustering to minimize the maximum intercluster distance; Sener and Savarese 2018, arXiv 1708.00489',
  needs: ['motion', 'picture', 'sample'],
  parameters: z.strictObject({ by: measureParameter('motion'), keep: keepShare(0.5) }),
  run({ episodes, boosts }, { by, keep }) {
    const vectors = principal(vectorsOf(episodes, by));
    const few = tooFew(vectors);
    if (few !== null) return { not_assessable: few };
    const { ids, missing } = vectors;
    const given = [...ids.keys()].filter((i) => boosts.has(ids[i]));
    const { chosen, nearest, distance } = kCentre(vectors, countOf(keep, ids.length), given);
    const kept = new Set(chosen);
    const dropped = new Map<string, string>();
    for (const [i, id] of ids.entries())
      if (!kept.has(i))
        dropped.set(id, `${ids[nearest[i]]} stands for its ${by}, ${significant(distance[i], 2)} away`);
    return { dropped, not_assessable: missing };
  },
});
