import { join } from 'node:path';
import { type Random, seededRandom } from '#core';
import { encodeVideo } from '#test/support/encode-video';
import { type Codec, codecs, encodingOf, keyDistances, type Quality, qualities } from './encodings.ts';
import { draw, rate_hz, type Speed, sceneSize, strokes, type View } from './filmed-scene.ts';

/**
 * Behaviour of a camera: correct, frozen at frame `from` until frame `to` (inclusive), or at a fraction of its rate.
 */
export type CameraFault =
  | { readonly kind: 'none' }
  | { readonly kind: 'freeze'; readonly from: number; readonly to: number }
  | { readonly kind: 'repeats'; readonly rate: '1/2' | '1/3' | '4/5' };

/** One video of a scene, as its camera and its encoder delivered it. */
export interface Trial {
  readonly codec: Codec;
  readonly keyframe_every: number;
  readonly quality: Quality;
  readonly view: View;
  readonly speed: Speed;
  /** Standard deviation of the noise of the sensor, in levels. */
  readonly noise: number;
  readonly seed: number;
  readonly fault: CameraFault;
}

/** Frames of every video: 8 s. */
export const frameCount = 240;
const freezeLengths_s = [0.3, 0.5, 0.7, 1, 2, 5];
const sensorNoise = [0, 1, 2, 4];
const finalFreezeShare = 0.3;

/**
 * Plans twelve videos for every codec, key frame distance and quality: a sound one of each speed, freezes of six lengths,
 * and three fractions of the rate; view, noise and the speed of faulty ones are drawn.
 */
export function planTrials(seed: number): Trial[] {
  const random = seededRandom(seed);
  const trials: Trial[] = [];
  for (const codec of codecs)
    for (const keyframe_every of keyDistances)
      for (const quality of qualities) {
        const drawn = () => ({
          ...{ codec, keyframe_every, quality, seed: 10_000 * seed + trials.length },
          view: random.pick(['arm', 'wrist'] as const),
          noise: random.pick(sensorNoise),
        });
        const moving = () => random.pick(['slow', 'fast'] as const);
        for (const speed of ['still', 'slow', 'fast'] as const)
          trials.push({ ...drawn(), speed, fault: { kind: 'none' } });
        for (const length_s of freezeLengths_s) {
          const cell = { ...drawn(), speed: moving() };
          trials.push({
            ...cell,
            fault: planFreeze(random, positionsOf(cell), Math.round(length_s * rate_hz)),
          });
        }
        for (const rate of ['1/2', '1/3', '4/5'] as const)
          trials.push({ ...drawn(), speed: moving(), fault: { kind: 'repeats', rate } });
      }
  return trials;
}

/** Chooses where to freeze: something moves just before it, within it, and after it. Some are longer, and last to the end. */
function planFreeze(random: Random, position: Float64Array, length: number): CameraFault {
  const moves = (from: number, to: number) => distance(position, from, to);
  const last = frameCount - 1;
  const isFinal = random.next() < finalFreezeShare;
  let best = { kind: 'freeze', from: 20, to: 20 + length } as const as Extract<
    CameraFault,
    { kind: 'freeze' }
  >;
  let most = -1;
  for (let k = 0; k < 60; k++) {
    const from = random.integer(20, last - length - (isFinal ? 0 : 15));
    const to = isFinal ? last : from + length;
    const moved = Math.min(moves(from - 3, from), moves(from, from + 3), isFinal ? 99 : moves(from, to + 1));
    if (moved > most) [best, most] = [{ kind: 'freeze', from, to }, moved];
  }
  return best;
}

/** Returns how far something moved between two frames, in px. */
export function distance(position: Float64Array, a: number, b: number): number {
  return Math.hypot(position[2 * b] - position[2 * a], position[2 * b + 1] - position[2 * a + 1]);
}

/** Returns the position of what moves in the scene of a trial, as x, y of every frame, in px. */
export function positionsOf({ seed, speed }: Pick<Trial, 'seed' | 'speed'>): Float64Array {
  return strokes(seededRandom(seed), frameCount, speed);
}

/** Returns for every frame the frame of a sound camera that it shows. */
function shownFrames(fault: CameraFault): number[] {
  return Array.from({ length: frameCount }, (_, i) => {
    if (fault.kind === 'none') return i;
    if (fault.kind === 'freeze') return i > fault.from && i <= fault.to ? fault.from : i;
    if (fault.rate === '4/5') return i % 5 === 4 ? i - 1 : i;
    return Math.max(0, i - ((i + 1) % (fault.rate === '1/2' ? 2 : 3)));
  });
}

/** Draws and encodes the video of a trial into a folder, and returns its path. */
export async function film(trial: Trial, folder: string): Promise<string> {
  const path = join(folder, `${trial.seed}.mp4`);
  const pictures = draw(trial, positionsOf(trial), shownFrames(trial.fault));
  const encoding = { ...encodingOf(trial.codec, trial.keyframe_every, trial.quality), rate_hz };
  await encodeVideo(path, sceneSize.width, sceneSize.height, pictures, encoding);
  return path;
}
