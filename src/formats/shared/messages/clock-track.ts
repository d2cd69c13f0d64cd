import { type ChosenClocks, type ClockOffset, chooseClock } from './clock-choice.ts';
import { type Column, float64Column } from './sinks/columns.ts';

/** Stamps of one message, nanoseconds from the recording's base; one object, filled anew for every message. */
export interface MessageTimes {
  log_ns: number;
  publish_ns: number;
  /** NaN: the message carries no capture time. */
  stamp_ns: number;
  /** The capture time is there and zero: not set. */
  stamp_zero: boolean;
}

/** What the recorder of a container calls its clocks. */
export interface ClockNames {
  readonly log: string;
  readonly stamp: string;
}

interface TrackFinishing {
  /** Where the episode's time starts, from the same base as the stamps. */
  readonly zero_ns: number;
  readonly clocks: ClockNames;
  readonly offsets: Map<string, ClockOffset>;
  readonly latched: boolean;
}

/** The clocks of one stream while it is being read. A clock nobody wrote costs no memory. */
export class ClockTrack {
  readonly #log = float64Column();
  #publish: Column | null = null;
  #stamp: Column | null = null;
  #zeroStamps = 0;

  get count(): number {
    return this.#log.length;
  }

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

  /** Ends the track of stream `id`; notes how far its capture times lie from its log times. */
  finish(id: string, { zero_ns, clocks: names, offsets, latched }: TrackFinishing): ChosenClocks {
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

  /** The first message whose publish time differs: until here it equalled the log time. */
  #startPublish(): void {
    const logs = this.#log.copy();
    this.#publish = float64Column();
    this.#publish.append(logs, logs.length);
  }
}
