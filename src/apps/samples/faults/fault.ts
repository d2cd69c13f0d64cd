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
