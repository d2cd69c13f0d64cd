import { AssayError } from '#core';
import type { ReadableFile } from '#io/sources';

/** One record of a CSV file. Its fields are places in `bytes`; all of it is valid until the next record. */
export interface CsvRecord {
  readonly bytes: Buffer;
  readonly fields: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** 0: plain; 1: stood in quotes; 2: stood in quotes and holds doubled ones. */
  readonly quotes: Uint8Array;
  /** Line of the file it starts on, from 1. */
  readonly line: number;
}

export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string;
}

const blockBytes = 1024 * 1024;
/** A longer record is a quote that nobody closed, or no table. */
const recordBytes = 8 * 1024 * 1024;
const mostFields = 100_000;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Scans a CSV file (RFC 4180, and what is met beyond it: any line end, blank lines, text behind a closing quote) in
 * blocks, without making a text of a field that nobody asks for. Memory follows the block and the longest record.
 */
export class CsvScanner {
  readonly #file: ReadableFile;
  readonly #path: string;
  readonly #delimiter: number;
  #buffer = Buffer.alloc(0);
  #length = 0;
  #position = 0;
  #ended = false;
  #line = 1;
  /** Where the record at hand starts, and where its last field ended. */
  #at = 0;
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #quotes = new Uint8Array(64);
  #fields = 0;
  #doubled = false;
  /** One for all records: a table has millions. */
  readonly #record: { -readonly [Member in keyof CsvRecord]: CsvRecord[Member] } = {
    bytes: this.#buffer,
    fields: 0,
    starts: this.#starts,
    ends: this.#ends,
    quotes: this.#quotes,
    line: 1,
  };

  constructor(file: ReadableFile, path: string, { delimiter }: CsvDialect) {
    this.#file = file;
    this.#path = path;
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Bytes of the file read so far. */
  get position(): number {
    return this.#position;
  }

  /** Reads one block more and gives every record that is whole then. False once the file has ended. */
  async block(onRecord: (record: CsvRecord) => void): Promise<boolean> {
    if (this.#ended) return false;
    await this.#fill();
    while (this.#at < this.#length) {
      const line = this.#line;
      const next = this.#scan(this.#at);
      if (next < 0) break;
      this.#at = next;
      if (this.#fields === 1 && this.#ends[0] === this.#starts[0] && this.#quotes[0] === 0) continue;
      this.#record.line = line;
      this.#record.fields = this.#fields;
      onRecord(this.#record);
    }
    return !this.#ended;
  }

  /** Keeps the record that has begun and appends the next block. */
  async #fill(): Promise<void> {
    const kept = this.#length - this.#at;
    if (kept > recordBytes) throw this.#tooLong();
    const buffer = kept + blockBytes <= this.#buffer.length ? this.#buffer : Buffer.alloc(kept + blockBytes);
    this.#buffer.copy(buffer, 0, this.#at, this.#length);
    const { bytesRead } = await this.#file.read(buffer, kept, blockBytes, this.#position);
    this.#buffer = buffer;
    this.#record.bytes = buffer;
    this.#at = this.#position === 0 ? byteOrderMark(buffer, bytesRead, this.#path) : 0;
    this.#position += bytesRead;
    this.#length = kept + bytesRead;
    this.#ended = bytesRead === 0;
  }

  /** Finds the fields of the record at `from`; the place behind it, or -1 when it is not whole yet. */
  #scan(from: number): number {
    const bytes = this.#buffer;
    const length = this.#length;
    const delimiter = this.#delimiter;
    let lines = 0;
    let at = from;
    this.#fields = 0;
    for (;;) {
      let start = at;
      let end: number;
      let quoted = 0;
      if (at < length && bytes[at] === quote) {
        start = at + 1;
        end = this.#closing(start);
        if (end < 0) return -1;
        quoted = this.#doubled ? 2 : 1;
        for (let i = start; i < end; i++) if (bytes[i] === lineFeed) lines++;
        at = Math.min(end + 1, length);
        while (
          at < length &&
          bytes[at] !== delimiter &&
          bytes[at] !== lineFeed &&
          bytes[at] !== carriageReturn
        )
          at++;
      } else {
        while (at < length) {
          const byte = bytes[at];
          if (byte === delimiter || byte === lineFeed || byte === carriageReturn) break;
          at++;
        }
        end = at;
      }
      if (at >= length && !this.#ended) return -1;
      this.#field(start, end, quoted);
      if (at < length && bytes[at] === delimiter) {
        at++;
        continue;
      }
      if (at < length && bytes[at] === carriageReturn) {
        if (at + 1 >= length && !this.#ended) return -1;
        if (bytes[at + 1] === lineFeed && at + 1 < length) at++;
      }
      this.#line += lines + 1;
      return Math.min(at + 1, length);
    }
  }

  /** The quote that ends the field from `start` on; -1 when it is not there yet. */
  #closing(start: number): number {
    this.#doubled = false;
    for (let at = start; ; ) {
      const found = this.#buffer.indexOf(quote, at);
      if (found < 0 || found >= this.#length) {
        if (this.#ended) return this.#length;
        return -1;
      }
      if (found + 1 >= this.#length && !this.#ended) return -1;
      if (found + 1 >= this.#length || this.#buffer[found + 1] !== quote) return found;
      this.#doubled = true;
      at = found + 2;
    }
  }

  #field(start: number, end: number, quoted: number): void {
    if (this.#fields >= this.#starts.length) this.#widen();
    this.#starts[this.#fields] = start;
    this.#ends[this.#fields] = end;
    this.#quotes[this.#fields] = quoted;
    this.#fields++;
  }

  #widen(): void {
    const size = this.#starts.length * 2;
    if (size > 2 * mostFields)
      throw new AssayError('limit_exceeded', `${this.#path} has more than ${mostFields} columns`, {
        path: this.#path,
        place: `line ${this.#line}`,
        advice: 'check the delimiter, or cut the table into several files',
      });
    const grown = [new Int32Array(size), new Int32Array(size)] as const;
    grown[0].set(this.#starts);
    grown[1].set(this.#ends);
    const quotes = new Uint8Array(size);
    quotes.set(this.#quotes);
    [this.#starts, this.#ends] = grown;
    this.#quotes = quotes;
    Object.assign(this.#record, { starts: this.#starts, ends: this.#ends, quotes });
  }

  #tooLong(): AssayError {
    return new AssayError(
      'limit_exceeded',
      `${this.#path}: the record on line ${this.#line} is longer than ${recordBytes} bytes`,
      { path: this.#path, place: `line ${this.#line}`, advice: 'close the quote that is open there' },
    );
  }
}

/** Length of a UTF-8 mark; UTF-16, which spreadsheets write as "Unicode text", is refused. */
function byteOrderMark(bytes: Buffer, length: number, path: string): number {
  const [a, b, c] = bytes;
  if (length >= 2 && ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)))
    throw new AssayError('unreadable_input', `${path} is UTF-16 text`, {
      path,
      advice: 'save it as UTF-8',
    });
  return length >= 3 && a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
}

/** A field's text, quotes taken off. */
export function fieldText({ bytes, starts, ends, quotes }: CsvRecord, field: number): string {
  const text = bytes.toString('utf8', starts[field], ends[field]);
  return quotes[field] === 2 ? text.replaceAll('""', '"') : text;
}
