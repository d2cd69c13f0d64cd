import type { FaultSize, FramePlan } from '#apps/samples';
import type { Random } from '#core';
import type { CameraEvidence, Episode, Frames, Stream } from '#core/episode';
import type { MediaService } from '#io/media';
import type { Base } from './bases.ts';
import type { BenchVerdict, DatasetJudge } from './dataset-judge.ts';
import { examineAll } from './examine.ts';
import type { CleanTrial } from './figures.ts';
import { type Clip, decodeClip, plantVideo } from './spoil-video.ts';

export interface Workbench {
  readonly scratch: string;
  readonly media: MediaService;
}

export interface TrialOptions extends Workbench {
  /** Episodes that faults of numbers and texts are planted into, a size. */
  readonly plants: number;
  /** The same for faults of pixels, which cost an encoding each. */
  readonly videoPlants: number;
  /** Sizes in which pixel faults are planted; other faults are planted in all sizes. */
  readonly videoSizes: readonly FaultSize[];
  readonly seed: number;
  /** Ids of the families and look-alikes to make; all by default. */
  readonly only?: readonly string[];
}

/** Evidence measured before serves again while a camera's pictures are untouched. */
export async function camerasOf(
  base: Base,
  clean: Episode,
  planted: Episode,
  { scratch, media }: Workbench,
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

/** Returns the measurements of the clean camera with the same location or the same images. */
function knownEvidence(base: Base, { frames }: Stream): CameraEvidence | undefined {
  for (const episode of base.episodes)
    for (const own of episode.streams)
      if (isSamePlace(own.frames, frames)) return base.cameras.get(episode.id)?.get(own.id);
  return undefined;
}

function isSamePlace(one: Frames | undefined, other: Frames | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (one === other) return true;
  const [a, b] = [one.locator, other.locator];
  return a.type === 'video' && b.type === 'video' && a.path === b.path && a.from_s === b.from_s;
}

/** Verdict on an episode with a planted fault, evaluated among the other episodes. */
export interface Made {
  readonly target: Episode;
  readonly verdict: BenchVerdict;
}

/**
 * Makes episodes of targets picked at random and judges each among its clean peers: `plants` of them, or `videoPlants`
 * of pixels, where the base has videos. A target that cannot carry it (null) is passed over, so often at the most.
 */
export async function* madeOf(
  base: Base,
  judge: DatasetJudge,
  of: 'episode' | 'video',
  random: Random,
  options: TrialOptions,
  make: (target: Episode) => Promise<Episode | null> | Episode | null,
): AsyncGenerator<Made> {
  const wanted = of === 'video' ? (base.videos ? options.videoPlants : 0) : options.plants;
  for (let tries = 0, made = 0; made < wanted && tries < wanted * 3; tries++) {
    const target = random.pick(base.targets);
    const episode = await make(target);
    if (episode === null) continue;
    made++;
    yield { target, verdict: judge.judge(episode, await camerasOf(base, target, episode, options)) };
  }
}

const clips = new WeakMap<Episode, Clip>();
let files = 0;

/** The episode with its first video written again by a plan, as H.264 or AV1 by chance; null where it has none. */
export async function filmedAgain(
  base: Base,
  target: Episode,
  planOf: (frames: number, rate_hz: number, random: Random) => FramePlan,
  random: Random,
  { scratch }: Workbench,
): Promise<Episode | null> {
  const camera = target.streams.find(({ frames }) => frames?.locator.type === 'video');
  if (camera === undefined) return null;
  const clip = clips.get(target) ?? base.filmed?.(target) ?? (await decodeClip(camera, base.root));
  clips.set(target, clip);
  const plan = planOf(clip.frames.length, clip.rate_hz, random);
  const codec = random.next() < 0.5 ? 'h264' : 'av1';
  return plantVideo(target, camera, clip, plan, scratch, `clip-${files++}.mp4`, codec);
}

/** Seeds of one row of the bench, from words that name it. */
export function hashOf(text: string): number {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return hash >>> 0;
}

/**
 * `twin`: the look-alike that the episode was made into; null: as it was recorded. A look-alike may carry less evidence
 * than what it is made of (no pictures, other dimensions), which is no accusation.
 */
export function cleanTrial(
  base: string,
  twin: string | null,
  episode: string,
  { suspicion, decision, unaccused, flags, messages }: BenchVerdict,
): CleanTrial {
  return {
    base,
    twin,
    suspicion,
    accepted: twin === null ? decision === 'accept' : unaccused,
    episode,
    flags,
    messages,
  };
}
