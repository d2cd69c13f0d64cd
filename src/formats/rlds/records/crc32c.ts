/** Castagnoli's polynomial, bits reversed (RFC 3720, appendix B.4). */
const polynomial = 0x82f63b78;
const slices = 8;
/** Below this the words cost more than they save. */
const shortBytes = 32;

/** Row s holds the CRC of a byte that s zero bytes follow, so that eight bytes are taken in one step. */
const table = makeTable();

/** CRC-32C of `bytes[from..to)`, as TFRecord uses it; Node's `zlib.crc32` is of another polynomial. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = -1;
  let at = from;
  if (to - from < shortBytes) {
    while (at < to) crc = step(crc, bytes[at++]);
    return ~crc >>> 0;
  }
  while (at < to && ((bytes.byteOffset + at) & 3) !== 0) crc = step(crc, bytes[at++]);
  const pairs = (to - at) >>> 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, pairs * 2);
  for (let i = 0; i < words.length; i += 2) {
    const low = crc ^ words[i];
    const high = words[i + 1];
    crc =
      table[1792 + (low & 255)] ^
      table[1536 + ((low >>> 8) & 255)] ^
      table[1280 + ((low >>> 16) & 255)] ^
      table[1024 + (low >>> 24)] ^
      table[768 + (high & 255)] ^
      table[512 + ((high >>> 8) & 255)] ^
      table[256 + ((high >>> 16) & 255)] ^
      table[high >>> 24];
  }
  for (at += pairs * 8; at < to; at++) crc = step(crc, bytes[at]);
  return ~crc >>> 0;
}

/** TFRecord writes CRCs masked, so that a CRC of bytes that hold CRCs stays a good one (tsl/lib/hash/crc32c.h). */
export function maskedCrc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  const crc = crc32c(bytes, from, to);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function step(crc: number, byte: number): number {
  return table[(crc ^ byte) & 255] ^ (crc >>> 8);
}

function makeTable(): Int32Array {
  const rows = new Int32Array(slices * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ polynomial;
    rows[byte] = crc;
  }
  for (let i = 256; i < rows.length; i++) {
    const before = rows[i - 256];
    rows[i] = rows[before & 255] ^ (before >>> 8);
  }
  return rows;
}
