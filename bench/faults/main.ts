import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultSizes } from '#apps/samples';
import { createMediaService } from '#io/media';
import type { Bench, BenchOptions } from '../bench.ts';
import { loadBases } from './bases.ts';
import { type CleanTrial, type Figures, figuresOf, type Trial } from './figures.ts';
import { printFigures } from './print-figures.ts';
import { type BaseTrials, runTrials } from './trials.ts';

/** Minimum detection rates that the project guarantees. */
export const floors = {
  auc: 0.98,
  aucWorst: 0.95,
  aucTimeline: 1,
  cleanAccepted: 0.99,
  right: 0.97,
} as const;

/**
 * Seeds of the half that thresholds are set on, and of the half that is reported. Real sets are split as well: every
 * second episode is planted into in one half, the others in the other.
 */
export const seedHalves = { tuning: 11, reported: 12 } as const;

/** Known faults of graded size in clean episodes, generated and real: what is detected, and under which flag. */
export const faultBench: Bench = {
  id: 'faults',
  title: 'Fault bench: known faults in clean episodes',
  async run({ quick, print }: BenchOptions) {
    const figures = await measureFaults(quick ? 'quick' : 'full', seedHalves.reported);
    printFigures(figures, 'reported', print);
    const missed = missedFloors(figures);
    for (const line of missed) print(`missed: ${line}`);
    return { passed: missed.length === 0, figures: { ...figures } };
  },
};

/**
 * Number of generated episodes and of plantings per fault. `smoke` uses no real datasets and plants pixel faults in one
 * size, as each of them costs an encoding.
 */
const sizes = {
  smoke: { demonstrations: 16, realEpisodes: 0, plants: 1, videoPlants: 1, videoSizes: ['medium'] },
  quick: { demonstrations: 18, realEpisodes: 24, plants: 2, videoPlants: 1, videoSizes: faultSizes },
  full: { demonstrations: 36, realEpisodes: 100, plants: 8, videoPlants: 4, videoSizes: faultSizes },
} as const;
export type FaultBenchSize = keyof typeof sizes;

export async function measureFaults(size: FaultBenchSize, seed: number): Promise<Figures> {
  const { trials, clean } = await runAllTrials(size, seed);
  return figuresOf(trials, clean);
}

/** `only`: ids of the families and look-alikes to make; all by default. */
export async function runAllTrials(
  size: FaultBenchSize,
  seed: number,
  only?: readonly string[],
): Promise<BaseTrials> {
  const scratch = await mkdtemp(join(tmpdir(), 'assay-faults-'));
  const media = createMediaService();
  try {
    const { demonstrations, realEpisodes, ...plants } = sizes[size];
    const trials: Trial[] = [];
    const clean: CleanTrial[] = [];
    for (const base of await loadBases({ scratch, seed, media, demonstrations, realEpisodes })) {
      const some = only === undefined ? {} : { only };
      const found = await runTrials(base, { scratch, media, seed, ...plants, ...some });
      trials.push(...found.trials);
      clean.push(...found.clean);
    }
    return { trials, clean };
  } finally {
    await media.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

export function missedFloors(figures: Figures): string[] {
  const missed: string[] = [];
  const hold = (what: string, value: number, floor: number) => {
    if (value < floor) missed.push(`${what} is ${value.toFixed(4)}, at least ${floor} is promised`);
  };
  hold('AUC over all families', figures.auc, floors.auc);
  for (const { family, auc } of figures.families) hold(`AUC of ${family}`, auc, floors.aucWorst);
  hold('AUC of the timeline families', figures.aucTimeline, floors.aucTimeline);
  hold('share of clean episodes accepted', figures.cleanAccepted, floors.cleanAccepted);
  hold('share of detections with the right flag', figures.right, floors.right);
  return missed;
}
