import { type Episode, type Stream, timesOf } from '#core/episode';
import type { McapSchema } from './schemas.ts';

/** An encoded message with its times. */
export interface TrackMessage {
  readonly log_ns: bigint;
  readonly publish_ns: bigint;
  readonly data: Uint8Array;
}

/** A topic with its messages in recording order. */
export interface Track {
  readonly topic: string;
  readonly schema: McapSchema;
  /** Channel metadata: unit, names, role. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly messages: AsyncGenerator<TrackMessage>;
}

/**
 * Yields the messages of all tracks in the order of their log times; each track keeps its own order. Ends all tracks
 * when it ends.
 */
export async function* mergeByLogTime(
  tracks: readonly Track[],
): AsyncGenerator<readonly [track: number, message: TrackMessage]> {
  const heads: (TrackMessage | null)[] = [];
  const next = async (track: number) => {
    const { value, done } = await tracks[track].messages.next();
    heads[track] = done === true ? null : value;
  };
  try {
    for (const track of tracks.keys()) await next(track);
    while (true) {
      let first = -1;
      for (const [track, head] of heads.entries())
        if (head !== null && (first === -1 || head.log_ns < heads[first]!.log_ns)) first = track;
      if (first === -1) return;
      yield [first, heads[first]!];
      await next(first);
    }
  } finally {
    for (const { messages } of tracks) await messages.return(undefined);
  }
}

/** Times at which the samples of a stream were taken, published and logged, in nanoseconds. */
export interface StreamTimes {
  taken_ns(sample: number): bigint;
  sent_ns(sample: number): bigint;
  logged_ns(sample: number): bigint;
}

/**
 * Returns the timestamp of the episode's zero in ns: its epoch or 0, shifted later if samples would have negative
 * timestamps.
 */
export function computeEpisodeStart_ns(episode: Episode): bigint {
  const start = BigInt(episode.start_ns ?? 0);
  const earliest_s = Math.min(0, ...episode.streams.map((stream) => findEarliestTime_s(stream)));
  const earliest_ns = start + toNanoseconds(earliest_s);
  return earliest_ns < 0n ? start - earliest_ns : start;
}

/** Returns the earliest negative sample time of all clocks, in seconds; 0 if there is none. */
function findEarliestTime_s({ clocks }: Stream): number {
  let least = 0;
  for (const { time_s } of clocks) for (const time of time_s) if (time < least) least = time;
  return least;
}

/**
 * Returns the sample times of a stream from its clocks, or from `rate_hz`; `null` if it has no clock and the rate is
 * `null`.
 */
export function resolveStreamTimes(
  stream: Stream,
  start: bigint,
  rate_hz: number | null,
): StreamTimes | null {
  const chosen = timesOf(stream);
  if (chosen === null && rate_hz === null) return null;
  const own = chosen ?? Float64Array.from({ length: stream.sample_count }, (_, i) => i / (rate_hz ?? 1));
  const of = (provenance: 'log' | 'publish') =>
    stream.clocks.find((clock) => clock.provenance === provenance)?.time_s ?? null;
  const logged = of('log') ?? own;
  const sent = of('publish') ?? logged;
  const at = (times: Float64Array) => (sample: number) => start + toNanoseconds(times[sample] ?? 0);
  return { taken_ns: at(own), sent_ns: at(sent), logged_ns: at(logged) };
}

/** Converts seconds to nanoseconds; 0 for NaN and Infinity. */
export function toNanoseconds(time_s: number): bigint {
  return Number.isFinite(time_s) ? BigInt(Math.round(time_s * 1e9)) : 0n;
}
