/** Bytes a value takes in a row, by its serial type; -1 for the two types that no file may hold. */
function sizeOf(type: number): number {
  if (type >= 12) return (type - 12 - (type & 1)) / 2;
  return fixedSizes[type];
}

const fixedSizes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, -1, -1];

/** The wanted columns of one row, as ranges of its bytes; values are made only when somebody asks. */
export class RecordView {
  bytes: Uint8Array = new Uint8Array(0);
  view: DataView = new DataView(this.bytes.buffer);
  readonly #types: Float64Array;
  readonly #starts: Float64Array;
  readonly #slots: Int8Array;

  /** `columns`: where each wanted value stands in a row; -1: nowhere, it is always null. */
  constructor(columns: readonly number[]) {
    this.#types = new Float64Array(columns.length);
    this.#starts = new Float64Array(columns.length);
    this.#slots = new Int8Array(Math.max(0, ...columns) + 1).fill(-1);
    for (const [slot, column] of columns.entries()) if (column >= 0) this.#slots[column] = slot;
  }

  /** Takes the row at [start, end). False: it does not hold together. */
  take(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    this.bytes = bytes;
    this.view = view;
    this.#types.fill(0);
    let headEnd = bytes[start];
    let at = start + 1;
    if (headEnd >= 128) {
      headEnd = 0;
      at = start;
      for (let more = true; more && at < end && at < start + 4; at++) {
        headEnd = headEnd * 128 + (bytes[at] & 127);
        more = bytes[at] >= 128;
      }
    }
    headEnd += start;
    if (headEnd > end || headEnd < at) return false;
    let body = headEnd;
    const slots = this.#slots;
    for (let column = 0; at < headEnd && column < slots.length; column++) {
      let type = bytes[at++];
      if (type >= 128) {
        type &= 127;
        let more = true;
        for (let i = 0; more && i < 7 && at < headEnd; i++) {
          type = type * 128 + (bytes[at] & 127);
          more = bytes[at++] >= 128;
        }
        if (more) return false;
      }
      const size = sizeOf(type);
      if (size < 0 || body + size > end) return false;
      const slot = slots[column];
      if (slot >= 0) {
        this.#types[slot] = type;
        this.#starts[slot] = body;
      }
      body += size;
    }
    return true;
  }

  isNull(slot: number): boolean {
    return this.#types[slot] === 0;
  }

  isInteger(slot: number): boolean {
    const type = this.#types[slot];
    return (type >= 1 && type <= 6) || type === 8 || type === 9;
  }

  /** A blob or a text: bytes either way. */
  isBytes(slot: number): boolean {
    return this.#types[slot] >= 12;
  }

  start(slot: number): number {
    return this.#starts[slot];
  }

  end(slot: number): number {
    return this.#starts[slot] + sizeOf(this.#types[slot]);
  }

  /** The upper 32 bits of an integer, signed. */
  high(slot: number): number {
    const type = this.#types[slot];
    const at = this.#starts[slot];
    if (type === 6) return this.view.getInt32(at);
    if (type === 5) return this.view.getInt16(at);
    return this.#small(type, at) < 0 ? -1 : 0;
  }

  /** The lower 32 bits of an integer, unsigned. */
  low(slot: number): number {
    const type = this.#types[slot];
    const at = this.#starts[slot];
    if (type === 6) return this.view.getUint32(at + 4);
    if (type === 5) return this.view.getUint32(at + 2);
    return this.#small(type, at) >>> 0;
  }

  /** The nearest double of an integer; NaN for anything else. */
  number(slot: number): number {
    return this.isInteger(slot) ? this.high(slot) * 4294967296 + this.low(slot) : Number.NaN;
  }

  #small(type: number, at: number): number {
    switch (type) {
      case 1:
        return this.view.getInt8(at);
      case 2:
        return this.view.getInt16(at);
      case 3:
        return (this.view.getInt16(at) << 8) | this.bytes[at + 2];
      case 4:
        return this.view.getInt32(at);
      default:
        return type === 9 ? 1 : 0;
    }
  }
}
