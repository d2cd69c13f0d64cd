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
/** A start time further before the first sample is on another clock. */
const maxLead_us = 3_600_000_000;
const maxStep_us = 10_000_000;
const maxNamesShown = 16;
const maxTimePairs = 4096;
/** Approximate memory of one dropout object. */
const dropoutBytes = 64;
/** 2000-01-01 in µs since the UNIX epoch: later than any time since boot, earlier than any logged flight. */
const minUnixTime_us = 946_684_800_000_000;
/** 2100-01-01 in µs since the UNIX epoch. */
const maxUnixTime_us = 4_102_444_800_000_000;

interface TimedEvent {
  readonly time_us: number;
  readonly label: string;
  readonly source: string;
}

/** Identity of the episode of a flight log. */
export interface FlightIdentity {
  readonly id: string;
  readonly index: number;
  readonly locator: Episode['locator'];
  readonly robot: string | null;
}

/** Collects the content of an autopilot log of any format: tables, events, dropouts and the UTC clock. */
export class FlightLog {
  /** Latest time in µs since boot: used for records without a time, and as the end of the log. */
  last_us = 0;
  /** Declared start in µs since boot; `null` to start with the first sample. */
  start_us: number | null = null;
  /** Reason of the clocks if times are UTC by the clock of a recorder on the ground; `null` if they are the autopilot's. */
  recorderClock: string | null = null;
  /** Bytes of numbers, timestamps and dropouts collected since the last episode. */
  heldBytes = 0;
  /** A time far ahead of the log that is not confirmed yet. */
  #unconfirmed_us = Number.NaN;
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

  /** Adds a table, whose streams go into the next episode. */
  addTable(table: SignalTable): void {
    this.#tables.push(table);
  }

  /**
   * Advances `last_us` to the time of a row; earlier times are ignored, and a time more than 10 s ahead counts once a
   * second one confirms it. Call it for every row. The last message of a topic may be from an earlier boot.
   */
  observeTime(time_us: number): void {
    if (!(time_us > this.last_us)) return;
    if (time_us - this.last_us < maxStep_us || Math.abs(time_us - this.#unconfirmed_us) < maxStep_us)
      this.last_us = time_us;
    else this.#unconfirmed_us = time_us;
  }

  /** Adds an event with a shortened label; only the first 4096 are stored, further ones are counted. */
  addEvent(time_us: number, label: string, source: string): void {
    this.#eventCount++;
    if (this.#events.length < maxEvents)
      this.#events.push({ time_us, label: label.slice(0, maxLabelCharacters), source });
  }

  /** Adds a dropout reported by the recorder, and an event for it. */
  addDropout(time_us: number, duration_s: number | null, lost: number | null): void {
    this.#dropouts.push({ time_us, duration_s, lost });
    this.heldBytes += dropoutBytes;
    const label =
      duration_s === null
        ? `recorder dropped ${lost} blocks`
        : `recorder dropout ${Math.round(duration_s * 1e3)} ms`;
    this.addEvent(time_us, label, 'dropout records of the logger');
  }

  /**
   * Adds a UTC time from a satellite receiver; times before 2000 or after 2100 and those of other sources than the
   * first are ignored.
   */
  addUtcFix(time_us: number, utc_us: number, source: string): void {
    if (!(utc_us > minUnixTime_us && utc_us < maxUnixTime_us)) return;
    if (this.#utcSource === '') this.#utcSource = source;
    if (source === this.#utcSource && this.#utcOffsets_us.length < maxTimePairs)
      this.#utcOffsets_us.push(utc_us - time_us);
  }

  /**
   * Returns the collected content as an episode, with times in seconds from its start, and clears the log, which may
   * continue.
   */
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
    // Rarely changing topics are logged at the start with the time of their last change, long before it.
    const { start_us } = this;
    const isCredible = start_us !== null && start_us <= to && from - start_us < maxLead_us;
    return [isCredible ? start_us : Math.min(from, to), to];
  }

  #takeEvents(zero_us: number): Event[] {
    return this.#events
      .map(({ time_us, label, source }) => ({ time_s: (time_us - zero_us) / 1e6, label, source }))
      .sort((a, b) => a.time_s - b.time_s);
  }

  /**
   * Determines the UTC time of the log's start from satellite fixes, or from timestamps that count from 1970; null if
   * neither is there.
   */
  #start(zero_us: number): { start_ns: string | null; reason: string; finding: Finding } {
    const evidence = { start_us_since_boot: Math.round(zero_us) };
    const at = (code: string, message: string, extra = {}): Finding => ({
      ...{ code, severity: 'info', path: this.#path, message, advice: 'nothing to do' },
      evidence: { ...evidence, ...extra },
    });
    if (this.recorderClock !== null)
      return {
        start_ns: nanoseconds(zero_us),
        reason: this.recorderClock,
        finding: at('clock_utc', 'UTC is that of the ground station that recorded the link'),
      };
    if (this.#utcOffsets_us.length > 0) {
      const offset_us = median(this.#utcOffsets_us);
      const spread_us = Math.max(...this.#utcOffsets_us.map((offset) => Math.abs(offset - offset_us)));
      const count = this.#utcOffsets_us.length;
      const description = `UTC from ${this.#utcSource}: ${count} ${count === 1 ? 'fix' : 'fixes'}, at most ${(spread_us / 1e3).toFixed(0)} ms from the median`;
      return {
        start_ns: nanoseconds(zero_us + offset_us),
        reason: 'timestamps are autopilot time since boot; the UTC start time is from its GNSS receiver',
        finding: at('clock_utc', `${description}; ${sinceBoot(zero_us)}`, {
          fixes: count,
          spread_us: Math.round(spread_us),
        }),
      };
    }
    if (zero_us > minUnixTime_us)
      return {
        start_ns: nanoseconds(zero_us),
        reason: 'timestamps are autopilot time in microseconds since 1970',
        finding: at(
          'clock_unix_epoch',
          'timestamps count from 1970 instead of boot, which is typical of a simulator using the host clock',
        ),
      };
    return {
      start_ns: null,
      reason: 'timestamps are autopilot time since boot',
      finding: at(
        'clock_without_utc',
        `no GNSS time was logged, so the date is unknown; ${sinceBoot(zero_us)}`,
      ),
    };
  }

  #dropoutFinding(): Finding[] {
    if (this.#dropouts.length === 0) return [];
    const durations = this.#dropouts.flatMap(({ duration_s }) => (duration_s === null ? [] : [duration_s]));
    const lost = this.#dropouts.reduce((sum, dropout) => sum + (dropout.lost ?? 0), 0);
    const total_ms = Math.round(durations.reduce((sum, duration_s) => sum + duration_s * 1e3, 0));
    const longest_ms = Math.round(
      durations.reduce((most, duration_s) => Math.max(most, duration_s * 1e3), 0),
    );
    const how =
      durations.length > 0 ? `${total_ms} ms in total, longest ${longest_ms} ms` : `${lost} blocks in total`;
    const count = this.#dropouts.length;
    return [
      {
        code: 'recorder_dropouts',
        severity: 'warning',
        path: this.#path,
        message: `the logger reports ${count === 1 ? '1 dropout' : `${count} dropouts`}: ${how}`,
        advice: 'use a faster SD card or log fewer topics; exclude logs with long dropouts from training',
        evidence: durations.length > 0 ? { count, total_ms, longest_ms } : { count, blocks: lost },
      },
    ];
  }

  #untimedFinding(): Finding[] {
    const tables = this.#tables.filter(({ untimed }) => untimed > 0);
    if (tables.length === 0) return [];
    const never = tables.filter(({ untimed, rows }) => untimed === rows);
    const before = tables.filter(({ untimed, rows }) => untimed < rows);
    const samples = before.reduce((sum, { untimed }) => sum + untimed, 0);
    const parts = [
      ...(never.length === 0
        ? []
        : [`kept without a clock because they have no timestamps: ${joinNames(never)}`]),
      ...(before.length === 0
        ? []
        : [
            `ignored samples with timestamp 0, logged before the first publication: ${samples} (${joinNames(before)})`,
          ]),
    ];
    return [
      {
        code: 'samples_without_time',
        severity: 'info',
        path: this.#path,
        message: parts.join('; '),
        advice: 'nothing to do',
        evidence: { left_out: samples, without_clock: never.map(({ name }) => name).slice(0, maxNamesShown) },
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
        message: `the log has ${this.#eventCount} text messages and state changes; the first ${maxEvents} are kept as events`,
        advice: 'nothing to do unless the later ones matter',
      },
    ];
  }
}

function joinNames(tables: readonly SignalTable[]): string {
  const names = tables.slice(0, maxNamesShown).map(({ name }) => name);
  return (
    names.join(', ') + (tables.length > maxNamesShown ? ` and ${tables.length - maxNamesShown} more` : '')
  );
}

const sinceBoot = (zero_us: number): string => `the log starts ${(zero_us / 1e6).toFixed(3)} s after boot`;

function nanoseconds(epoch_us: number): string {
  return String(BigInt(Math.round(epoch_us)) * 1000n);
}

/** Returns the median (the upper one for an even count); 0 for an empty list. */
function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return Float64Array.from(values).sort()[values.length >> 1];
}
