import type { Random } from '#core';
import { type Clock, type Episode, type Stream, type StreamRole, unknownOutcome } from '#core/episode';

interface LoggedEpisodeOptions {
  readonly id: string;
  readonly index: number;
  /** Seconds between the starts of consecutive recordings. */
  readonly every_s: number;
  readonly duration_s: number;
  readonly streams: readonly Stream[];
  readonly robot: string;
  /** Task text, published on `/task`; `null` if there is none. */
  readonly task: string | null;
}

/** Builds an episode that is recorded as a separate MCAP file. */
export function loggedEpisode(options: LoggedEpisodeOptions): Episode {
  const { id, index, every_s, duration_s, streams, robot, task } = options;
  return {
    id,
    index,
    locator: { format: 'mcap', path: `${id}.mcap` },
    sources: [],
    start_ns: String(epoch_ns + BigInt(index) * BigInt(every_s) * 1_000_000_000n),
    duration_s,
    streams,
    events: [],
    tasks: task === null ? null : [{ text: task, source: '/task' }],
    outcome: unknownOutcome,
    robot,
    calibrations: [],
    grippers: [],
    labels: null,
    findings: [],
  };
}

interface LoggedOptions {
  readonly id: string;
  readonly role: StreamRole;
  readonly rate_hz: number;
  readonly until_s: number;
  readonly random: Random;
}

/**
 * Creates a numeric stream with driver stamps (the chosen clock) and arrival stamps; `valuesAt` computes row-major
 * values at the driver stamps.
 */
export function loggedNumbers(
  options: LoggedOptions,
  names: readonly string[],
  valuesAt: (times: Float64Array) => Float64Array,
): Stream {
  const clocks = simulateClocks(options);
  const { time_s } = clocks[0];
  return {
    ...commonFields(options, clocks),
    modality: 'numeric',
    shape: [names.length],
    names,
    unit: { unit: 'mixed', evidence: 'known_format', reason: 'SI units' },
    series: { values: valuesAt(time_s), dims: names.length },
  };
}

/** Creates a numeric stream from a function that returns the values at a time. */
export function sampledNumbers(
  options: LoggedOptions,
  names: readonly string[],
  row: (time_s: number) => readonly number[],
): Stream {
  return loggedNumbers(options, names, (times) => {
    const out = new Float64Array(times.length * names.length);
    for (let i = 0; i < times.length; i++) out.set(row(times[i]), i * names.length);
    return out;
  });
}

/**
 * Describes a camera stream of JPEGs embedded in the log, without creating pictures; draws driver and arrival stamps at
 * about `rate_hz` up to `until_s` from `options.random`.
 */
export function loggedCamera(options: LoggedOptions, width: number, height: number): Stream {
  return {
    ...commonFields(options, simulateClocks(options)),
    modality: 'image',
    shape: [height, width, 3],
    names: null,
    unit: { unit: 'unknown', evidence: 'unknown', reason: 'pictures' },
    frames: {
      locator: { type: 'embedded', path: 'episode.mcap', channel: options.id, encoding: 'jpeg' },
      declared_size_px: [width, height],
      declared_codec: 'jpeg',
    },
  };
}

function commonFields({ id, role }: LoggedOptions, clocks: readonly Clock[]) {
  return {
    id,
    role,
    declared_rate_hz: null,
    sample_count: clocks[0].time_s.length,
    clocks,
    clock: { index: 0, reason: 'stamped by the driver' },
  };
}

function simulateClocks({ rate_hz, until_s, random }: LoggedOptions): Clock[] {
  const time_s = simulateDriverStamps(rate_hz, until_s, random);
  return [
    { name: 'header.stamp', provenance: 'header', time_s },
    { name: 'log_time', provenance: 'log', time_s: simulateArrivals(time_s, random) },
  ];
}

/** Start of the first sample recording in nanoseconds since 1970, a date in the past. */
const epoch_ns = 1_767_000_000_000_000_000n;

/** Simulates driver stamps at `rate_hz` from 0 to `until_s`: regular except for scheduler jitter of a few per cent. */
function simulateDriverStamps(rate_hz: number, until_s: number, random: Random): Float64Array {
  const count = Math.floor(until_s * rate_hz);
  const phase = random.between(0, 0.5 / rate_hz);
  return Float64Array.from({ length: count }, (_, i) => {
    const jitter = Math.max(-0.15, Math.min(0.15, 0.03 * random.normal()));
    return roundToMicroseconds(phase + (i + jitter) / rate_hz + (i === 0 ? 0.15 / rate_hz : 0));
  });
}

/** Simulates arrival stamps: at least 0.5 ms after the driver stamps, never out of order. */
function simulateArrivals(stamps: Float64Array, random: Random): Float64Array {
  let last = 0;
  return stamps.map((stamp) => {
    const late = 0.0005 + Math.min(0.008, -0.0007 * Math.log(1 - random.next()));
    last = Math.max(last + 1e-6, roundToMicroseconds(stamp + late));
    return last;
  });
}

/** Converts seconds after `start_ns` to nanoseconds, rounded to microseconds. */
export function toNanoseconds(time_s: number, start_ns: bigint): bigint {
  return start_ns + BigInt(Math.round(time_s * 1e6)) * 1000n;
}

function roundToMicroseconds(time_s: number): number {
  return Math.round(time_s * 1e6) / 1e6;
}

/** Builds a sensor_msgs/NavSatFix message from latitude and longitude in degrees and altitude in metres. */
export const satelliteFix = (header: object, [latitude, longitude, altitude]: readonly number[]): object => ({
  header,
  status: { status: 0, service: 1 },
  latitude,
  longitude,
  altitude,
  position_covariance: new Array<number>(9).fill(0),
  position_covariance_type: 0,
});
