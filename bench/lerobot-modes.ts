import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanVariants } from '#test/lerobot-modes/clean/index';
import { mixes } from '#test/lerobot-modes/mixes';
import { modes } from '#test/lerobot-modes/modes/index';
import { isRefused } from '#test/lerobot-modes/oracle';
import { type PlannedSet, planClean, planModes, Studios } from '#test/lerobot-modes/plan';
import { type Tried, trySets } from '#test/lerobot-modes/run-modes';
import { accusations, tableOf } from '#test/lerobot-modes/table';
import { type Version, versions } from '#test/lerobot-modes/written-set';
import type { Bench, BenchOptions } from './bench.ts';

/** Guaranteed shares: modes that are named (minimum), and clean datasets that are reported (maximum). */
const floors = { named: 0.98, accused: 0 } as const;

/**
 * Every way in which LeRobot sets fail (`shared/design/lerobot-failures.md`), planted alone and mixed, and sound sets
 * that look odd. With ASSAY_LEROBOT_PYTHON the real loaders are asked as well.
 */
export const lerobotModesBench: Bench = {
  id: 'lerobot-modes',
  title: 'LeRobot failures: planted modes named, sound sets accused',
  async run({ quick, scratch, print }: BenchOptions) {
    const tried: Tried[] = [];
    for (const seed of quick ? [1] : [1, 2, 3]) {
      for (const version of versions) {
        const folder = await mkdtemp(join(scratch, 'lerobot-modes-'));
        const found = await trySets(folder, setsOf(version, seed), process.env.ASSAY_LEROBOT_PYTHON);
        await rm(folder, { recursive: true });
        print(`\nseed ${seed}, ${version}`);
        for (const line of tableOf(found)) print(line);
        print(summaryOf(found));
        tried.push(...found);
      }
    }
    const figures = figuresOf(tried);
    print(`\nall: ${summaryOf(tried)}`);
    return { passed: figures.named >= floors.named && figures.accused <= floors.accused, figures };
  },
};

function setsOf(version: Version, seed: number): PlannedSet[] {
  const studios = new Studios();
  const clean = cleanVariants.filter((variant) => variant.versions.includes(version));
  const alone = modes.filter((mode) => mode.versions.includes(version));
  return [
    ...clean.map((variant) => planClean(variant, version, seed, studios)),
    ...alone.flatMap((mode) => planModes(mode.id, [mode], version, seed, studios) ?? []),
    ...mixes(version, seed).flatMap((mix) => planModes(mix.id, mix.modes, version, seed, studios) ?? []),
  ];
}

function figuresOf(tried: readonly Tried[]) {
  const judged = tried.flatMap((one) => one.judged);
  const clean = tried.filter((one) => one.judged.length === 0);
  const asked = tried.filter(({ served }) => served !== null);
  const refused = asked.filter(({ served }) => served !== null && isRefused(served));
  const agrees = ({ told, served }: Tried) =>
    served !== null && told.loads !== null && (told.loads.loads === 'no') === isRefused(served);
  return {
    planted: judged.length,
    named: judged.filter(({ named }) => named).length / judged.length,
    severe: judged.filter(({ severe }) => severe).length / judged.length,
    clean: clean.length,
    accused: clean.filter((one) => accusations(one).length > 0).length,
    refusedByLoader: refused.length,
    asked: asked.length,
    agreed: asked.filter(agrees).length,
  };
}

function summaryOf(tried: readonly Tried[]): string {
  const { planted, named, severe, clean, accused, refusedByLoader, asked, agreed } = figuresOf(tried);
  const share = (value: number) => `${(100 * value).toFixed(1)} %`;
  return [
    `${planted} planted, ${share(named)} named, ${share(severe)} severely enough`,
    `${accused} of ${clean} clean sets accused`,
    `the loader refuses ${refusedByLoader} of ${asked} or serves them wrongly; Assay agrees with it on ${agreed}`,
  ].join('; ');
}
