import type { RecordWindow } from '#io/sources';
import type { Junk } from './junk.ts';
import type { LogReading } from './log-reading.ts';
import { BinaryMessage } from './message.ts';
import { formatType, headBytes } from './message-type.ts';

const first = 0xa3;
const second = 0x95;
const atEnd = -1;

/** Walks a binary log message by message; where none starts, forward to where one does. */
export class BinaryWalk {
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
