import { significant } from '#core';
import type { Clock, ClockChoice } from '#core/episode';

/** Stamps of one stream in nanoseconds from a common zero; what a recorder kept while messages went by. */
export interface RawClocks {
  readonly log_ns: Float64Array<ArrayBuffer>;
  /** null: never differs from the log time, so nobody wrote a publish time. */
  readonly publish_ns: Float64Array<ArrayBuffer> | null;
  /** null: the messages carry none, or every one is zero. */
  readonly stamp_ns: Float64Array<ArrayBuffer> | null;
  /** Messages whose capture time is zero, that is: not set. */
  readonly zero_stamps: number;
  /** How the capture time is called in the message: `header.stamp`. */
  readonly stamp_name: string;
  readonly log_name: string;
  /** The sender's last message is handed to whoever comes later, the recorder too. */
  readonly latched: boolean;
}

export interface ChosenClocks {
  readonly clocks: readonly Clock[];
  readonly choice: ClockChoice | null;
  /** Capture time against log time, where there is one. */
  readonly offset: ClockOffset | null;
}

export interface ClockOffset {
  readonly median_ms: number;
  readonly std_ms: number;
  /** Between the 5th and the 95th percentile. */
  readonly spread_ms: number;
  readonly backward_steps: number;
  readonly zero_stamps: number;
}

/** Further from the log time than this, stamps count from another zero (simulation, boot). */
const maxOffset_s = 3600;
/** A capture clock whose distance to the recorder's varies more than this tells latency, not capture. */
const maxSpread_s = 0.5;
/** So few messages are a map or a description, said once and handed on, whether or not the container says so. */
const mostKept = 2;
/** A few swapped stamps are a defect to be flagged, not a reason to look away to another clock. */
const maxBackwardShare = 0.02;

/**
 * Capture time first when it is there, moves forward and keeps a steady distance to the log time; then the sender's
 * time where it is one; then the log time. Every clock is kept. Times become seconds from `zero_ns`, in the same arrays.
 */
export function chooseClock(raw: RawClocks, zero_ns: number): ChosenClocks {
  // In place: the nanoseconds are not needed once the offsets are measured.
  const seconds = (stamps: Float64Array<ArrayBuffer>): Float64Array => {
    for (let i = 0; i < stamps.length; i++) stamps[i] = (stamps[i] - zero_ns) / 1e9;
    return stamps;
  };
  const clocks: Clock[] = [];
  const offset = raw.stamp_ns === null ? null : measureOffset(raw.stamp_ns, raw);
  const kept = raw.latched || raw.log_ns.length <= mostKept;
  const age_s = raw.stamp_ns === null || !kept ? 0 : ageAtStart(raw.stamp_ns, zero_ns);
  if (raw.stamp_ns !== null) {
    clocks.push({ name: raw.stamp_name, provenance: 'header', time_s: seconds(raw.stamp_ns) });
  }
  if (raw.publish_ns !== null) {
    clocks.push({ name: 'publish_time', provenance: 'publish', time_s: seconds(raw.publish_ns) });
  }
  clocks.push({ name: raw.log_name, provenance: 'log', time_s: seconds(raw.log_ns) });
  if (raw.log_ns.length === 0) return { clocks, choice: null, offset: null };
  const refusal = offset === null ? null : refusalOf(offset, raw.log_ns.length, age_s);
  if (offset !== null && refusal === null) {
    const distance = `${offset.median_ms} ms from the log time (standard deviation ${offset.std_ms} ms)`;
    return { clocks, choice: { index: 0, reason: `${raw.stamp_name} moves forward, ${distance}` }, offset };
  }
  const why =
    refusal ?? (raw.zero_stamps > 0 ? `${raw.stamp_name} is zero` : 'the messages carry no capture time');
  return { clocks, choice: fallback(clocks, raw, why), offset };
}

function fallback(clocks: readonly Clock[], raw: RawClocks, why: string): ClockChoice {
  if (raw.publish_ns === null) {
    return { index: clocks.length - 1, reason: `${why}; no publish time apart from the log time` };
  }
  if (backwardSteps(raw.publish_ns) > Math.max(2, raw.publish_ns.length * maxBackwardShare)) {
    return { index: clocks.length - 1, reason: `${why}; the publish time runs backwards` };
  }
  return { index: clocks.length - 2, reason: `${why}; the publish time differs from the log time` };
}

function refusalOf(offset: ClockOffset, samples: number, age_s: number): string | null {
  if (offset.zero_stamps > 0) return `${offset.zero_stamps} capture times are zero`;
  if (offset.backward_steps > Math.max(2, samples * maxBackwardShare)) {
    return `the capture time runs backwards ${offset.backward_steps} times`;
  }
  if (Math.abs(offset.median_ms) > maxOffset_s * 1e3) {
    return `the capture time counts from another zero (${offset.median_ms} ms from the log time)`;
  }
  if (offset.spread_ms > maxSpread_s * 1e3) {
    return `the capture time keeps no steady distance to the log time (spread ${offset.spread_ms} ms)`;
  }
  if (age_s > maxSpread_s) {
    return `it was said ${significant(age_s)} s before the recording began, and kept for those who come later`;
  }
  return null;
}

/** How long before the recording its oldest capture time lies, s. */
function ageAtStart(stamps: Float64Array, zero_ns: number): number {
  let oldest = zero_ns;
  for (let i = 0; i < stamps.length; i++) if (stamps[i] < oldest) oldest = stamps[i];
  return (zero_ns - oldest) / 1e9;
}

function measureOffset(stamps: Float64Array, raw: RawClocks): ClockOffset {
  const differences = new Float64Array(stamps.length);
  let mean = 0;
  for (let i = 0; i < stamps.length; i++) {
    differences[i] = (stamps[i] - raw.log_ns[i]) / 1e6;
    mean += differences[i];
  }
  mean /= Math.max(1, differences.length);
  let squares = 0;
  for (let i = 0; i < differences.length; i++) squares += (differences[i] - mean) ** 2;
  differences.sort();
  const at = (share: number): number =>
    differences[Math.min(differences.length - 1, Math.floor(share * differences.length))];
  return {
    median_ms: toNanosecond(at(0.5)),
    std_ms: toNanosecond(Math.sqrt(squares / differences.length)),
    spread_ms: toNanosecond(at(0.95) - at(0.05)),
    backward_steps: backwardSteps(stamps),
    zero_stamps: raw.zero_stamps,
  };
}

/** Milliseconds to six digits, and no finer than the stamps themselves. */
function toNanosecond(value_ms: number): number {
  return significant(Math.round(value_ms * 1e6) / 1e6);
}

function backwardSteps(times: Float64Array): number {
  let steps = 0;
  for (let i = 1; i < times.length; i++) if (times[i] < times[i - 1]) steps++;
  return steps;
}
