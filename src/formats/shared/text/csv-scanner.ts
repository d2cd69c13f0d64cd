import { AssayError } from '#core';
import type { ReadableFile } from '#io/sources';

/** One record of a CSV file. Fields are byte ranges in `bytes`; all of it is valid only until the next record. */
export interface CsvRecord {
  readonly bytes: Buffer;
  readonly fields: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Per field: 0 unquoted, 1 quoted, 2 quoted with doubled quotes inside. */
  readonly quotes: Uint8Array;
  /** Line of the file where the record starts, from 1. */
  readonly line: number;
}

/** Dialect of a CSV file. */
export interface CsvDialect {
  /** One ASCII character. */
  readonly delimiter: string;
}

const blockBytes = 1024 * 1024;
/** A longer record means an unclosed quote or a file that is not a table. */
const maxRecordBytes = 8 * 1024 * 1024;
const maxFields = 100_000;

const quote = 34;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Scans a CSV file (RFC 4180; also any line ending, blank lines, text after a closing quote) block by block, without
 * decoding fields that are not requested. Memory is bounded by the block and the longest record.
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
  /** Start of the current record in the buffer. */
  #at = 0;
  #starts = new Int32Array(64);
  #ends = new Int32Array(64);
  #quotes = new Uint8Array(64);
  #fields = 0;
  #doubled = false;
  /** Reused for all records, because a table has millions. */
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

  /**
   * Reads the next block and calls `onRecord` for each complete record, with one object that is reused; returns false
   * at the end of the file. Blank lines are skipped.
   * @throws AssayError `limit_exceeded` for a record over 8 MiB or more than 100,000 columns, `unreadable_input` for
   * UTF-16.
   */
  async readBlock(onRecord: (record: CsvRecord) => void): Promise<boolean> {
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

  /** Moves the incomplete record to the front and appends the next block. */
  async #fill(): Promise<void> {
    const remaining = this.#length - this.#at;
    if (remaining > maxRecordBytes) throw this.#tooLong();
    const buffer =
      remaining + blockBytes <= this.#buffer.length ? this.#buffer : Buffer.alloc(remaining + blockBytes);
    this.#buffer.copy(buffer, 0, this.#at, this.#length);
    const { bytesRead } = await this.#file.read(buffer, remaining, blockBytes, this.#position);
    this.#buffer = buffer;
    this.#record.bytes = buffer;
    this.#at = this.#position === 0 ? byteOrderMark(buffer, bytesRead, this.#path) : 0;
    this.#position += bytesRead;
    this.#length = remaining + bytesRead;
    this.#ended = bytesRead === 0;
  }

  /** Finds the fields of the record at `from`. Returns the offset after it, or -1 if it is not complete yet. */
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
        end = this.#findClosingQuote(start);
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
      this.#addField(start, end, quoted);
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

  /** Returns the offset of the closing quote of the field that starts at `start`, or -1 if it is not read yet. */
  #findClosingQuote(start: number): number {
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

  #addField(start: number, end: number, quoted: number): void {
    if (this.#fields >= this.#starts.length) this.#widen();
    this.#starts[this.#fields] = start;
    this.#ends[this.#fields] = end;
    this.#quotes[this.#fields] = quoted;
    this.#fields++;
  }

  #widen(): void {
    const size = this.#starts.length * 2;
    if (size > 2 * maxFields)
      throw new AssayError('limit_exceeded', `${this.#path} has more than ${maxFields} columns`, {
        path: this.#path,
        place: `line ${this.#line}`,
        advice: 'check the delimiter, or split the table into several files',
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
      `${this.#path}: the record on line ${this.#line} is longer than ${maxRecordBytes} bytes`,
      { path: this.#path, place: `line ${this.#line}`, advice: 'add the missing closing quote' },
    );
  }
}

/**
 * Returns the length of a UTF-8 byte order mark (0 or 3).
 * @throws AssayError `unreadable_input` for UTF-16, which spreadsheets save as "Unicode text".
 */
function byteOrderMark(bytes: Buffer, length: number, path: string): number {
  const [a, b, c] = bytes;
  if (length >= 2 && ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)))
    throw new AssayError('unreadable_input', `${path} is encoded as UTF-16, which is not supported`, {
      path,
      advice: 'save it as UTF-8',
    });
  return length >= 3 && a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0;
}

/** Decodes the text of a field, without its quotes and with doubled quotes made single. */
export function fieldText({ bytes, starts, ends, quotes }: CsvRecord, field: number): string {
  const text = bytes.toString('utf8', starts[field], ends[field]);
  return quotes[field] === 2 ? text.replaceAll('""', '"') : text;
}

const [zero, nine, point, minus, plus, space, tab] = [48, 57, 46, 45, 43, 32, 9];
/** Powers of ten that a double represents exactly. */
const exactPowers = Float64Array.from({ length: 23 }, (_, power) => 10 ** power);
const exactMantissa = 2 ** 53;

/**
 * Parses a number, infinity or `true`/`false` (1/0) from bytes `from` to before `to`, with JavaScript's rounding; NaN
 * for anything else.
 *
 * Ignores surrounding spaces and tabs. Numbers of up to 15 digits are computed from the bytes directly: a single
 * product or quotient of two exact doubles is correctly rounded.
 */
export function parseNumber(bytes: Buffer, from: number, to: number, decimal: number = point): number {
  let at = from;
  let end = to;
  while (at < end && (bytes[at] === space || bytes[at] === tab)) at++;
  while (end > at && (bytes[end - 1] === space || bytes[end - 1] === tab)) end--;
  const start = at;
  const negative = bytes[at] === minus;
  if (negative || bytes[at] === plus) at++;
  let mantissa = 0;
  let digits = 0;
  let scale = 0;
  let pointed = false;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (byte >= zero && byte <= nine) {
      mantissa = mantissa * 10 + byte - zero;
      if (mantissa > 0 || pointed) digits++;
      if (pointed) scale++;
    } else if (byte === decimal && !pointed) pointed = true;
    else break;
  }
  const plain = at === end && mantissa < exactMantissa && digits <= 15 && scale <= 22;
  if (plain && at > start && (digits > 0 || bytes[at - 1] === zero)) {
    const value = scale === 0 ? mantissa : mantissa / exactPowers[scale];
    return negative ? -value : value;
  }
  return parseUnusualNumber(bytes.toString('latin1', start, end), decimal);
}

const numeric = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses the rare forms: exponents, long fractions, `true`/`false` (1 and 0), infinities; else NaN. */
function parseUnusualNumber(text: string, decimal: number): number {
  const normalised = decimal === point ? text : text.replace(String.fromCharCode(decimal), '.');
  if (numeric.test(normalised)) return Number(normalised);
  const lower = normalised.toLowerCase();
  if (lower === 'true') return 1;
  if (lower === 'false') return 0;
  if (/^\+?inf(inity)?$/.test(lower)) return Number.POSITIVE_INFINITY;
  return /^-inf(inity)?$/.test(lower) ? Number.NEGATIVE_INFINITY : Number.NaN;
}

/** Matches usual markers of missing values: empty, `nan`, `null`, `none`, `n/a`, `-`, … */
const missingMarker = /^\s*(nan|[+-]?1\.#(ind|qnan|snan)\d*|null|none|na|n\/a|<na>|-)?\s*$/i;

/** True if the text is a marker of a missing value (empty, `nan`, `null`, `n/a`, `-`, …). */
export function isMissingMarker(text: string): boolean {
  return missingMarker.test(text);
}
