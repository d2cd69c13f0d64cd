const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Highest 12-bit code; code 0 says `no number`. */
export const topCode = 4095;
/** Highest 18-bit code of a stamp. */
const topStamp = 262_143;

const single = Uint8Array.from(alphabet, (character) => character.charCodeAt(0));
/** Both characters of a 12-bit code as they lie in memory, so that writing a code is one store. */
const pairs = new Uint16Array(topCode + 1);
const pairBytes = new Uint8Array(pairs.buffer);
for (let code = 0; code <= topCode; code++) {
  pairBytes[2 * code] = single[code >>> 6];
  pairBytes[2 * code + 1] = single[code & 63];
}

let scratch = new Uint16Array(4096);

function scratchFor(characters: number): Uint16Array {
  if (scratch.length * 2 < characters) scratch = new Uint16Array(characters);
  return scratch;
}

function textOf(characters: number): string {
  return Buffer.from(scratch.buffer, 0, characters).toString('latin1');
}

/** Codes 0..4095 as two characters each. */
export function packCodes(codes: Uint16Array, count: number): string {
  const out = scratchFor(2 * count);
  for (let i = 0; i < count; i++) out[i] = pairs[codes[i]];
  return textOf(2 * count);
}

/** Stamps as three characters each, spread evenly over `from`..`to`. */
export function packStamps(stamps: Float64Array, count: number, from: number, to: number): string {
  const bytes = new Uint8Array(scratchFor(3 * count).buffer);
  const scale = to > from ? topStamp / (to - from) : 0;
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    const code = Math.round((stamps[i] - from) * scale);
    bytes[at] = single[code >>> 12];
    bytes[at + 1] = single[(code >>> 6) & 63];
    bytes[at + 2] = single[code & 63];
  }
  return textOf(3 * count);
}
