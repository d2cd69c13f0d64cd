import { constants, zstdDecompressSync } from 'node:zlib';
import { unpackLz4Frame } from '../../shared/compression/lz4-frame.ts';
import { Fields, opcode, prefixBytes, record, text, u32, u64 } from './records.ts';

/** A chunk that the file ends in, as one without compression that holds its whole records; null where none is whole. */
export function rescueChunk(content: Buffer): Buffer | null {
  try {
    const fields = new Fields(content);
    fields.u64();
    fields.u64();
    const size = Number(fields.u64());
    fields.u32();
    const compression = fields.text();
    fields.u64();
    const records = wholeRecords(unpacked(fields.rest(), compression, size));
    return records === null ? null : chunkOf(records);
  } catch {
    return null;
  }
}

function unpacked(bytes: Buffer, compression: string, size: number): Buffer {
  if (compression === '') return bytes;
  if (compression === 'lz4') return Buffer.from(unpackLz4Frame(bytes, size).bytes);
  const options = { finishFlush: constants.ZSTD_e_flush, maxOutputLength: size + 1 };
  return compression === 'zstd' ? zstdDecompressSync(bytes, options) : Buffer.alloc(0);
}

interface Records {
  readonly bytes: Buffer;
  readonly first_ns: bigint;
  readonly last_ns: bigint;
}

function wholeRecords(bytes: Buffer): Records | null {
  let [at, end] = [0, 0];
  let [first_ns, last_ns]: (bigint | null)[] = [null, null];
  while (at + prefixBytes <= bytes.length) {
    const next = at + prefixBytes + Number(bytes.readBigUInt64LE(at + 1));
    if (bytes[at] === 0 || !(next <= bytes.length)) break;
    if (bytes[at] === opcode.message && next - at >= prefixBytes + 22) {
      const time = bytes.readBigUInt64LE(at + prefixBytes + 6);
      first_ns = first_ns === null || time < first_ns ? time : first_ns;
      last_ns = last_ns === null || time > last_ns ? time : last_ns;
    }
    at = next;
    end = at;
  }
  return first_ns === null || last_ns === null ? null : { bytes: bytes.subarray(0, end), first_ns, last_ns };
}

function chunkOf({ bytes, first_ns, last_ns }: Records): Buffer {
  return record(
    opcode.chunk,
    ...[u64(first_ns), u64(last_ns), u64(bytes.length), u32(0), text(''), u64(bytes.length), bytes],
  );
}
