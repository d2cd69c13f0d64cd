import { AssayError } from '#core';
import { type ByteSource, RecordWindow, type SourceTree } from '#io/sources';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { type FlightLogReader, openFlightLogs } from '../shared/flight/read-flight-log.ts';
import { SkippedBytes } from '../shared/flight/skipped-bytes.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { LogReading } from './log-reading.ts';
import {
  BinaryMessage,
  formatType,
  headBytes,
  type MessageType,
  TextMessage,
  toTextType,
} from './messages.ts';
import { detectVariant, sniffedBytes } from './recognise.ts';

/** Opens DataFlash logs as a dataset; each file is an episode. */
export function openDataflash(tree: SourceTree, recognition: Recognition): Dataset {
  return openFlightLogs(tree, recognition, (...log) => new DataflashReading(...log));
}

/** Reads one log, binary or text according to its first bytes. */
class DataflashReading implements FlightLogReader {
  readonly #source: ByteSource;
  readonly #path: string;
  readonly #log: FlightLog;
  readonly #junk = new SkippedBytes();
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
    const variant = detectVariant(window.bytes.subarray(0, Math.min(window.end, sniffedBytes)));
    if (variant === null)
      throw new AssayError('unreadable_input', `${this.#path} is not a DataFlash log: wrong first bytes`, {
        path: this.#path,
      });
    if (variant === 'text') this.#reading = new LogReading(this.#log, toTextType);
    const Walk = variant === 'text' ? TextWalk : BinaryWalk;
    this.#walk = new Walk(window, size, this.#reading, this.#junk);
  }

  step(): Promise<boolean> {
    return this.#walk?.step() ?? Promise.resolve(false);
  }

  /**
   * Returns `ArduPilot ArduCopter` for aircraft. Rovers, boats, submarines and trackers are returned by firmware name
   * alone, so they are not taken for aircraft.
   */
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

const headByte1 = 0xa3;
const headByte2 = 0x95;
const endOfLog = -1;

/** Reads a binary log message by message and skips bytes that are no message. */
class BinaryWalk {
  readonly #window: RecordWindow;
  readonly #size: number;
  readonly #reading: LogReading;
  readonly #junk: SkippedBytes;
  readonly #message = new BinaryMessage(formatType);
  #skippedFrom: number | null = null;

  constructor(window: RecordWindow, size: number, reading: LogReading, junk: SkippedBytes) {
    this.#window = window;
    this.#size = size;
    this.#reading = reading;
    this.#junk = junk;
  }

  get offset(): number {
    return this.#window.offset;
  }

  /** Reads the messages in the window and fills it again. Returns false at the end of the log. */
  async step(): Promise<boolean> {
    const neededBytes = this.#walk();
    this.#reading.flush(this.#window.view);
    if (neededBytes === endOfLog) return false;
    if (neededBytes === 0 || (await this.#window.fill(neededBytes))) return true;
    this.#junk.addTail(this.#skippedFrom ?? this.offset, this.#size - (this.#skippedFrom ?? this.offset));
    return false;
  }

  /**
   * Reads messages until the window is used up. Returns the number of bytes that the next message needs, 0 to be called
   * again, or `endOfLog`.
   */
  #walk(): number {
    const window = this.#window;
    const { bytes, view } = window;
    const messageAt = (type: typeof formatType) => this.#message.at(type, view, window.start + headBytes);
    for (;;) {
      const { start } = window;
      const rest = this.#size - window.offset;
      if (rest < headBytes) return this.#end(rest);
      if (window.available < headBytes) return headBytes;
      const type =
        bytes[start] === headByte1 && bytes[start + 1] === headByte2
          ? this.#reading.typeOf(bytes[start + 2])
          : undefined;
      if (type === undefined || type.length > rest) {
        this.#skippedFrom ??= window.offset;
        window.start++;
        continue;
      }
      // After skipped bytes, a matching head may be chance, so another message must follow.
      const neededBytes = this.#skippedFrom === null ? type.length : Math.min(rest, type.length + 2);
      if (neededBytes > window.available) return neededBytes;
      if (this.#skippedFrom !== null) {
        if (neededBytes > type.length + 1 && !startsMessage(bytes, start + type.length)) {
          window.start++;
          continue;
        }
        this.#junk.addSpan(this.#skippedFrom, window.offset);
        this.#skippedFrom = null;
      }
      this.#reading.take(type.id, view, start + headBytes, messageAt);
      window.start += type.length;
    }
  }

  #end(rest: number): number {
    const from = this.#skippedFrom ?? this.offset;
    if (this.#skippedFrom !== null || rest > 0) this.#junk.addTail(from, this.#size - from);
    return endOfLog;
  }
}

function startsMessage(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === headByte1 && bytes[at + 1] === headByte2;
}

const newline = 10;
/** Maximum line length: messages have a few hundred characters, longer lines are skipped. */
const maxLineBytes = 64 * 1024;
const stagingBytes = 256 * 1024;
const utf8 = new TextDecoder('utf-8');

/** Reads a text log line by line (`ATT, 12345678, 0.1, …`), with types declared by FMT lines. */
class TextWalk {
  readonly #window: RecordWindow;
  readonly #size: number;
  readonly #reading: LogReading;
  readonly #junk: SkippedBytes;
  readonly #ids = new Map<string, number>([[formatType.name, formatType.id]]);
  readonly #staged = new DataView(new ArrayBuffer(stagingBytes));
  readonly #numberCells = new Map<MessageType, readonly number[]>();
  #used = 0;
  /** True before the first FMT line; ground stations write a header there. */
  #isHead = true;

  constructor(window: RecordWindow, size: number, reading: LogReading, junk: SkippedBytes) {
    this.#window = window;
    this.#size = size;
    this.#reading = reading;
    this.#junk = junk;
  }

  get offset(): number {
    return this.#window.offset;
  }

  async step(): Promise<boolean> {
    const neededBytes = this.#walk();
    this.#flush();
    if (this.#window.offset >= this.#size) return false;
    if (await this.#window.fill(Math.min(neededBytes, this.#size - this.#window.offset))) return true;
    this.#junk.addTail(this.offset, this.#size - this.offset);
    return false;
  }

  /** Reads the lines in the window. Returns the number of bytes needed to find the end of the next line. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      const { bytes, start, end, available, offset } = window;
      const isLast = offset + available >= this.#size;
      const found = bytes.subarray(0, end).indexOf(newline, start);
      const stop = found >= 0 ? found : isLast || available > maxLineBytes ? end : -1;
      if (available === 0 || stop < 0) return available + 1;
      window.start = Math.min(end, stop + 1);
      const line = stop - start > maxLineBytes ? null : utf8.decode(bytes.subarray(start, stop)).trim();
      if (line === '') continue;
      if (line === null || !this.#line(line)) this.#skipLine(offset, stop - start, found < 0 && isLast);
    }
  }

  #skipLine(offset: number, length: number, isLast: boolean): void {
    if (isLast) this.#junk.addTail(offset, length);
    else this.#junk.addSpan(offset, offset + length);
  }

  /** Reads one line. Returns false if it is no message of a declared type. */
  #line(line: string): boolean {
    const comma = line.indexOf(',');
    const id = this.#ids.get(comma < 0 ? line : line.slice(0, comma).trim());
    const type = id === undefined ? undefined : this.#reading.typeOf(id);
    if (id === undefined || type === undefined) return this.#isHead;
    const cells = splitCells(line.slice(comma + 1), type);
    if (cells === null) return false;
    if (this.#used + 8 * type.numbers.length > stagingBytes) this.#flush();
    const start = this.#used;
    for (const [i, cell] of this.#numberCellsOf(type).entries())
      this.#staged.setFloat64(start + type.numbers[i].offset, parseNumber(cells[cell]), true);
    this.#used += 8 * type.numbers.length;
    const message = new TextMessage(type, cells);
    this.#reading.take(id, this.#staged, start, () => message);
    if (type.name === formatType.name) this.#declared(message.text('Name'), message.number('Type'));
    return true;
  }

  #declared(name: string, id: number): void {
    this.#isHead = false;
    if (this.#reading.typeOf(id)?.name === name) this.#ids.set(name, id);
  }

  /** Returns the indices of the cells that hold the type's numbers. */
  #numberCellsOf(type: MessageType): readonly number[] {
    let cells = this.#numberCells.get(type);
    if (cells === undefined) {
      cells = type.numbers.map(({ name }) => type.columns.indexOf(name));
      this.#numberCells.set(type, cells);
    }
    return cells;
  }

  #flush(): void {
    this.#reading.flush(this.#staged);
    this.#used = 0;
  }
}

/**
 * Splits a line into cells; commas in a text column at the end do not split. Returns `null` if there are too few cells.
 */
function splitCells(line: string, { columns, letters }: MessageType): string[] | null {
  const cells = line.split(',');
  if (cells.length < columns.length) return null;
  if (cells.length > columns.length && /[nNZ]$/.test(letters))
    cells.splice(columns.length - 1, cells.length, cells.slice(columns.length - 1).join(','));
  return cells.map((cell) => cell.trim());
}

function parseNumber(cell: string): number {
  return cell === '' ? Number.NaN : Number(cell);
}
