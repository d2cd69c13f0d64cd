import type { Random } from '#core';
import type { Clock, Stream, StreamRole } from '#core/episode';
import { simulateArrivals, simulateDriverStamps } from './logged-time.ts';

export interface LoggedOptions {
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
    ...common(options, clocks),
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

/** Creates a camera stream whose pictures are embedded in the log as JPEG. */
export function loggedCamera(options: LoggedOptions, width: number, height: number): Stream {
  return {
    ...common(options, simulateClocks(options)),
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

function common({ id, role }: LoggedOptions, clocks: readonly Clock[]) {
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
