import { significant } from '#core';
import type { Clock, ClockChoice } from '#core/episode';
import { type Column, float64Column } from './sinks/columns.ts';

/** Timestamps of one message in nanoseconds from the recording's base; the object is reused for every message. */
export interface MessageTimes {
  log_ns: number;
  publish_ns: number;
  /** Capture time; NaN if the message has none. */
  stamp_ns: number;
  /** True if the capture time is present but zero (not set). */
  stamp_zero: boolean;
}

/** Names of the clocks in a container. */
export interface ClockNames {
  readonly log: string;
  readonly stamp: string;
}

interface TrackFinishOptions {
  /** Start of the episode, from the same base as the timestamps. */
  readonly zero_ns: number;
  readonly clocks: ClockNames;
  readonly offsets: Map<string, ClockOffset>;
  readonly latched: boolean;
}

/** Collects the clocks of one stream while it is read. Clocks that are not present take no memory. */
export class ClockTrack {
  readonly #log = float64Column();
  #publish: Column | null = null;
  #stamp: Column | null = null;
  #zeroStamps = 0;

  get count(): number {
    return this.#log.length;
  }

  /** Adds the timestamps of a message. */
  push(times: MessageTimes): void {
    if (this.#publish === null && times.publish_ns !== times.log_ns) this.#startPublish();
    this.#log.push(times.log_ns);
    if (this.#publish !== null) this.#publish.push(times.publish_ns);
    if (this.#stamp === null && this.#log.length === 1 && !Number.isNaN(times.stamp_ns)) {
      this.#stamp = float64Column();
    }
    if (this.#stamp !== null) this.#stamp.push(times.stamp_ns);
    if (times.stamp_zero) this.#zeroStamps++;
  }

  /**
   * Returns all clocks of stream `id` and the chosen one, in seconds from `zero_ns`; stores the offset of its capture
   * times in `offsets` and empties the track.
   */
  finish(id: string, { zero_ns, clocks: names, offsets, latched }: TrackFinishOptions): ChosenClocks {
    const allZero = this.#zeroStamps > 0 && this.#zeroStamps === this.#log.length;
    const chosen = chooseClock(
      {
        log_ns: this.#log.take(),
        publish_ns: this.#publish?.take() ?? null,
        stamp_ns: allZero ? null : (this.#stamp?.take() ?? null),
        zero_stamps: this.#zeroStamps,
        stamp_name: names.stamp,
        log_name: names.log,
        latched,
      },
      zero_ns,
    );
    if (chosen.offset !== null) offsets.set(id, chosen.offset);
    return chosen;
  }

  /** Starts the publish clock at the first message whose publish time differs; so far it equalled the log time. */
  #startPublish(): void {
    const logs = this.#log.copy();
    this.#publish = float64Column();
    this.#publish.append(logs, logs.length);
  }
}

/** Timestamps of one stream in nanoseconds from a common zero, as collected by a recorder. */
interface RawClocks {
  readonly log_ns: Float64Array<ArrayBuffer>;
  /** Publish times; `null` if they never differ from the log times. */
  readonly publish_ns: Float64Array<ArrayBuffer> | null;
  /** Capture times; `null` if the messages carry none or all are zero. */
  readonly stamp_ns: Float64Array<ArrayBuffer> | null;
  /** Number of messages whose capture time is zero (not set). */
  readonly zero_stamps: number;
  /** Field name of the capture time, such as `header.stamp`. */
  readonly stamp_name: string;
  readonly log_name: string;
  /** True for latched topics: late subscribers, including the recorder, receive the last message. */
  readonly latched: boolean;
}

/** All clocks of a stream and the one in use. */
interface ChosenClocks {
  readonly clocks: readonly Clock[];
  readonly choice: ClockChoice | null;
  /** Offset of the capture time from the log time; `null` without a capture time. */
  readonly offset: ClockOffset | null;
}

/** Statistics of the offset between capture time and log time. */
export interface ClockOffset {
  readonly median_ms: number;
  readonly std_ms: number;
  /** Difference between the 95th and the 5th percentile. */
  readonly spread_ms: number;
  readonly backward_steps: number;
  readonly zero_stamps: number;
}

/** Capture times further from the log time count from another zero (simulation, boot). */
const maxOffset_s = 3600;
/** If the offset varies more than this, the stamps show latency, not capture times. */
const maxSpread_s = 0.5;
/**
 * Up to this many messages, a topic is treated as latched (a map, a description), whether or not the container says so.
 */
const maxLatchedMessages = 2;
/** A few swapped timestamps are a defect to flag, not a reason to use another clock. */
const maxBackwardShare = 0.02;

/**
 * Chooses the clock of a stream: the capture time if it exists, moves forward and keeps a steady offset to the log
 * time; else the publish time if it differs from the log time; else the log time. All clocks are returned. Converts the
 * arrays in place to seconds from `zero_ns`.
 */
function chooseClock(raw: RawClocks, zero_ns: number): ChosenClocks {
  // In place, because the nanoseconds are not needed any more.
  const seconds = (stamps: Float64Array<ArrayBuffer>): Float64Array => {
    for (let i = 0; i < stamps.length; i++) stamps[i] = (stamps[i] - zero_ns) / 1e9;
    return stamps;
  };
  const clocks: Clock[] = [];
  const offset = raw.stamp_ns === null ? null : measureOffset(raw.stamp_ns, raw);
  const isLatched = raw.latched || raw.log_ns.length <= maxLatchedMessages;
  const age_s = raw.stamp_ns === null || !isLatched ? 0 : ageAtStart(raw.stamp_ns, zero_ns);
  if (raw.stamp_ns !== null) {
    clocks.push({ name: raw.stamp_name, provenance: 'header', time_s: seconds(raw.stamp_ns) });
  }
  if (raw.publish_ns !== null) {
    clocks.push({ name: 'publish_time', provenance: 'publish', time_s: seconds(raw.publish_ns) });
  }
  clocks.push({ name: raw.log_name, provenance: 'log', time_s: seconds(raw.log_ns) });
  if (raw.log_ns.length === 0) return { clocks, choice: null, offset: null };
  const refusal = offset === null ? null : explainRejection(offset, raw.log_ns.length, age_s);
  if (offset !== null && refusal === null) {
    const distance = `${offset.median_ms} ms from the log time (standard deviation ${offset.std_ms} ms)`;
    return {
      clocks,
      choice: { index: 0, reason: `${raw.stamp_name} increases steadily, ${distance}` },
      offset,
    };
  }
  const why =
    refusal ?? (raw.zero_stamps > 0 ? `${raw.stamp_name} is zero` : 'the messages carry no capture time');
  return { clocks, choice: fallback(clocks, raw, why), offset };
}

function fallback(clocks: readonly Clock[], raw: RawClocks, why: string): ClockChoice {
  if (raw.publish_ns === null) {
    return { index: clocks.length - 1, reason: `${why}; no publish time besides the log time` };
  }
  if (backwardSteps(raw.publish_ns) > Math.max(2, raw.publish_ns.length * maxBackwardShare)) {
    return { index: clocks.length - 1, reason: `${why}; the publish time goes backwards` };
  }
  return { index: clocks.length - 2, reason: `${why}; the publish time differs from the log time` };
}

function explainRejection(offset: ClockOffset, samples: number, age_s: number): string | null {
  if (offset.zero_stamps > 0) return `${offset.zero_stamps} capture times are zero`;
  if (offset.backward_steps > Math.max(2, samples * maxBackwardShare)) {
    return `the capture time goes backwards ${offset.backward_steps} times`;
  }
  if (Math.abs(offset.median_ms) > maxOffset_s * 1e3) {
    return `the capture time has a different epoch (${offset.median_ms} ms from the log time)`;
  }
  if (offset.spread_ms > maxSpread_s * 1e3) {
    return `the offset between capture time and log time is unstable (spread ${offset.spread_ms} ms)`;
  }
  if (age_s > maxSpread_s) {
    return `latched message, published ${significant(age_s)} s before the recording started`;
  }
  return null;
}

/** Returns how many seconds the oldest capture time lies before the start of the recording. */
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

/** Rounds milliseconds to six significant digits and to whole nanoseconds. */
function toNanosecond(value_ms: number): number {
  return significant(Math.round(value_ms * 1e6) / 1e6);
}

function backwardSteps(times: Float64Array): number {
  let steps = 0;
  for (let i = 1; i < times.length; i++) if (times[i] < times[i - 1]) steps++;
  return steps;
}
