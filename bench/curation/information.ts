import { seededRandom } from '#core';
import { estimateDemonstrationInformation } from '../../src/quality/curation/measures/demonstration-information.ts';
import type { Bench } from '../bench.ts';
import { operatorSet } from './operators.ts';

const floor = 0.85;
const each = 60;
/** The method was looked at on the first half; the second is only ever printed. */
const seen = [1, 2, 3, 4];
const unseen = [101, 102, 103, 104];

/** Measures whether demonstration information ranks good operators above bad ones. */
export const informationBench: Bench = {
  id: 'curation-information',
  title: `Demonstration information: good, middling and bad operators (${each} demonstrations each)`,
  run: async ({ print, quick }) => {
    const figures: Record<string, number> = {};
    const half = (name: string, seeds: readonly number[]): number => {
      const runs = (quick ? seeds.slice(0, 1) : seeds).map(aucsOf);
      const of = (key: keyof (typeof runs)[number]): number =>
        runs.reduce((sum, run) => sum + run[key], 0) / runs.length;
      for (const key of ['good_bad', 'good_middling', 'middling_bad', 'ranked'] as const)
        figures[`${name}_${key}`] = of(key);
      const least = Math.min(...runs.map(({ ranked }) => ranked));
      print(
        `  ${name.padEnd(7)} AUC good over bad ${of('good_bad').toFixed(3)}, good over middling ${of('good_middling').toFixed(3)}, middling over bad ${of('middling_bad').toFixed(3)}; all pairs ${of('ranked').toFixed(3)} (least of a seed ${least.toFixed(3)})`,
      );
      return of('ranked');
    };
    half('seen', seen);
    const reached = half('unseen', unseen);
    print(`  asked on unseen seeds: ${floor}`);
    return { passed: reached >= floor, figures };
  },
};

function aucsOf(seed: number) {
  const { scores } = estimateDemonstrationInformation(operatorSet(seed, each), seededRandom(seed));
  const of = (skill: number) => [...scores].filter(([id]) => id.startsWith(`${skill}-`)).map(([, x]) => x);
  const good_bad = auc(of(2), of(0));
  const good_middling = auc(of(2), of(1));
  const middling_bad = auc(of(1), of(0));
  return { good_bad, good_middling, middling_bad, ranked: (good_bad + good_middling + middling_bad) / 3 };
}

/** Chance that one of the first scores above one of the second. */
function auc(high: readonly number[], low: readonly number[]): number {
  let won = 0;
  for (const a of high) for (const b of low) won += a > b ? 1 : a === b ? 0.5 : 0;
  return won / (high.length * low.length);
}
