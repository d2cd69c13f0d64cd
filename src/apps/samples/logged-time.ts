import type { Random } from '#core';

/** Start of the first sample recording in nanoseconds since 1970, a date in the past. */
export const epoch_ns = 1_767_000_000_000_000_000n;

/** Simulates driver stamps at `rate_hz` from 0 to `until_s`: regular except for scheduler jitter of a few per cent. */
export function simulateDriverStamps(rate_hz: number, until_s: number, random: Random): Float64Array {
  const count = Math.floor(until_s * rate_hz);
  const phase = random.between(0, 0.5 / rate_hz);
  return Float64Array.from({ length: count }, (_, i) => {
    const jitter = Math.max(-0.15, Math.min(0.15, 0.03 * random.normal()));
    return roundToMicroseconds(phase + (i + jitter) / rate_hz + (i === 0 ? 0.15 / rate_hz : 0));
  });
}

/** Simulates arrival stamps: at least 0.5 ms after the driver stamps, never out of order. */
export function simulateArrivals(stamps: Float64Array, random: Random): Float64Array {
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
