/** A small bzip2 writer (one stream, flat code tables) for tests: blocks of at most `blockBytes` bytes. */
export function packBzip2(input: Uint8Array, blockBytes = 50_000): Uint8Array {
  const out = new BitWriter();
  for (const byte of [0x42, 0x5a, 0x68, 0x31]) out.write(byte, 8);
  let combined = 0;
  for (let from = 0; from < input.length; from += blockBytes) {
    const plain = input.subarray(from, from + blockBytes);
    const crc = crcOf(plain);
    combined = ((combined << 1) | (combined >>> 31)) ^ crc;
    out.write(0x314159, 24);
    out.write(0x265359, 24);
    out.write(crc >>> 16, 16);
    out.write(crc & 0xffff, 16);
    writeBlock(out, withRuns(plain));
  }
  out.write(0x177245, 24);
  out.write(0x385090, 24);
  out.write(combined >>> 16, 16);
  out.write(combined & 0xffff, 16);
  return out.finish();
}

class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  write(value: number, count: number): void {
    for (let bit = count - 1; bit >= 0; bit--) {
      this.#held = (this.#held << 1) | ((value >>> bit) & 1);
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#held);
      this.#held = 0;
      this.#count = 0;
    }
  }

  finish(): Uint8Array {
    while (this.#count > 0) this.write(0, 1);
    return Uint8Array.from(this.#bytes);
  }
}

/** Four equal bytes are followed by how many more there are. */
function withRuns(input: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < input.length; ) {
    let run = 1;
    while (run < 259 && at + run < input.length && input[at + run] === input[at]) run++;
    for (let i = 0; i < Math.min(run, 4); i++) out.push(input[at]);
    if (run >= 4) out.push(run - 4);
    at += run;
  }
  return Uint8Array.from(out);
}

function writeBlock(out: BitWriter, bytes: Uint8Array): void {
  const { last, origin } = sorted(bytes);
  const used = [...new Set(last)].sort((a, b) => a - b);
  out.write(0, 1);
  out.write(origin, 24);
  for (let group = -1; group < 16; group++) {
    const inGroup = (g: number) => used.filter((byte) => byte >> 4 === g);
    if (group >= 0 && inGroup(group).length === 0) continue;
    for (let i = 0; i < 16; i++)
      out.write((group < 0 ? inGroup(i).length > 0 : used.includes(group * 16 + i)) ? 1 : 0, 1);
  }
  const symbols = symbolsOf(last, used);
  const selectors = Math.ceil(symbols.length / 50);
  const width = Math.max(1, Math.ceil(Math.log2(used.length + 2)));
  out.write(2, 3);
  out.write(selectors, 15);
  out.write(0, selectors);
  for (let table = 0; table < 2; table++) {
    out.write(width, 5);
    out.write(0, used.length + 2);
  }
  for (const symbol of symbols) out.write(symbol, width);
}

/** The last column of the sorted rotations, and which row is the text. */
function sorted(bytes: Uint8Array): { last: Uint8Array; origin: number } {
  const twice = Buffer.concat([bytes, bytes]);
  const rows = Array.from({ length: bytes.length }, (_, i) => i);
  rows.sort((a, b) => twice.compare(twice, b, b + bytes.length, a, a + bytes.length) || a - b);
  const last = Uint8Array.from(rows, (row) => bytes[(row + bytes.length - 1) % bytes.length]);
  return { last, origin: rows.indexOf(0) };
}

/** Move-to-front, with runs of the front byte as numbers in base two with the digits 1 and 2. */
function symbolsOf(last: Uint8Array, used: readonly number[]): number[] {
  const order = [...used];
  const symbols: number[] = [];
  let run = 0;
  const endRun = (): void => {
    for (; run > 0; run = (run - 1) >> 1) symbols.push((run - 1) & 1);
  };
  for (const byte of last) {
    const place = order.indexOf(byte);
    if (place === 0) {
      run++;
      continue;
    }
    endRun();
    symbols.push(place + 1);
    order.unshift(...order.splice(place, 1));
  }
  endRun();
  return [...symbols, used.length + 1];
}

function crcOf(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return ~crc;
}
