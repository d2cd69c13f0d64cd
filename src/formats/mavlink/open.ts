import { AssayError } from '#core';
import { type ByteSource, RecordWindow, type SourceTree } from '#io/sources';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { type FlightLogReader, openFlightLogs } from '../shared/flight/read-flight-log.ts';
import { SkippedBytes } from '../shared/flight/skipped-bytes.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { parseRecord, recordHeadBytes, recordLength } from './frames.ts';
import { LogReading } from './log-reading.ts';
import { sniffedBytes, startsAsMavlink } from './recognise.ts';

/** Opens MAVLink telemetry logs as a dataset; each file is an episode. */
export function openMavlink(tree: SourceTree, recognition: Recognition): Dataset {
  return openFlightLogs(tree, recognition, (...log) => new TelemetryLog(...log));
}

const endOfLog = -1;

/** Reads one log record by record and skips bytes that are none. */
class TelemetryLog implements FlightLogReader {
  readonly #path: string;
  readonly #size: number;
  readonly #window: RecordWindow;
  readonly #reading: LogReading;
  readonly #junk = new SkippedBytes();
  #skippedFrom: number | null = null;

  constructor(source: ByteSource, path: string, log: FlightLog) {
    this.#path = path;
    this.#size = source.stored;
    this.#window = new RecordWindow(source);
    this.#reading = new LogReading(log);
    log.recorderClock = 'times at which the ground station received the messages, in UTC by its own clock';
  }

  get offset(): number {
    return this.#window.offset;
  }

  get messages(): number {
    return this.#reading.messages;
  }

  async begin(): Promise<void> {
    await this.#window.fill(Math.min(sniffedBytes, this.#size));
    const head = this.#window.bytes.subarray(0, Math.min(this.#window.end, sniffedBytes));
    if (!startsAsMavlink(head))
      throw new AssayError(
        'unreadable_input',
        `${this.#path} is not a MAVLink telemetry log: wrong first bytes`,
        {
          path: this.#path,
        },
      );
  }

  async step(): Promise<boolean> {
    const neededBytes = this.#walk();
    this.#reading.flush();
    if (neededBytes === endOfLog) return false;
    if (await this.#window.fill(neededBytes)) return true;
    const from = this.#skippedFrom ?? this.offset;
    this.#junk.addTail(from, this.#size - from);
    return false;
  }

  /** Reads records until the window is used up. Returns the number of bytes that the next needs, or `endOfLog`. */
  #walk(): number {
    const window = this.#window;
    const { bytes, view } = window;
    for (;;) {
      const rest = this.#size - window.offset;
      if (rest < recordHeadBytes) return this.#end(rest);
      if (window.available < recordHeadBytes) return recordHeadBytes;
      const length = recordLength(view, window.start);
      if (length === null || length > rest) {
        this.#skip();
        continue;
      }
      // After skipped bytes, and where no checksum can be verified, another record must follow.
      const neededBytes = Math.min(rest, length + recordHeadBytes);
      if (neededBytes > window.available) return neededBytes;
      const record = parseRecord(bytes, view, window.start, length);
      const isVerified = record !== null && (record.definition !== null || this.#startsRecord(length, rest));
      if (!isVerified) {
        this.#skip();
        continue;
      }
      if (this.#skippedFrom !== null) this.#junk.addSpan(this.#skippedFrom, window.offset);
      this.#skippedFrom = null;
      this.#reading.take(record, bytes);
      window.start += length;
    }
  }

  #skip(): void {
    this.#skippedFrom ??= this.#window.offset;
    this.#window.start++;
  }

  /** True if a record begins, or the log ends, behind the record of `length` bytes. */
  #startsRecord(length: number, rest: number): boolean {
    if (rest - length < recordHeadBytes) return true;
    return recordLength(this.#window.view, this.#window.start + length) !== null;
  }

  #end(rest: number): number {
    const from = this.#skippedFrom ?? this.offset;
    if (this.#skippedFrom !== null || rest > 0) this.#junk.addTail(from, this.#size - from);
    return endOfLog;
  }

  robot(): string | null {
    return this.#reading.events.robot(this.#reading.mainSystem);
  }

  findings(isLast: boolean) {
    return [...this.#reading.findings(this.#path), ...(isLast ? this.#junk.findings(this.#path) : [])];
  }

  restart(): void {
    this.#reading.restart();
  }
}
