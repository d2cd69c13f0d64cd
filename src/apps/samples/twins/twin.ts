import type { Random } from '#core';
import type { Episode } from '#core/episode';
import type { FramePlan } from '../faults/fault.ts';

interface TwinRow {
  readonly id: string;
  readonly title: string;
  /** Legitimate cause of the pattern that looks like a fault. */
  readonly about: string;
  /** Flags that must not be raised on it by mistake. */
  readonly resembles: readonly string[];
  /** Made of flights only. */
  readonly flies?: true;
}

/** A valid variation of one episode. `vary` is pure; it returns `null` if the episode cannot be varied this way. */
export interface EpisodeTwin extends TwinRow {
  readonly of: 'episode';
  vary(episode: Episode, random: Random, peers: readonly Episode[]): Episode | null;
}

/**
 * A valid variation of a whole set; ids and order stay. `vary` is pure; it returns `null` if the set cannot be varied
 * this way.
 */
export interface SetTwin extends TwinRow {
  readonly of: 'set';
  /** Gives every episode a background of its own. */
  readonly scenes?: true;
  vary(episodes: readonly Episode[], random: Random): readonly Episode[] | null;
}

/** A valid variation of video: decides which source frames of an episode are encoded, and at what rate. */
export interface VideoTwin extends TwinRow {
  readonly of: 'video';
  plan(frames: number, rate_hz: number, random: Random): FramePlan;
}

/** A clean control: a valid variant of clean episodes that looks like a planted fault and must be accepted. */
export type Twin = EpisodeTwin | SetTwin | VideoTwin;
