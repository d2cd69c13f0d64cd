import type { Random } from '#core';
import type { Episode } from '#core/episode';

/** The smallest still spoils training; the largest nobody overlooks. */
export const faultSizes = ['small', 'medium', 'large'] as const;
export type FaultSize = (typeof faultSizes)[number];

/** Where something was planted; seconds since the episode's start. */
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
  /** What happens in practice that leaves this trace, and what the three sizes are. */
  readonly about: string;
  /** About time: stamps, rows, frame counts. */
  readonly timeline: boolean;
  /** Seen only against other episodes of the set: at least these many. */
  readonly peers: number;
  /** Flags any of which names the fault rightly. */
  readonly flags: readonly string[];
  /** Of aircraft alone: planted into flights and nothing else. */
  readonly flies?: true;
  /** Planted where episodes have several cameras, and nowhere else. */
  readonly several_cameras?: true;
}

/** A fault of the numbers, texts or locators. Pure; null: this episode cannot carry it. */
export interface EpisodeFault extends FaultRow {
  readonly plants: 'episode';
  plant(episode: Episode, size: FaultSize, random: Random, peers: readonly Episode[]): Planted | null;
}

/** A fault of pixels: which frames are really encoded, and at what rate. */
export interface VideoFault extends FaultRow {
  readonly plants: 'video';
  plan(frames: number, rate_hz: number, size: FaultSize, random: Random): FramePlan;
}

export type Fault = EpisodeFault | VideoFault;

export interface FramePlan {
  /** For every frame to be written the source frame it shows, or `blackFrame`. */
  readonly source: Int32Array;
  /** Rate it is written at. */
  readonly rate_hz: number;
  readonly from_s: number;
  readonly to_s: number;
  /** How it is coded, where the trait lies in that. */
  readonly coding?: FrameCoding;
}

interface FrameCoding {
  readonly codec: 'h264' | 'av1';
  /** Constant rate factor. */
  readonly quality?: number;
  readonly keyframe_every?: number;
}

export const blackFrame = -1;
