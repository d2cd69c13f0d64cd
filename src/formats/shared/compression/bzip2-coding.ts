/** Maximum length of a Huffman code in bits. */
export const maxCodeBits = 20;
const maxSelectors = 18_002;
/** Codes up to this length are decoded with one table lookup; longer ones are rare. */
export const lookupBits = 10;

/**
 * Number of run symbols (RUNA, RUNB): bijective base-2 digits of a run length of the front byte, lowest digit first.
 */
export const runSymbols = 2;
/** Eight digits give at most 2 × 255, which fits into nine bits. */
const maxRunCodes = 8;
/** Maximum run value of an entry, also its bit mask. */
export const maxRunCodesValue = 511;
/** Bit position of the code count in an entry of `CodeTable.runs`. */
export const runCodesShift = 14;

/** Huffman coding of one block. */
export interface BlockCoding {
  /** The bytes that occur, ascending: initial order of move-to-front. */
  readonly bytes: Uint8Array;
  /** Table index of each group of fifty symbols. */
  readonly selectors: Uint8Array;
  /** Code length in bits of each symbol, by table. */
  readonly lengths: readonly Uint8Array[];
}

/**
 * Reads the coding header of a bzip2 block (used bytes, table selectors, code lengths) and advances `bits`; throws
 * RangeError if it is invalid.
 */
export function readCoding(bits: BitReader): BlockCoding {
  const bytes = readBytes(bits);
  const tables = bits.read(3);
  if (tables < 2 || tables > 6) throw new RangeError('corrupt bzip2 data: invalid Huffman tables');
  const selectors = readSelectors(bits, tables);
  const lengths = Array.from({ length: tables }, () => readLengths(bits, bytes.length + 2));
  return { bytes, selectors, lengths };
}

function readBytes(bits: BitReader): Uint8Array {
  const used: number[] = [];
  const groups = bits.read(16);
  for (let group = 0; group < 16; group++) {
    if (((groups >> (15 - group)) & 1) === 0) continue;
    const members = bits.read(16);
    for (let i = 0; i < 16; i++) if (((members >> (15 - i)) & 1) === 1) used.push(group * 16 + i);
  }
  if (used.length === 0) throw new RangeError('corrupt bzip2 data: a block has no symbols');
  return Uint8Array.from(used);
}

/** Reads the selectors; surplus ones, which some writers add, are skipped. */
function readSelectors(bits: BitReader, tables: number): Uint8Array {
  const count = bits.read(15);
  const order = Array.from({ length: tables }, (_, i) => i);
  const selectors = new Uint8Array(Math.min(count, maxSelectors));
  for (let i = 0; i < count; i++) {
    let rank = 0;
    while (bits.read(1) === 1)
      if (++rank >= tables) throw new RangeError('corrupt bzip2 data: invalid Huffman table selector');
    const [table] = order.splice(rank, 1);
    order.unshift(table);
    if (i < selectors.length) selectors[i] = table;
  }
  return selectors;
}

function readLengths(bits: BitReader, symbols: number): Uint8Array {
  const lengths = new Uint8Array(symbols);
  let length = bits.read(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    for (;;) {
      if (length < 1 || length > maxCodeBits)
        throw new RangeError('corrupt bzip2 data: Huffman code too long');
      if (bits.read(1) === 0) break;
      length += bits.read(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return lengths;
}

/** Canonical Huffman decoding table: codes count upwards, shorter ones first, symbols of one length in order. */
export class CodeTable {
  /** Entries by the next `lookupBits` bits: symbol × 32 + code length; 0 if the code is longer. */
  readonly lookup = new Uint32Array(1 << lookupBits);
  /** Like `lookup`, but combines successive run symbols: code count × 2^14 + run value × 32 + total code length. */
  readonly runs: Uint32Array;
  readonly #symbols: Uint16Array;
  readonly #firstCode = new Float64Array(maxCodeBits + 2);
  readonly #firstPlace = new Int32Array(maxCodeBits + 2);
  #code = 0;
  #place = 0;

  /** `lengths`: code length of each symbol in bits. */
  constructor(lengths: Uint8Array) {
    this.#symbols = new Uint16Array(lengths.length);
    for (let length = 1; length <= maxCodeBits; length++) this.#addCodes(lengths, length);
    this.#firstPlace[maxCodeBits + 1] = this.#place;
    this.runs = runLookup(this.lookup);
  }

  /**
   * Decodes a code longer than `lookupBits` from the next `maxCodeBits` bits, as an entry like those of `lookup`; 0 if
   * there is no such code.
   */
  long(next: number): number {
    for (let length = lookupBits + 1; length <= maxCodeBits; length++) {
      const read = next >>> (maxCodeBits - length);
      const index = read - this.#firstCode[length] + this.#firstPlace[length];
      if (read >= this.#firstCode[length] && index < this.#firstPlace[length + 1])
        return this.#symbols[index] * 32 + length;
    }
    return 0;
  }

  #addCodes(lengths: Uint8Array, length: number): void {
    this.#firstCode[length] = this.#code;
    this.#firstPlace[length] = this.#place;
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      if (length <= lookupBits) {
        const from = this.#code << (lookupBits - length);
        this.lookup.fill(symbol * 32 + length, from, from + (1 << (lookupBits - length)));
      }
      this.#symbols[this.#place++] = symbol;
      this.#code++;
    }
    this.#code *= 2;
  }
}

function runLookup(lookup: Uint32Array): Uint32Array {
  const runs = new Uint32Array(lookup.length);
  for (let next = 0; next < runs.length; next++) runs[next] = runEntry(lookup, next);
  return runs;
}

function runEntry(lookup: Uint32Array, next: number): number {
  let bits = 0;
  let codes = 0;
  let value = 0;
  while (codes < maxRunCodes) {
    const entry = lookup[(next << bits) & (lookup.length - 1)];
    const symbol = entry >>> 5;
    if (entry === 0 || symbol >= runSymbols || bits + (entry & 31) > lookupBits) break;
    value += 1 << (codes + symbol);
    bits += entry & 31;
    codes++;
  }
  return codes > 1 ? (codes << runCodesShift) | (value << 5) | bits : lookup[next];
}

const endsEarly = 'bzip2 data is truncated';

/** Reads bits, most significant first. @throws RangeError past the end. */
export class BitReader {
  readonly bytes: Uint8Array;
  #position: number;

  constructor(bytes: Uint8Array, from: number) {
    this.bytes = bytes;
    this.#position = from * 8;
  }

  /** Current position in bits from the first byte. */
  get position(): number {
    return this.#position;
  }

  /** Offset of the next whole byte. */
  get nextByte(): number {
    return (this.#position + 7) >>> 3;
  }

  /** Moves to a position in bits from the first byte; throws RangeError past the end. */
  moveTo(position: number): void {
    if (position > this.bytes.length * 8) throw new RangeError(endsEarly);
    this.#position = position;
  }

  /** Reads up to 24 bits as an unsigned number and moves past them; throws RangeError past the end. */
  read(count: number): number {
    const from = this.#position;
    this.moveTo(from + count);
    let value = 0;
    for (let remaining = count, at = from; remaining > 0; ) {
      const available = 8 - (at & 7);
      const taken = Math.min(remaining, available);
      value = (value << taken) | ((this.bytes[at >>> 3] >>> (available - taken)) & ((1 << taken) - 1));
      at += taken;
      remaining -= taken;
    }
    return value;
  }
}
