import type { Random } from '#core';
import type { Episode } from '#core/episode';
import type { FramePlan } from '../faults/fault.ts';

interface TwinRow {
  readonly id: string;
  readonly title: string;
  /** What sound recordings do that looks like a fault. */
  readonly about: string;
  /** Flags that it is easily taken for. */
  readonly resembles: readonly string[];
  /** Of aircraft alone: made of flights and nothing else. */
  readonly flies?: true;
}

/** One episode that differs from its peers and is sound all the same. Pure; null: this episode cannot be varied so. */
export interface EpisodeTwin extends TwinRow {
  readonly of: 'episode';
  vary(episode: Episode, random: Random, peers: readonly Episode[]): Episode | null;
}

/**
 * A trait of the whole set: every episode is varied, ids and order stay. Pure; null: this set cannot be varied so.
 */
export interface SetTwin extends TwinRow {
  readonly of: 'set';
  /** Every episode is seen before a background of its own. */
  readonly scenes?: true;
  vary(episodes: readonly Episode[], random: Random): readonly Episode[] | null;
}

/** Pixels: which frames of one episode's video are really encoded, and at what rate. */
export interface VideoTwin extends TwinRow {
  readonly of: 'video';
  plan(frames: number, rate_hz: number, random: Random): FramePlan;
}

/** A sound variant of clean episodes that looks like a planted fault: it must stay accepted. */
export type Twin = EpisodeTwin | SetTwin | VideoTwin;
