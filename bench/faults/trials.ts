import { type Fault, type FaultSize, faultSizes, faults } from '#apps/samples';
import { seededRandom } from '#core';
import type { Episode } from '#core/episode';
import type { Base } from './bases.ts';
import { type BenchVerdict, type DatasetJudge, judgeOf } from './dataset-judge.ts';
import type { CleanTrial, Trial } from './figures.ts';
import { cleanTrial, filmedAgain, hashOf, madeOf, type TrialOptions } from './planting.ts';
import { runTwins } from './twin-trials.ts';

export interface BaseTrials {
  readonly trials: readonly Trial[];
  readonly clean: readonly CleanTrial[];
}

/**
 * Plants every family in its sizes into episodes of a base and judges each among its clean peers; then the clean
 * episodes themselves, and their sound look-alikes.
 */
export async function runTrials(base: Base, options: TrialOptions): Promise<BaseTrials> {
  const judge = judgeOf(base);
  const trials: Trial[] = [];
  for (const fault of faults) {
    if (options.only?.includes(fault.id) === false) continue;
    if ((fault.several_cameras === true) !== (base.severalCameras === true)) continue;
    if (base.episodes.length - 1 < fault.peers || (fault.flies === true) !== base.flies) continue;
    const sizes = fault.plants === 'video' ? options.videoSizes : faultSizes;
    for (const size of sizes) trials.push(...(await plantMany(base, judge, fault, size, options)));
  }
  const clean = base.targets.map(({ id }) => cleanTrial(base.id, null, id, judge.clean.get(id)!));
  clean.push(...(await runTwins(base, judge, options)));
  return { trials, clean };
}

async function plantMany(
  base: Base,
  judge: DatasetJudge,
  fault: Fault,
  size: FaultSize,
  options: TrialOptions,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  const random = seededRandom(hashOf(`${base.id} ${fault.id} ${size} ${options.seed}`));
  const plant = (target: Episode) =>
    fault.plants === 'video'
      ? filmedAgain(
          base,
          target,
          (frames, rate_hz) => fault.plan(frames, rate_hz, size, random),
          random,
          options,
        )
      : (fault.plant(target, size, random, base.episodes)?.episode ?? null);
  for await (const { target, verdict } of madeOf(base, judge, fault.plants, random, options, plant))
    trials.push(trialOf(base, fault, size, target.id, verdict, judge.clean.get(target.id)!));
  return trials;
}

function trialOf(
  base: Base,
  fault: Fault,
  size: FaultSize,
  episode: string,
  verdict: BenchVerdict,
  before: BenchVerdict,
): Trial {
  const raised = [
    ...new Set(verdict.flags.filter((flag, i) => verdict.flagScores[i] < boundBefore(before, flag))),
  ];
  return {
    family: fault.id,
    timeline: fault.timeline,
    size,
    base: base.id,
    episode,
    suspicion: verdict.suspicion,
    raised,
    right: raised.some((flag) => fault.flags.includes(flag)),
  };
}

/** A flag that was up before the fault was planted is raised by it only where it scores so much less. */
const leastDrop = 0.05;

/** Returns the score below which a flag counts as raised by the fault: 0.05 below its earlier score, or below 1 without one. */
function boundBefore({ flags, flagScores }: BenchVerdict, flag: string): number {
  return Math.min(1, ...flagScores.filter((_, i) => flags[i] === flag)) - leastDrop;
}
