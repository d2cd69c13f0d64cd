import type { RecordWindow } from '#io/sources';
import type { Junk } from './junk.ts';
import type { LogReading } from './log-reading.ts';
import { TextMessage } from './message.ts';
import { formatType, type MessageType } from './message-type.ts';

const newline = 10;
/** A line is a message of at most a few hundred characters; what is longer is none. */
const longestLine = 64 * 1024;
const stagedBytes = 256 * 1024;
const utf8 = new TextDecoder('utf-8');

/** Walks a text log line by line: `ATT, 12345678, 0.1, …`, declared by its FMT lines. */
export class TextWalk {
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
