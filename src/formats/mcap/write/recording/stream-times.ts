import { type Episode, type Stream, timesOf } from '#core/episode';

/** When the samples of a stream were taken, sent and written down, in nanoseconds. */
export interface StreamTimes {
  taken_ns(sample: number): bigint;
  sent_ns(sample: number): bigint;
  logged_ns(sample: number): bigint;
}

/** Nanoseconds of an episode's zero: its epoch where it has one; later where samples lie before an epoch of nought. */
export function episodeStart(episode: Episode): bigint {
  const start = BigInt(episode.start_ns ?? 0);
  const earliest_s = Math.min(0, ...episode.streams.map((stream) => earliest(stream)));
  const earliest_ns = start + nanoseconds(earliest_s);
  return earliest_ns < 0n ? start - earliest_ns : start;
}

function earliest({ clocks }: Stream): number {
  let least = 0;
  for (const { time_s } of clocks) for (const time of time_s) if (time < least) least = time;
  return least;
}

/** Null: it has no clock, and nobody knows a rate. */
export function streamTimes(stream: Stream, start: bigint, rate_hz: number | null): StreamTimes | null {
  const chosen = timesOf(stream);
  if (chosen === null && rate_hz === null) return null;
  const own = chosen ?? Float64Array.from({ length: stream.sample_count }, (_, i) => i / (rate_hz ?? 1));
  const of = (provenance: 'log' | 'publish') =>
    stream.clocks.find((clock) => clock.provenance === provenance)?.time_s ?? null;
  const logged = of('log') ?? own;
  const sent = of('publish') ?? logged;
  const at = (times: Float64Array) => (sample: number) => start + nanoseconds(times[sample] ?? 0);
  return { taken_ns: at(own), sent_ns: at(sent), logged_ns: at(logged) };
}

/** 0 where a time is no number. */
export function nanoseconds(time_s: number): bigint {
  return Number.isFinite(time_s) ? BigInt(Math.round(time_s * 1e9)) : 0n;
}
