import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { videoRequest } from '#test/support/camera-requests';
import { createMediaService } from '../../src/io/media/media-service.ts';
import type { Bench, BenchOptions } from '../bench.ts';
import { codecs, keyDistances, qualities } from './encodings.ts';
import { isLongEnough, type Judged, judgeTrial } from './judge-trial.ts';
import { film, planTrials, type Trial } from './trials.ts';

/** Minimum share of freezes of 0.5 s or more that are found on their place; sound cameras are never accused. */
const minFound = 0.99;

/** Frozen, slow and sound cameras in every encoding that recorders use: which are found, and which are accused. */
export const cameraEncodingsBench: Bench = {
  id: 'camera-encodings',
  title: 'Frozen, slow and sound cameras, by encoding',
  async run({ quick, scratch, print }: BenchOptions) {
    const trials = (quick ? [1] : [1, 2, 3]).flatMap(planTrials);
    const judged = await tryCameras(quick ? everyTwelfth(trials) : trials, scratch);
    for (const line of tableOf(judged)) print(`  ${line}`);
    for (const { trial, outcome, text } of judged)
      if (outcome !== 'right' && (trial.fault.kind !== 'repeats' || outcome === 'accused'))
        print(`  ${outcome}: ${JSON.stringify(trial)}: ${text === '' ? 'nothing said' : text}`);
    const figures = figuresOf(judged);
    return { passed: figures.found >= minFound && figures.accused === 0, figures };
  },
};

/** Returns one of the twelve videos of each codec, key frame distance and quality, another one each time. */
export const everyTwelfth = (trials: readonly Trial[]): Trial[] =>
  trials.filter((_, i) => i % 12 === Math.floor(i / 12) % 12);

/** Films trials, measures the videos with the real decoders, and judges them. */
export async function tryCameras(trials: readonly Trial[], scratch: string): Promise<Judged[]> {
  const folder = await mkdtemp(join(scratch, 'cameras-'));
  const service = createMediaService({ children: 2 });
  try {
    const judged: Judged[] = [];
    for (const trial of trials) {
      const path = await film(trial, folder);
      judged.push(judgeTrial(trial, await service.examine(videoRequest(path))));
      await rm(path);
    }
    return judged;
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

const kinds = ['freeze', 'none', 'repeats'] as const;
const titles = {
  freeze: 'freezes found',
  none: 'sound, not accused',
  repeats: 'slow cameras found',
} as const;

function tableOf(judged: readonly Judged[]): string[] {
  const groups: readonly (readonly [string, (trial: Trial) => boolean])[] = [
    ...codecs.map((codec) => [codec, (trial: Trial) => trial.codec === codec] as const),
    ...keyDistances.map(
      (every) => [`key frame every ${every}`, (trial: Trial) => trial.keyframe_every === every] as const,
    ),
    ...qualities.map(
      (quality) => [`${quality} quality`, (trial: Trial) => trial.quality === quality] as const,
    ),
    ...(['still', 'slow', 'fast'] as const).map(
      (speed) => [`${speed} scene`, (trial: Trial) => trial.speed === speed] as const,
    ),
    ['all', () => true],
  ];
  return groups.map(([name, isIn]) => {
    const cells = kinds.map((kind) => {
      const of = judged.filter(({ trial }) => trial.fault.kind === kind && isIn(trial));
      return `${titles[kind]} ${of.filter(({ outcome }) => outcome === 'right').length} of ${of.length}`;
    });
    return `${name.padEnd(20)} ${cells.join(', ')}`;
  });
}

function figuresOf(judged: readonly Judged[]) {
  const share = (kind: (typeof kinds)[number]) => {
    const of = judged.filter(({ trial }) => trial.fault.kind === kind && isLongEnough(trial));
    return of.filter(({ outcome }) => outcome === 'right').length / Math.max(1, of.length);
  };
  const sound = judged.filter(({ trial }) => trial.fault.kind === 'none');
  const accused = sound.filter(({ outcome }) => outcome === 'accused').length;
  return { trials: judged.length, found: share('freeze'), slow_found: share('repeats'), accused };
}
