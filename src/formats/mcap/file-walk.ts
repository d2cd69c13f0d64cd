import { crc32 } from 'node:zlib';
import { type ByteSource, RecordWindow } from '#io/sources';
import { isFull, type WalkTarget } from '../shared/bags/log-walk.ts';
import { Integrity } from './integrity.ts';
import { RecordHandler } from './record-handler.ts';
import { magic, maxChunkBytes, opcode, parseDataEnd, parseFooter, prefixBytes } from './records.ts';

/** Largest record that is loaded, in bytes: a chunk and its header. */
const maxRecordBytes = maxChunkBytes + 4096;

/**
 * Reads one MCAP file from start to end, record by record, without using its summary. Files without chunks, index or
 * summary are read the same way; truncated files up to the cut.
 */
export class FileWalk {
  readonly integrity: Integrity;
  readonly records: RecordHandler;
  readonly #window: RecordWindow;
  readonly #source: ByteSource;
  readonly #target: WalkTarget;
  #ended = false;

  constructor(source: ByteSource, path: string, target: WalkTarget) {
    this.#source = source;
    this.#target = target;
    this.#window = new RecordWindow(source, { sums: true });
    this.integrity = new Integrity(path);
    this.records = new RecordHandler(this.integrity, target);
  }

  /** Bytes read so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /** True if the recording has reached its size limit and must be closed before the next step. */
  get isFull(): boolean {
    return isFull(this.#target);
  }

  /** Reads the magic number and moves past it; returns false if the file is not MCAP. */
  async readMagic(): Promise<boolean> {
    if (!(await this.#window.fill(magic.length))) return false;
    const { bytes, start } = this.#window;
    if (magic.some((byte, i) => bytes[start + i] !== byte)) return false;
    this.#window.start += magic.length;
    return true;
  }

  /**
   * Processes the buffered records and reads more; returns false at the end of the file, or where it is truncated or
   * corrupt, which is reported.
   */
  async step(): Promise<boolean> {
    const wanted = this.#walk();
    if (this.#ended) return false;
    if (wanted === 0) return true;
    const rest = this.#source.size === null ? Number.POSITIVE_INFINITY : this.#source.size - this.offset;
    if (wanted > rest)
      return this.#reportTruncated(`a record of ${wanted} bytes starts, but only ${rest} bytes are left`);
    if (wanted > maxRecordBytes || this.#isAttachment()) return this.#skipRecord(wanted);
    if (await this.#window.fill(wanted)) return true;
    if (this.#window.available === 0) return this.#reportTruncated('the file ends without a footer');
    return this.#reportTruncated('the file ends in the middle of a record');
  }

  /** Reports, after the last step, a missing magic number at the end of the file, or bytes after it. */
  async end(): Promise<void> {
    if (!this.integrity.hasFooter) return;
    const window = this.#window;
    const whole = await window.fill(magic.length);
    if (!whole || magic.some((byte, i) => window.bytes[window.start + i] !== byte)) {
      this.#reportTruncated('the closing magic number is missing');
      return;
    }
    window.start += magic.length;
    if (window.available === 0 && !(await window.fill(1))) return;
    this.integrity.report(
      'bytes_after_end',
      'warning',
      `extra bytes after the end of the recording at byte ${this.offset}`,
      'if two recordings were concatenated, split them: only the first is read',
    );
  }

  /** Processes complete records of the window. Returns the bytes needed for the next record, 0 to pause. */
  #walk(): number {
    const window = this.#window;
    for (;;) {
      if (window.available < prefixBytes) return prefixBytes;
      const { bytes, view, start } = window;
      const length = view.getUint32(start + 5, true) * 4294967296 + view.getUint32(start + 1, true);
      const whole = prefixBytes + length;
      if (bytes[start] === 0) {
        this.#ended = true;
        this.#reportCorrupt(`expected a record at byte ${window.offset}, found a zero byte`);
        return 0;
      }
      if (whole > window.available) return whole;
      const op = bytes[start];
      if (op === opcode.dataEnd)
        this.#checkData(parseOrNull(() => parseDataEnd(bytes, view, start + 9, start + whole)));
      if (op === opcode.footer) this.#checkSummary(start, whole);
      this.records.handle(op, bytes, view, start + prefixBytes, start + whole, window.offset);
      window.start += whole;
      if (op === opcode.dataEnd) {
        window.restartCrc();
        this.records.inSummary = true;
      }
      if (op === opcode.footer) {
        this.#ended = true;
        return 0;
      }
      // Checked after each record, so that recordings are split at the same record on every machine.
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

  /**
   * Verifies the summary CRC. It covers the summary and the footer up to the CRC field: op code, length and both
   * offsets.
   */
  #checkSummary(start: number, whole: number): void {
    const { bytes, view } = this.#window;
    const footer = parseOrNull(() => parseFooter(bytes, view, start + prefixBytes, start + whole));
    if (footer === null) return;
    this.integrity.hasFooter = true;
    if (footer.summaryCrc === 0) this.integrity.summaryCrc = 'absent';
    else {
      const crc = crc32(bytes.subarray(start, start + prefixBytes + 16), this.#window.crc);
      this.integrity.summaryCrc = crc === footer.summaryCrc ? 'present' : 'wrong';
    }
  }

  /** Skips a record that is not loaded: an attachment, or one above the size limit, which is reported. */
  async #skipRecord(length: number): Promise<boolean> {
    const op = this.#window.bytes[this.#window.start];
    const place = this.offset;
    if (op === opcode.attachment) this.integrity.attachments++;
    else {
      this.integrity.report(
        'record_too_large',
        'error',
        `the record at byte ${place} has ${length} bytes, more than the limit of ${maxRecordBytes}, and was skipped`,
        'write the file again with smaller chunks',
      );
    }
    if ((await this.#window.skip(length)) === length) return true;
    return this.#reportTruncated('the file ends in the middle of a record');
  }

  #reportCorrupt(message: string): void {
    this.integrity.report('file_corrupt', 'error', message, 'repair the file (mcap recover)');
  }

  #reportTruncated(why: string): false {
    this.#ended = true;
    this.integrity.report(
      'file_truncated',
      'error',
      `the file is intact up to byte ${this.offset}: ${why}`,
      'everything before that is read; the recorder was killed, or the copy is incomplete',
    );
    return false;
  }
}

/** Returns null if parsing throws RangeError. */
function parseOrNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}
