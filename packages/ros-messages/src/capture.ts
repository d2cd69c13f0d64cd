import { type Extraction, maxGroupNumbers, type Taps } from './taps.ts';

const utf8 = new TextDecoder('utf-8');
/** More of a text or a name is not looked at: a file may claim one of any size. */
const maxTextBytes = 64 * 1024;
const maxNameBytes = 256;

/** What was taken out of one message, as ranges of its bytes; strings are made only when somebody asks. */
export class Capture implements Extraction {
  stamped = false;
  stampSec = 0;
  stampNsec = 0;
  namesChanged = false;
  readonly numbers: Float64Array[];
  readonly counts: Int32Array;
  #bytes: Uint8Array = new Uint8Array(0);
  readonly #textStart: Int32Array;
  readonly #textEnd: Int32Array;
  #nameStart = new Int32Array(16);
  #nameEnd = new Int32Array(16);
  #nameCount = 0;
  #lastNames = new Uint8Array(0);
  #lastNameCount = -1;
  #payloadStart = -1;
  #payloadEnd = 0;

  constructor(taps: Taps) {
    this.numbers = taps.numbers.map(() => new Float64Array(16));
    this.counts = new Int32Array(taps.numbers.length);
    this.#textStart = new Int32Array(taps.texts.length);
    this.#textEnd = new Int32Array(taps.texts.length);
  }

  begin(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.stamped = false;
    for (let g = 0; g < this.counts.length; g++) this.counts[g] = 0;
    for (let slot = 0; slot < this.#textStart.length; slot++) {
      this.#textStart[slot] = 0;
      this.#textEnd[slot] = 0;
    }
    this.#nameCount = 0;
    this.#payloadStart = -1;
  }

  /**
   * Room for `count` more numbers of a group, behind those it has; null when that is more than is taken, and then the
   * group's count says so.
   */
  room(group: number, count: number): Float64Array | null {
    const at = this.counts[group];
    const needed = at + count;
    if (at < 0 || needed > maxGroupNumbers) {
      this.counts[group] = -1;
      return null;
    }
    let numbers = this.numbers[group];
    if (needed > numbers.length) {
      const larger = new Float64Array(Math.min(maxGroupNumbers, Math.max(needed, numbers.length * 2)));
      larger.set(numbers);
      this.numbers[group] = larger;
      numbers = larger;
    }
    this.counts[group] = needed;
    return numbers;
  }

  /** Within a list (transforms) the first stamp stands for the message. */
  setStamp(sec: number, nsec: number): void {
    if (this.stamped) return;
    this.stampSec = sec;
    this.stampNsec = nsec;
    this.stamped = true;
  }

  setText(slot: number, start: number, end: number): void {
    this.#textStart[slot] = start;
    this.#textEnd[slot] = end;
  }

  addName(start: number, end: number): void {
    if (this.#nameCount >= maxGroupNumbers) return;
    if (this.#nameCount === this.#nameStart.length) {
      this.#nameStart = doubled(this.#nameStart);
      this.#nameEnd = doubled(this.#nameEnd);
    }
    this.#nameStart[this.#nameCount] = start;
    this.#nameEnd[this.#nameCount++] = end;
  }

  setPayload(start: number, end: number): void {
    this.#payloadStart = start;
    this.#payloadEnd = end;
  }

  /** To be called when the message is read to its end. */
  finish(): void {
    this.namesChanged = !this.#sameNames();
    if (this.namesChanged) this.#rememberNames();
  }

  text(slot: number): string {
    const start = this.#textStart[slot];
    return utf8.decode(this.#bytes.subarray(start, Math.min(this.#textEnd[slot], start + maxTextBytes)));
  }

  names(): readonly string[] {
    const names: string[] = [];
    for (let i = 0; i < this.#nameCount; i++) {
      const start = this.#nameStart[i];
      names.push(utf8.decode(this.#bytes.subarray(start, Math.min(this.#nameEnd[i], start + maxNameBytes))));
    }
    return names;
  }

  payload(): Uint8Array | null {
    return this.#payloadStart < 0 ? null : this.#bytes.subarray(this.#payloadStart, this.#payloadEnd);
  }

  #sameNames(): boolean {
    if (this.#nameCount !== this.#lastNameCount) return false;
    const last = this.#lastNames;
    const bytes = this.#bytes;
    let at = 0;
    for (let i = 0; i < this.#nameCount; i++) {
      const end = this.#nameEnd[i];
      for (let from = this.#nameStart[i]; from < end; from++) if (bytes[from] !== last[at++]) return false;
      if (last[at++] !== 0) return false;
    }
    return true;
  }

  #rememberNames(): void {
    let length = 0;
    for (let i = 0; i < this.#nameCount; i++) length += this.#nameEnd[i] - this.#nameStart[i] + 1;
    const names = new Uint8Array(length);
    let at = 0;
    for (let i = 0; i < this.#nameCount; i++) {
      names.set(this.#bytes.subarray(this.#nameStart[i], this.#nameEnd[i]), at);
      at += this.#nameEnd[i] - this.#nameStart[i] + 1;
    }
    this.#lastNames = names;
    this.#lastNameCount = this.#nameCount;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
