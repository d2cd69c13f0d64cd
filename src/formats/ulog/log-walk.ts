import { AssayError } from '#core';
import { type ByteSource, RecordWindow } from '#io/sources';
import type { Damage } from './damage.ts';
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
