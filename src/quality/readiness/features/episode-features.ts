import type { Episode, Stream } from '#core/episode';
import type { ClockFeatures } from './clocks/clock-features.ts';
import { type CommonLeap, commonLeap } from './clocks/missing-rows.ts';
import { isStepped } from './clocks/stepped.ts';
import { type DimensionLeaps, dimensionLeaps } from './columns/dimension-leaps.ts';
import { exemptDimensions } from './columns/hand-dimensions.ts';
import { type UnitChange, unitChange } from './columns/unit-change.ts';
import { type CommandedPair, commandedPair } from './lag/commanded.ts';
import { type ContentLag, contentLag } from './lag/content-lag.ts';
import { type Motion, motionOf } from './motion.ts';
import { rememberClocks, type StreamFeatures, streamFeatures } from './stream-features.ts';

/** Features of an episode's streams, computed when first asked for and kept while the episode is judged. */
export interface EpisodeFeatures {
  of(stream: Stream): StreamFeatures;
  /** Of the stream's chosen clock alone, without a look at its numbers; null without a clock. */
  clock(stream: Stream): ClockFeatures | null;
  /** Dimensions of a numeric stream that no judgement of smoothness applies to: grippers, hands, switches. */
  exempt(stream: Stream): ReadonlySet<number>;
  /** Isolated steps of a numeric stream. */
  leaps(stream: Stream): DimensionLeaps;
  /** Where the numbers of a numeric stream go over to another unit, or null. */
  unitChange(stream: Stream): UnitChange | null;
  /** The commands and the state that answers them, or null. */
  pair(): CommandedPair | null;
  /** The row at which command and answer leap together in many dimensions, or null; see `missing-rows.ts`. */
  commonLeap(): CommonLeap | null;
  /** What is odd in the motion of a state or action stream, held against its partner where it has one. */
  motion(stream: Stream): Motion;
  /** By how much the state follows its command, or null where that cannot be told; see `content-lag.ts`. */
  contentLag(): ContentLag | null;
}

export function createFeatures(episode: Episode): EpisodeFeatures {
  const clock = rememberClocks();
  const of = remember((stream: Stream) => streamFeatures(stream, clock));
  const leaps = remember((stream: Stream) => dimensionLeaps(stream, of(stream)));
  // From one step to the next a command may be any multiple of what it was.
  const unit = remember((stream: Stream) =>
    stream.role === 'action' && isStepped(of(stream))
      ? null
      : unitChange(stream.series!, of(stream).samples, leaps(stream)),
  );
  const exempt = remember((stream: Stream) => exemptDimensions(episode, stream, of(stream)));
  const pair = once(() => commandedPair(episode));
  const common = once(() => {
    const streams = pair();
    if (streams === null || !streams.same_rows) return null;
    const { action, state } = streams;
    if (unit(action) !== null || unit(state) !== null) return null;
    return commonLeap(leaps(state), leaps(action));
  });
  const lag = once(() => {
    const streams = pair();
    if (streams === null) return null;
    const { action, state } = streams;
    return contentLag(streams, of(action), of(state), exempt(state));
  });
  const features: EpisodeFeatures = {
    of,
    clock,
    exempt,
    leaps,
    unitChange: unit,
    pair,
    commonLeap: common,
    motion: remember((stream: Stream) => motionOf(features, stream, partnerIn(pair(), stream))),
    contentLag: lag,
  };
  return features;
}

function partnerIn(pair: CommandedPair | null, stream: Stream): Stream | null {
  if (pair === null) return null;
  return stream === pair.state ? pair.action : stream === pair.action ? pair.state : null;
}

function remember<Key, Value>(measure: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = measure(key);
      known.set(key, value);
    }
    return value;
  };
}

function once<Value>(measure: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    if (value === undefined) value = measure();
    return value;
  };
}
