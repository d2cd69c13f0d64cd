import type { Random } from '#core';

/** When the first sample was taken; the samples are of a day that has been. */
export const epoch_ns = 1_767_000_000_000_000_000n;

/** Stamps of a driver at `rate_hz` from 0 to `until_s`: regular but for the scheduler's jitter (a few per cent). */
export function driverStamps(rate_hz: number, until_s: number, random: Random): Float64Array {
  const count = Math.floor(until_s * rate_hz);
  const phase = random.between(0, 0.5 / rate_hz);
  return Float64Array.from({ length: count }, (_, i) => {
    const jitter = Math.max(-0.15, Math.min(0.15, 0.03 * random.normal()));
    return roundToMicroseconds(phase + (i + jitter) / rate_hz + (i === 0 ? 0.15 / rate_hz : 0));
  });
}

/** When the recorder got them: half a millisecond later and sometimes more, never out of order. */
export function arrivals(stamps: Float64Array, random: Random): Float64Array {
  let last = 0;
  return stamps.map((stamp) => {
    const late = 0.0005 + Math.min(0.008, -0.0007 * Math.log(1 - random.next()));
    last = Math.max(last + 1e-6, roundToMicroseconds(stamp + late));
    return last;
  });
}

export function nanoseconds(time_s: number, start_ns: bigint): bigint {
  return start_ns + BigInt(Math.round(time_s * 1e6)) * 1000n;
}

function roundToMicroseconds(time_s: number): number {
  return Math.round(time_s * 1e6) / 1e6;
}
