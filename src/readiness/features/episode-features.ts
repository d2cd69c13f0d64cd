import type { Episode, Stream } from '#episode';
import type { ClockFeatures } from './clock-features.ts';
import { type CommandedPair, commandedPair } from './commanded.ts';
import { type DimensionLeaps, dimensionLeaps } from './dimension-leaps.ts';
import { rememberClocks, type StreamFeatures, streamFeatures } from './stream-features.ts';

/** Features of an episode's streams, computed when first asked for and kept while the episode is judged. */
export interface EpisodeFeatures {
  of(stream: Stream): StreamFeatures;
  /** Of the stream's chosen clock alone, without a look at its numbers; null without a clock. */
  clock(stream: Stream): ClockFeatures | null;
  /** Isolated steps of a numeric stream. */
  leaps(stream: Stream): DimensionLeaps;
  /** The commands and the state that answers them, or null. */
  pair(): CommandedPair | null;
}

export function createFeatures(episode: Episode): EpisodeFeatures {
  const clock = rememberClocks();
  const known = new Map<Stream, StreamFeatures>();
  const knownLeaps = new Map<Stream, DimensionLeaps>();
  let pair: CommandedPair | null | undefined;
  const of = (stream: Stream): StreamFeatures => {
    let features = known.get(stream);
    if (features === undefined) {
      features = streamFeatures(stream, clock);
      known.set(stream, features);
    }
    return features;
  };
  return {
    of,
    clock,
    leaps(stream) {
      let leaps = knownLeaps.get(stream);
      if (leaps === undefined) {
        leaps = dimensionLeaps(stream, of(stream));
        knownLeaps.set(stream, leaps);
      }
      return leaps;
    },
    pair() {
      if (pair === undefined) pair = commandedPair(episode);
      return pair;
    },
  };
}
