import type { Episode, Stream } from '#core/episode';
import type { ClockFeatures } from './clock-features.ts';
import { type CommandPair, findCommandPair } from './command-pair.ts';
import { type ContentLag, measureContentLag } from './content-lag.ts';
import {
  type DimensionLeaps,
  findDimensionLeaps,
  findUnitChange,
  type UnitChange,
} from './dimension-leaps.ts';
import { findExemptDimensions } from './hand-dimensions.ts';
import { type CommonLeap, findCommonLeap } from './missing-rows.ts';
import { type Motion, measureMotion } from './motion.ts';
import {
  computeStreamFeatures,
  createClockCache,
  isStepped,
  type StreamFeatures,
} from './stream-features.ts';

/** Features of an episode's streams, computed on first use and cached while the episode is measured. */
export interface EpisodeFeatures {
  forStream(stream: Stream): StreamFeatures;
  /** Returns statistics of the stream's chosen clock, without reading its values; `null` without a clock. */
  clock(stream: Stream): ClockFeatures | null;
  /**
   * Returns the dimensions of a numeric stream that are exempt from smoothness checks: grippers, hands,
   * switches.
   */
  exempt(stream: Stream): ReadonlySet<number>;
  /** Returns the isolated leaps of a numeric stream. */
  leaps(stream: Stream): DimensionLeaps;
  /** Returns the change of unit within a numeric stream; `null` if there is none. */
  unitChange(stream: Stream): UnitChange | null;
  /** Returns the action stream and the state stream that follows it; `null` if either is absent. */
  pair(): CommandPair | null;
  /**
   * Returns the row at which action and state leap together in many dimensions; `null` if there is none. See
   * `missing-rows.ts`.
   */
  commonLeap(): CommonLeap | null;
  /**
   * Measures anomalies in the motion of a state or action stream, compared with its partner stream if it has
   * one.
   */
  motion(stream: Stream): Motion;
  /**
   * Returns the lag of the state behind its command; `null` if it cannot be measured. See `content-lag.ts`.
   */
  contentLag(): ContentLag | null;
}

/** Creates the features of an episode as functions that compute on the first call and cache the result. */
export function createFeatures(episode: Episode): EpisodeFeatures {
  const clock = createClockCache();
  const of = memoize((stream: Stream) => computeStreamFeatures(stream, clock));
  const leaps = memoize((stream: Stream) => findDimensionLeaps(stream, of(stream)));
  // A stepped command may change by any factor, so a factor shows no change of unit.
  const unit = memoize((stream: Stream) =>
    stream.role === 'action' && isStepped(of(stream))
      ? null
      : findUnitChange(stream.series!, of(stream).samples, leaps(stream)),
  );
  const exempt = memoize((stream: Stream) => findExemptDimensions(episode, stream, of(stream)));
  const pair = memoizeOnce(() => findCommandPair(episode));
  const common = memoizeOnce(() => {
    const streams = pair();
    if (streams === null || !streams.same_rows) return null;
    const { action, state } = streams;
    if (unit(action) !== null || unit(state) !== null) return null;
    return findCommonLeap(leaps(state), leaps(action));
  });
  const lag = memoizeOnce(() => {
    const streams = pair();
    if (streams === null) return null;
    const { action, state } = streams;
    return measureContentLag(streams, of(action), of(state), exempt(state));
  });
  const features: EpisodeFeatures = {
    forStream: of,
    clock,
    exempt,
    leaps,
    unitChange: unit,
    pair,
    commonLeap: common,
    motion: memoize((stream: Stream) => measureMotion(features, stream, findPartner(pair(), stream))),
    contentLag: lag,
  };
  return features;
}

function findPartner(pair: CommandPair | null, stream: Stream): Stream | null {
  if (pair === null) return null;
  return stream === pair.state ? pair.action : stream === pair.action ? pair.state : null;
}

function memoize<Key, Value>(measure: (key: Key) => Value): (key: Key) => Value {
  const cache = new Map<Key, Value>();
  return (key) => {
    let value = cache.get(key);
    if (value === undefined) {
      value = measure(key);
      cache.set(key, value);
    }
    return value;
  };
}

function memoizeOnce<Value>(measure: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    if (value === undefined) value = measure();
    return value;
  };
}
