import { type SetTwin, twins } from '#apps/samples';
import { type Random, seededRandom } from '#core';
import { type CameraEvidence, type Episode, gridSide } from '#core/episode';
import type { Base } from './bases.ts';
import { type DatasetJudge, judgeOf } from './dataset-judge.ts';
import type { CleanTrial } from './figures.ts';
import {
  camerasOf,
  cleanTrial,
  filmedAgain,
  hashOf,
  madeOf,
  type TrialOptions,
  type Workbench,
} from './planting.ts';

/** Makes every sound look-alike of the base's episodes and judges it: one among its peers, or the whole set. */
export async function runTwins(
  base: Base,
  judge: DatasetJudge,
  options: TrialOptions,
): Promise<CleanTrial[]> {
  const trials: CleanTrial[] = [];
  if (base.severalCameras === true) return trials;
  for (const twin of twins) {
    if (options.only?.includes(twin.id) === false || (twin.flies === true) !== base.flies) continue;
    const random = seededRandom(hashOf(`${base.id} ${twin.id} ${options.seed}`));
    if (twin.of === 'set') {
      trials.push(...(await variedSet(base, twin, random, options)));
      continue;
    }
    const vary = (target: Episode) =>
      twin.of === 'video'
        ? filmedAgain(base, target, twin.plan, random, options)
        : twin.vary(target, random, base.episodes);
    for await (const { target, verdict } of madeOf(base, judge, twin.of, random, options, vary))
      trials.push(cleanTrial(base.id, twin.id, target.id, verdict));
  }
  return trials;
}

async function variedSet(
  base: Base,
  twin: SetTwin,
  random: Random,
  workbench: Workbench,
): Promise<CleanTrial[]> {
  const episodes = twin.vary(base.episodes, random);
  if (episodes === null) return [];
  const cameras = new Map<string, ReadonlyMap<string, CameraEvidence>>();
  for (const [i, episode] of episodes.entries()) {
    const seen = await camerasOf(base, base.episodes[i], episode, workbench);
    cameras.set(episode.id, twin.scenes === true ? inAnotherScene(seen, random) : seen);
  }
  const targets = new Set(base.targets.map(({ id }) => id));
  const varied: Base = {
    ...base,
    episodes,
    targets: episodes.filter(({ id }: Episode) => targets.has(id)),
    cameras,
  };
  const { clean } = judgeOf(varied);
  return varied.targets.map(({ id }) => cleanTrial(base.id, twin.id, id, clean.get(id)!));
}

/** The same pictures before another background: every third block of the picture is brighter or darker throughout. */
function inAnotherScene(
  cameras: ReadonlyMap<string, CameraEvidence>,
  random: Random,
): ReadonlyMap<string, CameraEvidence> {
  const blocks = gridSide * gridSide;
  const shades = Array.from({ length: blocks }, () => (random.next() < 1 / 3 ? random.between(-40, 40) : 0));
  return new Map(
    [...cameras].map(([id, evidence]) => {
      const grid = evidence.sampled.grid.map((luma, i) =>
        Math.max(0, Math.min(255, luma + shades[i % blocks])),
      );
      return [id, { ...evidence, sampled: { ...evidence.sampled, grid } }];
    }),
  );
}
