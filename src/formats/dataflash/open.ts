import { AssayError } from '#core';
import { type ByteSource, RecordWindow, type SourceTree } from '#io/sources';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { type FlightReading, openFlightLogs } from '../shared/flight/read-flight-log.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { BinaryWalk } from './binary-walk.ts';
import { Junk } from './junk.ts';
import { LogReading } from './log-reading.ts';
import { textType } from './message-type.ts';
import { sniffedBytes, variantOf } from './recognise.ts';
import { TextWalk } from './text-walk.ts';

export function openDataflash(tree: SourceTree, recognition: Recognition): Dataset {
  return openFlightLogs(tree, recognition, (...log) => new DataflashReading(...log));
}

/** One log, binary or text, whichever its first bytes are. */
class DataflashReading implements FlightReading {
  readonly #source: ByteSource;
  readonly #path: string;
  readonly #log: FlightLog;
  readonly #junk = new Junk();
  #reading: LogReading;
  #walk: BinaryWalk | TextWalk | null = null;

  constructor(source: ByteSource, path: string, log: FlightLog) {
    this.#source = source;
    this.#path = path;
    this.#log = log;
    this.#reading = new LogReading(log);
  }

  get offset(): number {
    return this.#walk?.offset ?? 0;
  }

  get messages(): number {
    return this.#reading.messages;
  }

  async begin(): Promise<void> {
    const size = this.#source.stored;
    const window = new RecordWindow(this.#source);
    await window.fill(Math.min(sniffedBytes, size));
    const variant = variantOf(window.bytes.subarray(0, Math.min(window.end, sniffedBytes)));
    if (variant === null)
      throw new AssayError('unreadable_input', `${this.#path} does not start as a DataFlash log does`, {
        path: this.#path,
      });
    if (variant === 'text') this.#reading = new LogReading(this.#log, textType);
    const Walk = variant === 'text' ? TextWalk : BinaryWalk;
    this.#walk = new Walk(window, size, this.#reading, this.#junk);
  }

  step(): Promise<boolean> {
    return this.#walk?.step() ?? Promise.resolve(false);
  }

  /** `ArduPilot ArduCopter`; of what does not fly, the firmware's name alone, so that nobody takes it for an aircraft. */
  robot(): string {
    const { vehicle } = this.#reading.events;
    if (vehicle === null) return 'ArduPilot';
    return /rover|sub|tracker|boat/i.test(vehicle) ? vehicle : `ArduPilot ${vehicle}`;
  }

  findings(isLast: boolean) {
    return [...this.#reading.findings(this.#path), ...(isLast ? this.#junk.findings(this.#path) : [])];
  }

  restart(): void {
    this.#reading.restart();
  }
}
