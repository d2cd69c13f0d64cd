import { z } from 'zod';
import { significant } from '#core';
import { strategyTitles } from '#core/titles';
import { estimateDemonstrationInformation } from '../measures/demonstration-information.ts';
import { computeKeepCount, keepShare } from '../selection.ts';
import { defineStrategy } from '../strategy.ts';

export const demonstrationInformation = defineStrategy({
  id: 'demonstration_information',
  title: strategyTitles.demonstration_information,
  about:
    'Estimates how much each demonstration contributes to the mutual information of state and action, with k nearest neighbours over standardised pairs sampled from each episode (k = 5 to 7, batches of 512 pairs, clipped at the 1st and 99th percentile, averaged per episode), and keeps the share `keep` with the highest values. High: varied states with predictable actions. Low: idle time, jitter, contradictory actions. No training is involved. Compare only episodes of one task and robot.',
  source:
    'After DemInf: Hejna et al. 2025, arXiv 2502.08623; estimator of Kraskov, Stögbauer and Grassberger 2004, arXiv cond-mat/0305641',
  needs: ['sample'],
  parameters: z.strictObject({ keep: keepShare(0.8) }),
  run({ episodes, random, boosts }, { keep }) {
    const { scores, missing } = estimateDemonstrationInformation(episodes, random);
    const order = [...scores].sort(
      ([a, x], [b, y]) => (boosts.get(b) ?? 1) - (boosts.get(a) ?? 1) || y - x || (a < b ? -1 : 1),
    );
    const dropped = new Map<string, string>();
    for (const [id, scored] of order.slice(computeKeepCount(keep, order.length)))
      dropped.set(id, `demonstration information ${significant(scored, 3)} is among the lowest`);
    return { dropped, not_assessable: missing };
  },
});
