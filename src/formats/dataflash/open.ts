import { AssayError } from '#core';
import { type ByteSource, RecordWindow, type SourceTree } from '#io/sources';
import type { FlightLog } from '../shared/flight/flight-log.ts';
import { type FlightReading, openFlightLogs } from '../shared/flight/read-flight-log.ts';
import type { Dataset, Recognition } from '../shared/reader.ts';
import { Junk } from './junk.ts';
import { LogReading } from './log-reading.ts';
import { BinaryMessage, TextMessage } from './message.ts';
import { formatType, headBytes, type MessageType, textType } from './message-type.ts';
import { sniffedBytes, variantOf } from './recognise.ts';

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

const first = 0xa3;
const second = 0x95;
const atEnd = -1;

/** Walks a binary log message by message; where none starts, forward to where one does. */
class BinaryWalk {
  readonly #window: RecordWindow;
  readonly #size: number;
  readonly #reading: LogReading;
  readonly #junk: Junk;
  readonly #message = new BinaryMessage(formatType);
  #lostFrom: number | null = null;

  constructor(window: RecordWindow, size: number, reading: LogReading, junk: Junk) {
    this.#window = window;
    this.#size = size;
    this.#reading = reading;
    this.#junk = junk;
  }

  get offset(): number {
    return this.#window.offset;
  }

  /** Walks what lies in the window, and reads on. False: the log is at its end. */
  async step(): Promise<boolean> {
    const wanted = this.#walk();
    this.#reading.flush(this.#window.view);
    if (wanted === atEnd) return false;
    if (wanted === 0 || (await this.#window.fill(wanted))) return true;
    this.#junk.ended(this.#lostFrom ?? this.offset, this.#size - (this.#lostFrom ?? this.offset));
    return false;
  }

  /** The bytes that the next message needs. */
  #walk(): number {
    const window = this.#window;
    const { bytes, view } = window;
    const pointed = (type: typeof formatType) => this.#message.at(type, view, window.start + headBytes);
    for (;;) {
      const { start } = window;
      const rest = this.#size - window.offset;
      if (rest < headBytes) return this.#end(rest);
      if (window.available < headBytes) return headBytes;
      const type =
        bytes[start] === first && bytes[start + 1] === second
          ? this.#reading.typeOf(bytes[start + 2])
          : undefined;
      if (type === undefined || type.length > rest) {
        this.#lostFrom ??= window.offset;
        window.start++;
        continue;
      }
      // After junk, two bytes that fit may be chance: another message has to follow.
      const wanted = this.#lostFrom === null ? type.length : Math.min(rest, type.length + 2);
      if (wanted > window.available) return wanted;
      if (this.#lostFrom !== null) {
        if (wanted > type.length + 1 && !startsMessage(bytes, start + type.length)) {
          window.start++;
          continue;
        }
        this.#junk.passed(this.#lostFrom, window.offset);
        this.#lostFrom = null;
      }
      this.#reading.take(type.id, view, start + headBytes, pointed);
      window.start += type.length;
    }
  }

  #end(rest: number): number {
    const from = this.#lostFrom ?? this.offset;
    if (this.#lostFrom !== null || rest > 0) this.#junk.ended(from, this.#size - from);
    return atEnd;
  }
}

function startsMessage(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === first && bytes[at + 1] === second;
}

const newline = 10;
/** A line is a message of at most a few hundred characters; what is longer is none. */
const longestLine = 64 * 1024;
const stagedBytes = 256 * 1024;
const utf8 = new TextDecoder('utf-8');

/** Walks a text log line by line: `ATT, 12345678, 0.1, …`, declared by its FMT lines. */
class TextWalk {
  readonly #window: RecordWindow;
  readonly #size: number;
  readonly #reading: LogReading;
  readonly #junk: Junk;
  readonly #ids = new Map<string, number>([[formatType.name, formatType.id]]);
  readonly #staged = new DataView(new ArrayBuffer(stagedBytes));
  readonly #numberCells = new Map<MessageType, readonly number[]>();
  #used = 0;
  /** What comes before the first FMT line was put there by a ground station. */
  #isHead = true;

  constructor(window: RecordWindow, size: number, reading: LogReading, junk: Junk) {
    this.#window = window;
    this.#size = size;
    this.#reading = reading;
    this.#junk = junk;
  }

  get offset(): number {
    return this.#window.offset;
  }

  async step(): Promise<boolean> {
    const wanted = this.#walk();
    this.#flush();
    if (this.#window.offset >= this.#size) return false;
    if (await this.#window.fill(Math.min(wanted, this.#size - this.#window.offset))) return true;
    this.#junk.ended(this.offset, this.#size - this.offset);
    return false;
  }

  /** The bytes wanted to find the end of the next line. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      const { bytes, start, end, available, offset } = window;
      const isLast = offset + available >= this.#size;
      const found = bytes.subarray(0, end).indexOf(newline, start);
      const stop = found >= 0 ? found : isLast || available > longestLine ? end : -1;
      if (available === 0 || stop < 0) return available + 1;
      window.start = Math.min(end, stop + 1);
      const line = stop - start > longestLine ? null : utf8.decode(bytes.subarray(start, stop)).trim();
      if (line === '') continue;
      if (line === null || !this.#line(line)) this.#lost(offset, stop - start, found < 0 && isLast);
    }
  }

  #lost(offset: number, length: number, isLast: boolean): void {
    if (isLast) this.#junk.ended(offset, length);
    else this.#junk.passed(offset, offset + length);
  }

  /** False: the line is no message of a declared type. */
  #line(line: string): boolean {
    const comma = line.indexOf(',');
    const id = this.#ids.get(comma < 0 ? line : line.slice(0, comma).trim());
    const type = id === undefined ? undefined : this.#reading.typeOf(id);
    if (id === undefined || type === undefined) return this.#isHead;
    const cells = cellsOf(line.slice(comma + 1), type);
    if (cells === null) return false;
    if (this.#used + 8 * type.numbers.length > stagedBytes) this.#flush();
    const start = this.#used;
    for (const [i, cell] of this.#cellsOf(type).entries())
      this.#staged.setFloat64(start + type.numbers[i].offset, numberOf(cells[cell]), true);
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

  /** Which cells of a line are the type's numbers. */
  #cellsOf(type: MessageType): readonly number[] {
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

/** Cells of a line; the last text of a type may hold commas itself. Null: there are too few. */
function cellsOf(line: string, { columns, letters }: MessageType): string[] | null {
  const cells = line.split(',');
  if (cells.length < columns.length) return null;
  if (cells.length > columns.length && /[nNZ]$/.test(letters))
    cells.splice(columns.length - 1, cells.length, cells.slice(columns.length - 1).join(','));
  return cells.map((cell) => cell.trim());
}

function numberOf(cell: string): number {
  return cell === '' ? Number.NaN : Number(cell);
}
