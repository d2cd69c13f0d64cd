import { AssayError, counted } from '#core';
import type { Finding } from '#core/episode';
import { type ByteSource, RecordWindow } from '#io/sources';
import { appendedOffsets, headBytes, isMessage, magic, prefixBytes, syncMessage } from './ulog-head.ts';

/** Who the messages are for. */
export interface MessageTaker {
  /** Start time of the head, µs. */
  start(start_us: number, version: number): void;
  /** The body of a message lies in [from, to); false: it makes no sense, and nothing of it was kept. */
  take(type: number, bytes: Uint8Array, view: DataView, from: number, to: number): boolean;
  /** Messages taken lie no longer where they were after this. */
  flush(view: DataView): void;
}

const atEnd = -1;

/**
 * Walks a ULog from its first byte to its last. Damaged bytes are passed over to the next sync mark; data that was
 * appended after the log was closed (a crash dump) starts afresh at its offset, whatever was cut off before it.
 */
export class LogWalk {
  readonly #window: RecordWindow;
  readonly #size: number;
  readonly #path: string;
  readonly #taker: MessageTaker;
  readonly #damage: Damage;
  /** Where appended data starts; the next one last. */
  #appended: number[] = [];
  /** Where bytes began that cannot be read, until a sync mark ends them. */
  #lostFrom: number | null = null;

  constructor(source: ByteSource, path: string, taker: MessageTaker, damage: Damage) {
    this.#window = new RecordWindow(source);
    this.#size = source.stored;
    this.#path = path;
    this.#taker = taker;
    this.#damage = damage;
  }

  /** Bytes walked so far. */
  get offset(): number {
    return this.#window.offset;
  }

  /** Reads head and flags. Throws where this is no ULog, or one that must not be read without knowing more. */
  async begin(): Promise<void> {
    const window = this.#window;
    const whole = await window.fill(headBytes);
    if (!whole || magic.some((byte, i) => window.bytes[window.start + i] !== byte))
      throw new AssayError('unreadable_input', `${this.#path} does not start as a ULog does`, {
        path: this.#path,
      });
    const start_us = Number(window.view.getBigUint64(window.start + 8, true));
    this.#taker.start(start_us, window.bytes[window.start + 7]);
    window.start += headBytes;
    if (!(await window.fill(prefixBytes))) return;
    const length = window.bytes[window.start] | (window.bytes[window.start + 1] << 8);
    if (window.bytes[window.start + 2] !== 0x42 || !(await window.fill(prefixBytes + length))) return;
    const offsets = appendedOffsets(window.view, window.start + prefixBytes, length, this.#path);
    const usable = offsets.filter((offset) => offset > window.offset && offset < this.#size);
    this.#damage.badOffsets = offsets.length - usable.length;
    this.#appended = usable.sort((a, b) => b - a);
  }

  /** Walks what lies in the window, and reads on. False: the log is at its end. */
  async step(): Promise<boolean> {
    const wanted = this.#lostFrom === null ? this.#walk() : this.#seek();
    this.#taker.flush(this.#window.view);
    if (wanted === atEnd) return false;
    if (wanted === 0 || (await this.#window.fill(wanted))) return true;
    this.#damage.cut(this.offset, this.#window.available);
    return false;
  }

  /** Walks whole messages of the window; the bytes that the next one needs, 0 to be called again. */
  #walk(): number {
    const window = this.#window;
    const { bytes, view } = window;
    for (;;) {
      const { start } = window;
      const rest = this.#rest();
      if (rest === 0) return this.#appended.pop() === undefined ? atEnd : 0;
      if (rest < prefixBytes) return this.#lose();
      if (window.available < prefixBytes) return prefixBytes;
      const whole = prefixBytes + (bytes[start] | (bytes[start + 1] << 8));
      if (whole > rest || !isMessage(bytes, start)) return this.#lose();
      const follows = whole + prefixBytes <= rest;
      const wanted = follows ? whole + prefixBytes : whole;
      if (wanted > window.available) return wanted;
      if (!this.#taker.take(bytes[start + 2], bytes, view, start + prefixBytes, start + whole)) {
        // What makes no sense is passed over alone where another message follows it; else the bytes are damaged.
        if (follows && !isMessage(bytes, start + whole)) return this.#lose();
        this.#damage.odd++;
      }
      window.start += whole;
    }
  }

  /** Bytes to where appended data starts, or to the end of the file. */
  #rest(): number {
    return (this.#appended.at(-1) ?? this.#size) - this.#window.offset;
  }

  #lose(): number {
    this.#lostFrom = this.offset;
    return 0;
  }

  /** Looks for the next sync mark; the bytes wanted to look on, 0 when found. */
  #seek(): number {
    const window = this.#window;
    const from = this.#lostFrom!;
    const rest = this.#rest();
    const end = window.start + Math.min(rest, window.available);
    const found = Buffer.from(window.bytes.buffer, window.start, end - window.start).indexOf(syncMessage);
    if (found >= 0) {
      window.start += found;
      this.#damage.lost(from, this.offset);
      this.#lostFrom = null;
      return 0;
    }
    if (rest > window.available) {
      window.start = Math.max(window.start, end - syncMessage.length + 1);
      return window.available + 1;
    }
    window.start = end;
    this.#lostFrom = null;
    // What ends at the end of the file, or where a crash dump was appended, was cut off while it was written.
    this.#damage.cut(from, this.offset - from);
    return 0;
  }
}

const mostListed = 16;
/** A single message is at most this long; more was lost in another way than by stopping in the middle of one. */
const longestMessage = 65_538;

/** What of a log's bytes could not be read: counted while it is walked, findings in the end. */
export class Damage {
  /** Whole messages that make no sense and were passed over alone. */
  odd = 0;
  badOffsets = 0;
  #lostBytes = 0;
  #lostSpans = 0;
  readonly #listed: { from: number; bytes: number }[] = [];
  readonly #cuts: { from: number; bytes: number }[] = [];

  /** Bytes [from, to) make no sense; reading went on at a sync mark. */
  lost(from: number, to: number): void {
    this.#lostSpans++;
    this.#lostBytes += to - from;
    if (this.#listed.length < mostListed) this.#listed.push({ from, bytes: to - from });
  }

  /** The last bytes of the log, or of the part before appended data, are no whole message. */
  cut(from: number, bytes: number): void {
    if (bytes > longestMessage) this.lost(from, from + bytes);
    else this.#cuts.push({ from, bytes });
  }

  findings(path: string): Finding[] {
    const found: Finding[] = [];
    const add = (
      code: string,
      severity: Finding['severity'],
      message: string,
      advice: string,
      evidence: Finding['evidence'] = {},
    ): void => {
      found.push({ code, severity, path, message, advice, evidence });
    };
    if (this.#lostSpans > 0) {
      const places =
        this.#lostSpans === 1
          ? `at byte ${this.#listed[0].from}`
          : `in ${this.#lostSpans} places, first at byte ${this.#listed[0].from}`;
      const said = `${this.#lostBytes} damaged bytes ${places} were passed over to the next sync mark`;
      add(
        'file_corrupt',
        'warning',
        said,
        'copy the log from the card again; if it stays so, check the card',
        { bytes: this.#lostBytes, spans: this.#lostSpans, first: this.#listed },
      );
    }
    for (const { from, bytes } of this.#cuts) {
      const said = `the log breaks off in the middle of a message: ${bytes} bytes at byte ${from} are no whole one`;
      add(
        'file_truncated',
        'info',
        said,
        'nothing to do: a power cut ends a log so, and everything before it is read',
        { from, bytes },
      );
    }
    if (this.odd > 0)
      add(
        'messages_undecodable',
        'warning',
        `${counted(this.odd, 'messages do')} not fit what the log declares and had to be left out`,
        'copy the log from the card again; if it stays so, the logger wrote them wrong',
        { messages: this.odd },
      );
    if (this.badOffsets > 0)
      add(
        'appended_data_missing',
        'warning',
        `the log names ${this.badOffsets} places of appended data that lie outside it`,
        'fetch the whole file',
        { offsets: this.badOffsets },
      );
    return found;
  }
}
