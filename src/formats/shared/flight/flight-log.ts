import {
  type Dropout,
  type Episode,
  type Event,
  type Finding,
  type SourceRef,
  unknownOutcome,
} from '#core/episode';
import type { SignalTable } from './signal-table.ts';

const maxEvents = 4096;
const maxLabelCharacters = 1024;
/** A start that lies longer before the first sample is on another clock. */
const longestLead_us = 3_600_000_000;
const longestStep_us = 10_000_000;
const mostNamed = 16;
const maxTimePairs = 4096;
/** About what a dropout takes as an object in a list. */
const dropoutBytes = 64;
/** 2000-01-01 in µs since the UNIX epoch: no autopilot has been up that long, and no flight was logged before. */
const epochFrom_us = 946_684_800_000_000;
/** 2100-01-01. */
const epochTo_us = 4_102_444_800_000_000;

interface TimedEvent {
  readonly time_us: number;
  readonly label: string;
  readonly source: string;
}

export interface FlightIdentity {
  readonly id: string;
  readonly index: number;
  readonly locator: Episode['locator'];
  readonly robot: string | null;
}

/** What an autopilot's log holds, gathered while it is read, whatever its format: tables, events, its clock in UTC. */
export class FlightLog {
  /** Newest time seen, µs since boot: what records without a time of their own are dated by, and the end of the log. */
  last_us = 0;
  /** When the log says it starts, µs since boot; null: with its first sample. */
  start_us: number | null = null;
  /** What was gathered since the last episode: numbers, stamps and dropouts. */
  heldBytes = 0;
  /** A time far ahead of the log that nothing has borne out yet. */
  #doubted_us = Number.NaN;
  readonly #path: string;
  #tables: SignalTable[] = [];
  #events: TimedEvent[] = [];
  #eventCount = 0;
  #dropouts: { time_us: number; duration_s: number | null; lost: number | null }[] = [];
  readonly #utcOffsets_us: number[] = [];
  #utcSource = '';

  constructor(path: string) {
    this.#path = path;
  }

  hold(table: SignalTable): void {
    this.#tables.push(table);
  }

  /**
   * To be told of every row's time. One that lies far ahead is believed when a second one bears it out: the last word
   * of a topic may have been kept from another boot.
   */
  saw(time_us: number): void {
    if (!(time_us > this.last_us)) return;
    if (time_us - this.last_us < longestStep_us || Math.abs(time_us - this.#doubted_us) < longestStep_us)
      this.last_us = time_us;
    else this.#doubted_us = time_us;
  }

  event(time_us: number, label: string, source: string): void {
    this.#eventCount++;
    if (this.#events.length < maxEvents)
      this.#events.push({ time_us, label: label.slice(0, maxLabelCharacters), source });
  }

  /** The recorder says that it lost something here. */
  dropout(time_us: number, duration_s: number | null, lost: number | null): void {
    this.#dropouts.push({ time_us, duration_s, lost });
    this.heldBytes += dropoutBytes;
    const label =
      duration_s === null
        ? `recorder dropped ${lost} blocks`
        : `recorder dropout ${Math.round(duration_s * 1e3)} ms`;
    this.event(time_us, label, "the recorder's own dropout records");
  }

  /** A receiver said what time it is. */
  utc(time_us: number, utc_us: number, source: string): void {
    if (!(utc_us > epochFrom_us && utc_us < epochTo_us)) return;
    if (this.#utcSource === '') this.#utcSource = source;
    if (source === this.#utcSource && this.#utcOffsets_us.length < maxTimePairs)
      this.#utcOffsets_us.push(utc_us - time_us);
  }

  /** Ends the episode, or a part of it: what was gathered goes with it, and the log may go on. */
  finish(identity: FlightIdentity, sources: readonly SourceRef[], findings: readonly Finding[]): Episode {
    const [zero_us, end_us] = this.#span();
    const start = this.#start(zero_us);
    const untimed = this.#untimedFinding();
    const streams = this.#tables
      .flatMap((table) => table.finish(zero_us, { reason: start.reason }))
      .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
    const events = this.#takeEvents(zero_us);
    const dropouts: Dropout[] = this.#dropouts.map(({ time_us, duration_s, lost }) => ({
      time_s: (time_us - zero_us) / 1e6,
      duration_s,
      lost,
    }));
    const episode: Episode = {
      ...identity,
      sources,
      start_ns: start.start_ns,
      duration_s: Math.max(0, (end_us - zero_us) / 1e6),
      streams,
      events,
      dropouts,
      tasks: null,
      outcome: unknownOutcome,
      calibrations: [],
      grippers: [],
      labels: null,
      findings: [...findings, start.finding, ...untimed, ...this.#dropoutFinding(), ...this.#eventFinding()],
    };
    this.start_us = null;
    this.#tables = [];
    this.#events = [];
    this.#eventCount = 0;
    this.#dropouts = [];
    this.heldBytes = 0;
    return episode;
  }

  #span(): readonly [number, number] {
    const from = this.#tables.reduce(
      (least, { first_us }) => Math.min(least, first_us),
      Number.POSITIVE_INFINITY,
    );
    if (from === Number.POSITIVE_INFINITY) return [0, 0];
    const to = this.last_us;
    // Topics that seldom change are logged at the start with the stamp of their last change, long before it.
    const { start_us } = this;
    const isCredible = start_us !== null && start_us <= to && from - start_us < longestLead_us;
    return [isCredible ? start_us : Math.min(from, to), to];
  }

  #takeEvents(zero_us: number): Event[] {
    return this.#events
      .map(({ time_us, label, source }) => ({ time_s: (time_us - zero_us) / 1e6, label, source }))
      .sort((a, b) => a.time_s - b.time_s);
  }

  /** When the log's first sample was, in UTC: by a satellite receiver, or by stamps that count from 1970 themselves. */
  #start(zero_us: number): { start_ns: string | null; reason: string; finding: Finding } {
    const evidence = { start_us_since_boot: Math.round(zero_us) };
    const at = (code: string, message: string, extra = {}): Finding => ({
      ...{ code, severity: 'info', path: this.#path, message, advice: 'nothing to do' },
      evidence: { ...evidence, ...extra },
    });
    if (this.#utcOffsets_us.length > 0) {
      const offset_us = median(this.#utcOffsets_us);
      const spread_us = Math.max(...this.#utcOffsets_us.map((offset) => Math.abs(offset - offset_us)));
      const count = this.#utcOffsets_us.length;
      const said = `UTC by ${this.#utcSource}, ${count} fixes that lie at most ${(spread_us / 1e3).toFixed(0)} ms off their median`;
      return {
        start_ns: nanoseconds(zero_us + offset_us),
        reason:
          'stamped by the autopilot on its own clock since boot; the start in UTC is by its satellite receiver',
        finding: at('clock_utc', `${said}; ${sinceBoot(zero_us)}`, {
          fixes: count,
          spread_us: Math.round(spread_us),
        }),
      };
    }
    if (zero_us > epochFrom_us)
      return {
        start_ns: nanoseconds(zero_us),
        reason: 'stamped by the autopilot in microseconds since 1970',
        finding: at(
          'clock_unix_epoch',
          'the stamps count from 1970, not from boot, as a simulator on a host clock writes them',
        ),
      };
    return {
      start_ns: null,
      reason: 'stamped by the autopilot on its own clock since boot',
      finding: at(
        'clock_without_utc',
        `no satellite time was logged, so the date is not known; ${sinceBoot(zero_us)}`,
      ),
    };
  }

  #dropoutFinding(): Finding[] {
    if (this.#dropouts.length === 0) return [];
    const known = this.#dropouts.flatMap(({ duration_s }) => (duration_s === null ? [] : [duration_s]));
    const lost = this.#dropouts.reduce((sum, dropout) => sum + (dropout.lost ?? 0), 0);
    const total_ms = Math.round(known.reduce((sum, duration_s) => sum + duration_s * 1e3, 0));
    const longest_ms = Math.round(known.reduce((most, duration_s) => Math.max(most, duration_s * 1e3), 0));
    const how =
      known.length > 0 ? `${total_ms} ms in all, ${longest_ms} ms at most` : `${lost} blocks in all`;
    const count = this.#dropouts.length;
    return [
      {
        code: 'recorder_dropouts',
        severity: 'warning',
        path: this.#path,
        message: `the recorder says itself that it lost data ${count === 1 ? 'once' : `${count} times`}: ${how}`,
        advice: 'use a faster card, or log fewer topics; leave long ones out of training',
        evidence: known.length > 0 ? { count, total_ms, longest_ms } : { count, blocks: lost },
      },
    ];
  }

  #untimedFinding(): Finding[] {
    const tables = this.#tables.filter(({ untimed }) => untimed > 0);
    if (tables.length === 0) return [];
    const never = tables.filter(({ untimed, rows }) => untimed === rows);
    const before = tables.filter(({ untimed, rows }) => untimed < rows);
    const samples = before.reduce((sum, { untimed }) => sum + untimed, 0);
    const said = [
      ...(never.length === 0 ? [] : [`${namesOf(never)} never carry a time and are kept without a clock`]),
      ...(before.length === 0
        ? []
        : [
            `${samples} samples of ${namesOf(before)} carry the time 0, from before anybody published them, and were left out`,
          ]),
    ];
    return [
      {
        code: 'samples_without_time',
        severity: 'info',
        path: this.#path,
        message: said.join('; '),
        advice: 'nothing to do',
        evidence: { left_out: samples, without_clock: never.map(({ name }) => name).slice(0, mostNamed) },
      },
    ];
  }

  #eventFinding(): Finding[] {
    if (this.#eventCount <= maxEvents) return [];
    return [
      {
        code: 'events_cut',
        severity: 'info',
        path: this.#path,
        message: `the log holds ${this.#eventCount} texts and changes of state; the first ${maxEvents} are kept as events`,
        advice: 'nothing to do unless the later ones matter',
      },
    ];
  }
}

function namesOf(tables: readonly SignalTable[]): string {
  const names = tables.slice(0, mostNamed).map(({ name }) => name);
  return names.join(', ') + (tables.length > mostNamed ? ` and ${tables.length - mostNamed} more` : '');
}

const sinceBoot = (zero_us: number): string => `the log starts ${(zero_us / 1e6).toFixed(3)} s after boot`;

function nanoseconds(epoch_us: number): string {
  return String(BigInt(Math.round(epoch_us)) * 1000n);
}

/** Middle value; of an even count the upper one. 0 of nothing. */
function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return Float64Array.from(values).sort()[values.length >> 1];
}
