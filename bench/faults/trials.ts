import type { CameraEvidence, Episode, Stream } from '#episode';
import { seededRandom } from '#kernel';
import type { MediaService } from '#media';
import { type Fault, type FaultSize, faultSizes, faults } from '#samples';
import type { Base } from './bases.ts';
import { type BenchVerdict, type DatasetJudge, judgeOf } from './dataset-judge.ts';
import { examineAll } from './examine.ts';
import type { CleanTrial, Trial } from './figures.ts';
import { type Clip, decodeClip, plantVideo } from './spoil-video.ts';

export interface TrialOptions {
  readonly scratch: string;
  readonly media: MediaService;
  /** Episodes that faults of numbers and texts are planted into, a size. */
  readonly plants: number;
  /** The same for faults of pixels, which cost an encoding each. */
  readonly videoPlants: number;
  readonly seed: number;
}

export interface BaseTrials {
  readonly trials: readonly Trial[];
  readonly clean: readonly CleanTrial[];
}

/** Plants every family in every size into episodes of a base and judges each among its clean peers. */
export async function runTrials(base: Base, options: TrialOptions): Promise<BaseTrials> {
  const judge = judgeOf(base);
  const trials: Trial[] = [];
  for (const fault of faults) {
    if (base.episodes.length - 1 < fault.peers || (fault.flies === true) !== base.flies) continue;
    for (const size of faultSizes) trials.push(...(await plantMany(base, judge, fault, size, options)));
  }
  const clean = base.targets.map(({ id }): CleanTrial => {
    const { suspicion, decision, flags, messages } = judge.clean.get(id)!;
    return { base: base.id, suspicion, accepted: decision === 'accept', episode: id, flags, messages };
  });
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
  const wanted = fault.plants === 'video' ? (base.videos ? options.videoPlants : 0) : options.plants;
  for (let tries = 0; trials.length < wanted && tries < wanted * 3; tries++) {
    const target = random.pick(base.targets);
    const planted =
      fault.plants === 'video'
        ? await spoiltVideo(base, fault, size, target, random, options)
        : (fault.plant(target, size, random, base.episodes)?.episode ?? null);
    if (planted === null) continue;
    const cameras = await camerasOf(base, target, planted, options);
    trials.push(
      trialOf(base, fault, size, target.id, judge.judge(planted, cameras), judge.clean.get(target.id)!),
    );
  }
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
    ...new Set(verdict.flags.filter((flag, i) => verdict.flagScores[i] < scoreBefore(before, flag))),
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

/** What the flag scored before the fault was planted; 1 where it was not up. */
function scoreBefore({ flags, flagScores }: BenchVerdict, flag: string): number {
  return Math.min(1, ...flagScores.filter((_, i) => flags[i] === flag)) - 0.05;
}

/** Evidence measured before serves again while a camera's pictures are untouched. */
async function camerasOf(
  base: Base,
  clean: Episode,
  planted: Episode,
  { scratch, media }: TrialOptions,
): Promise<ReadonlyMap<string, CameraEvidence>> {
  const out = new Map<string, CameraEvidence>();
  for (const stream of planted.streams) {
    if (stream.frames === undefined) continue;
    const known =
      knownEvidence(base, stream) ??
      (stream.frames.locator.type === 'embedded' ? base.cameras.get(clean.id)?.get(stream.id) : undefined);
    const evidence =
      known ?? (await examineAll({ ...planted, streams: [stream] }, scratch, media)).get(stream.id);
    if (evidence !== undefined) out.set(stream.id, evidence);
  }
  return out;
}

/** What was measured of the clean camera that lies at the same place. */
function knownEvidence(base: Base, { id, frames }: Stream): CameraEvidence | undefined {
  if (frames?.locator.type !== 'video') return undefined;
  const { path, from_s } = frames.locator;
  const owner = base.episodes.find((episode) =>
    episode.streams.some((own) => {
      const place = own.id === id && own.frames?.locator;
      return place && place.type === 'video' && place.path === path && place.from_s === from_s;
    }),
  );
  return owner === undefined ? undefined : base.cameras.get(owner.id)?.get(id);
}

const clips = new WeakMap<Episode, Clip>();
let files = 0;

async function spoiltVideo(
  base: Base,
  fault: Fault & { plants: 'video' },
  size: FaultSize,
  target: Episode,
  random: ReturnType<typeof seededRandom>,
  { scratch }: TrialOptions,
): Promise<Episode | null> {
  const camera = target.streams.find(({ frames }) => frames?.locator.type === 'video');
  if (camera === undefined) return null;
  const clip = clips.get(target) ?? (await decodeClip(camera, base.root));
  clips.set(target, clip);
  const plan = fault.plan(clip.frames.length, clip.rate_hz, size, random);
  return plantVideo(target, camera, clip, plan, scratch, `clip-${files++}.mp4`);
}

function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}
