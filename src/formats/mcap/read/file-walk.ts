import { crc32 } from 'node:zlib';
import { type ByteSource, RecordWindow } from '#io/sources';
import { isFull, type WalkTarget } from '../../shared/bags/log-walk.ts';
import { maxChunkBytes } from './chunk-bytes.ts';
import { Integrity } from './integrity.ts';
import { RecordTaker } from './record-taker.ts';
import { magic, opcode, parseDataEnd, parseFooter, prefixBytes } from './records.ts';

/** A record that has to be held whole may be as large as a chunk and its head. */
const maxRecordBytes = maxChunkBytes + 4096;

/**
 * Walks one MCAP file from its first byte to its last, record by record, whatever its summary says: files without
 * chunks, index or summary read like any other, and a truncated one as far as it goes.
 */
export class FileWalk {
  readonly integrity: Integrity;
  readonly records: RecordTaker;
  readonly #window: RecordWindow;
  readonly #source: ByteSource;
  readonly #target: WalkTarget;
  #ended = false;

  constructor(source: ByteSource, path: string, target: WalkTarget) {
    this.#source = source;
    this.#target = target;
    this.#window = new RecordWindow(source, { sums: true });
    this.integrity = new Integrity(path);
    this.records = new RecordTaker(this.integrity, target);
  }

  /** Bytes walked so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /** The recording holds as much as it may, and should be closed before the next step. */
  get isFull(): boolean {
    return isFull(this.#target);
  }

  /** Reads the magic number. False: this is no MCAP file. */
  async begin(): Promise<boolean> {
    if (!(await this.#window.fill(magic.length))) return false;
    const { bytes, start } = this.#window;
    if (magic.some((byte, i) => bytes[start + i] !== byte)) return false;
    this.#window.start += magic.length;
    return true;
  }

  /** Walks what lies in the window, and reads on. False: the file is at its end. */
  async step(): Promise<boolean> {
    const wanted = this.#walk();
    if (this.#ended) return false;
    if (wanted === 0) return true;
    const rest = this.#source.size === null ? Number.POSITIVE_INFINITY : this.#source.size - this.offset;
    if (wanted > rest)
      return this.#truncated(`a record of ${wanted} bytes starts where only ${rest} are left`);
    if (wanted > maxRecordBytes || this.#isAttachment()) return this.#passOver(wanted);
    if (await this.#window.fill(wanted)) return true;
    if (this.#window.available === 0) return this.#truncated('the file ends without its footer');
    return this.#truncated('the file ends in the middle of a record');
  }

  /** After the last step: the magic number has to close the file. */
  async end(): Promise<void> {
    if (!this.integrity.sawFooter) return;
    const window = this.#window;
    const whole = await window.fill(magic.length);
    if (!whole || magic.some((byte, i) => window.bytes[window.start + i] !== byte)) {
      this.#truncated('the closing magic number is missing');
      return;
    }
    window.start += magic.length;
    if (window.available === 0 && !(await window.fill(1))) return;
    this.integrity.report(
      'bytes_after_end',
      'warning',
      `there are more bytes behind the end of the recording at byte ${this.offset}`,
      'if two recordings were joined, take them apart: only the first is read',
    );
  }

  /** Walks whole records of the window; the bytes that the next one needs, 0 for a pause. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      if (window.available < prefixBytes) return prefixBytes;
      const { bytes, view, start } = window;
      const length = view.getUint32(start + 5, true) * 4294967296 + view.getUint32(start + 1, true);
      const whole = prefixBytes + length;
      if (bytes[start] === 0) {
        this.#ended = true;
        this.#corrupt(`byte ${window.offset} should start a record and is zero`);
        return 0;
      }
      if (whole > window.available) return whole;
      const op = bytes[start];
      if (op === opcode.dataEnd)
        this.#checkData(parseGuarded(() => parseDataEnd(bytes, view, start + 9, start + whole)));
      if (op === opcode.footer) this.#checkSummary(start, whole);
      this.records.take(op, bytes, view, start + prefixBytes, start + whole, window.offset);
      window.start += whole;
      if (op === opcode.dataEnd) {
        window.restartCrc();
        this.records.inSummary = true;
      }
      if (op === opcode.footer) {
        this.#ended = true;
        return 0;
      }
      // After the same record on every machine, however much of the file happened to be read.
      if (this.isFull) return 0;
    }
  }

  #isAttachment(): boolean {
    const { available, bytes, start } = this.#window;
    return available >= prefixBytes && bytes[start] === opcode.attachment;
  }

  #checkData(declared: number | null): void {
    if (declared === null) return;
    if (declared === 0) this.integrity.dataCrc = 'absent';
    else this.integrity.dataCrc = declared === this.#window.crc ? 'present' : 'wrong';
  }

  /** The summary's CRC covers it up to the CRC itself: op code, length and the two offsets of the footer included. */
  #checkSummary(start: number, whole: number): void {
    const { bytes, view } = this.#window;
    const footer = parseGuarded(() => parseFooter(bytes, view, start + prefixBytes, start + whole));
    if (footer === null) return;
    this.integrity.sawFooter = true;
    if (footer.summaryCrc === 0) this.integrity.summaryCrc = 'absent';
    else {
      const crc = crc32(bytes.subarray(start, start + prefixBytes + 16), this.#window.crc);
      this.integrity.summaryCrc = crc === footer.summaryCrc ? 'present' : 'wrong';
    }
  }

  async #passOver(length: number): Promise<boolean> {
    const op = this.#window.bytes[this.#window.start];
    const place = this.offset;
    if (op === opcode.attachment) this.integrity.attachments++;
    else {
      this.integrity.report(
        'record_too_large',
        'error',
        `the record at byte ${place} is ${length} bytes, more than the ${maxRecordBytes} that are held at once; it was left out`,
        'write the file again with smaller chunks',
      );
    }
    if ((await this.#window.skip(length)) === length) return true;
    return this.#truncated('the file ends in the middle of a record');
  }

  #corrupt(message: string): void {
    this.integrity.report('file_corrupt', 'error', message, 'repair the file (mcap recover)');
  }

  #truncated(why: string): false {
    this.#ended = true;
    this.integrity.report(
      'file_truncated',
      'error',
      `the file is whole up to byte ${this.offset}: ${why}`,
      'what was written until then is read; the recorder was stopped hard, or the copy broke off',
    );
    return false;
  }
}

function parseGuarded<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
