import type { Random } from '#core';
import type { Episode } from '#core/episode';

/** Fault sizes: the smallest still harms training, the largest is obvious. */
export const faultSizes = ['small', 'medium', 'large'] as const;
export type FaultSize = (typeof faultSizes)[number];

/** Stream and time span of a planted fault, in seconds since the start of the episode. */
export interface PlantedMark {
  readonly stream: string;
  readonly from_s: number;
  readonly to_s: number;
  readonly dimension?: number;
}

export interface Planted {
  readonly episode: Episode;
  readonly marks: readonly PlantedMark[];
}

interface FaultRow {
  readonly id: string;
  readonly title: string;
  /** Real-world cause of the fault, and its three sizes. */
  readonly about: string;
  /** `true` if the fault concerns time: stamps, rows or frame counts. */
  readonly timeline: boolean;
  /** Minimum number of other episodes needed to detect the fault. */
  readonly peers: number;
  /** Flags that count as a correct detection; one of them suffices. */
  readonly flags: readonly string[];
  /** Planted into flights only. */
  readonly flies?: true;
  /** Planted only into episodes with several cameras. */
  readonly several_cameras?: true;
}

/** A fault in values, texts or locators. `plant` is pure; it returns `null` if the episode cannot carry the fault. */
export interface EpisodeFault extends FaultRow {
  readonly plants: 'episode';
  plant(episode: Episode, size: FaultSize, random: Random, peers: readonly Episode[]): Planted | null;
}

/** A fault in video: decides which source frames are encoded, and at what rate. */
export interface VideoFault extends FaultRow {
  readonly plants: 'video';
  plan(frames: number, rate_hz: number, size: FaultSize, random: Random): FramePlan;
}

export type Fault = EpisodeFault | VideoFault;

/** Frames and encoding of a video; `from_s` and `to_s` delimit the fault. */
export interface FramePlan {
  /** Source frame of each written frame, or `blackFrame`. */
  readonly source: Int32Array;
  /** Frame rate of the written video. */
  readonly rate_hz: number;
  readonly from_s: number;
  readonly to_s: number;
  /** Encoder settings, if they matter for the test. */
  readonly coding?: FrameCoding;
}

interface FrameCoding {
  readonly codec: 'h264' | 'av1';
  /** Constant rate factor. */
  readonly quality?: number;
  readonly keyframe_every?: number;
}

/** Source index that stands for a black frame. */
export const blackFrame = -1;

/** Returns a plan that shows every frame unchanged. */
export function identityPlan(frames: number, rate_hz: number): FramePlan {
  return { source: Int32Array.from({ length: frames }, (_, i) => i), rate_hz, from_s: 0, to_s: 0 };
}

/**
 * Returns a plan in which a random run of `share` of the frames is replaced. `show` returns the source frame for a
 * frame and the first frame of the run.
 */
export function replaceRun(
  frames: number,
  rate_hz: number,
  share: number,
  random: Random,
  show: (index: number, first: number) => number,
): FramePlan {
  const length = Math.max(1, Math.round(frames * share));
  const first = random.integer(0, frames - length);
  const { source } = identityPlan(frames, rate_hz);
  for (let i = first; i < first + length; i++) source[i] = show(i, first);
  return { source, rate_hz, from_s: first / rate_hz, to_s: (first + length) / rate_hz };
}
