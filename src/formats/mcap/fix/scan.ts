import type { FileHandle } from 'node:fs/promises';
import { constants, crc32, zstdDecompressSync } from 'node:zlib';
import { messageOf } from '#core';
import { unpackLz4Frame } from '../../shared/compression/lz4-frame.ts';
import { unpackChunk } from '../read/chunk-bytes.ts';
import { Fields, magic, opcode, prefixBytes, record, text, u32, u64 } from './records.ts';

/** A record of the data section that stays, or a chunk. */
interface Kept {
  readonly at: number;
  bytes: number;
  readonly op: number;
  /** Of a chunk: what its index needs. */
  readonly chunk: ChunkFacts | null;
  /** A record that takes the place of these bytes. */
  readonly fresh: Buffer | null;
}

export interface ChunkFacts {
  readonly start_ns: bigint;
  readonly end_ns: bigint;
  readonly compression: string;
  readonly packed: number;
  readonly unpacked: number;
}

/** Bytes that cannot stay, with the reason. */
interface Dropped {
  readonly at: number;
  readonly bytes: number;
  readonly why: string;
}

/** What lies in the data section of an MCAP file, as far as it is whole. */
export interface McapScan {
  readonly kept: readonly Kept[];
  readonly dropped: readonly Dropped[];
  /** Contents of records by id, for the summary. */
  readonly schemas: ReadonlyMap<number, Buffer>;
  readonly channels: ReadonlyMap<number, Buffer>;
  /** Messages by channel. */
  readonly messages: ReadonlyMap<number, number>;
  readonly first_ns: bigint | null;
  readonly last_ns: bigint | null;
  /** The data section was closed by its own record. */
  readonly closed: boolean;
}

const largestChunk = 256 * 1024 * 1024 + 4096;

/** Null where the file does not begin as an MCAP file does. Memory follows the chunk. */
export async function scanMcap(file: FileHandle): Promise<McapScan | null> {
  const { size } = await file.stat();
  const head = await readAt(file, 0, magic.length);
  if (!magic.equals(head)) return null;
  const scan = new Scan();
  for (let at = magic.length; at < size && !scan.closed; ) {
    const prefix = await readAt(file, at, prefixBytes);
    const op = prefix[0] ?? 0;
    const length = prefix.length < prefixBytes ? Infinity : Number(prefix.readBigUInt64LE(1));
    const bytes = prefixBytes + length;
    if (op === 0 || at + bytes > size || (op === opcode.chunk && bytes > largestChunk)) {
      if (op === opcode.chunk && size - at < largestChunk)
        scan.rescue(at, await readAt(file, at + prefixBytes, size - at - prefixBytes));
      scan.drop(at, size - at, op === 0 ? 'no record begins here' : 'the file ends inside a record');
      break;
    }
    const whole = wholly.has(op) ? await readAt(file, at + prefixBytes, length) : null;
    scan.take({ at, bytes, op, chunk: null, fresh: null }, whole);
    at += bytes;
  }
  return scan;
}

const plain: ReadonlySet<number> = new Set([opcode.schema, opcode.channel, opcode.message]);
const wholly: ReadonlySet<number> = new Set([opcode.schema, opcode.channel, opcode.message, opcode.chunk]);

export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

class Scan implements McapScan {
  readonly kept: Kept[] = [];
  readonly dropped: Dropped[] = [];
  readonly schemas = new Map<number, Buffer>();
  readonly channels = new Map<number, Buffer>();
  readonly messages = new Map<number, number>();
  first_ns: bigint | null = null;
  last_ns: bigint | null = null;
  closed = false;

  drop(at: number, bytes: number, why: string): void {
    this.dropped.push({ at, bytes, why });
  }

  /** What is whole of a chunk that the file ends in. */
  rescue(at: number, content: Buffer): void {
    const fresh = rescueChunk(content);
    if (fresh === null) return;
    const own = fresh.subarray(prefixBytes);
    this.take({ at, bytes: prefixBytes + content.length, op: opcode.chunk, chunk: null, fresh }, own);
  }

  take(record: Kept, content: Buffer | null): void {
    const { op, at, bytes } = record;
    if (op === opcode.dataEnd || op === opcode.footer) this.closed = true;
    // Written anew, from the chunks themselves.
    else if (op === opcode.messageIndex) return;
    else if (op === opcode.chunk && content !== null) {
      try {
        this.kept.push({ ...record, chunk: this.#chunk(content) });
      } catch (thrown) {
        this.drop(at, bytes, `the chunk is damaged: ${messageOf(thrown)}`);
      }
    } else {
      if (content !== null) this.#note(op, content);
      const last = this.kept.at(-1);
      const together =
        last !== undefined && last.at + last.bytes === at && plain.has(op) && plain.has(last.op);
      // A file without chunks has millions of these.
      if (together) last.bytes += bytes;
      else this.kept.push(record);
    }
  }

  #chunk(content: Buffer): ChunkFacts {
    const { facts, records } = openChunk(content);
    for (const { op, content: own } of recordsIn(records)) this.#note(op, own);
    return facts;
  }

  #note(op: number, content: Buffer): void {
    const id = content.length < 2 ? -1 : content.readUInt16LE(0);
    if (op === opcode.schema) this.schemas.set(id, Buffer.from(content));
    else if (op === opcode.channel) this.channels.set(id, Buffer.from(content));
    else if (op === opcode.message && content.length >= 22) {
      this.messages.set(id, (this.messages.get(id) ?? 0) + 1);
      const time = content.readBigUInt64LE(6);
      if (this.first_ns === null || time < this.first_ns) this.first_ns = time;
      if (this.last_ns === null || time > this.last_ns) this.last_ns = time;
    }
  }
}

/** A chunk's own facts and its records, unpacked. Throws where it is damaged. */
export function openChunk(content: Buffer): { readonly facts: ChunkFacts; readonly records: Buffer } {
  const fields = new Fields(content);
  const [start_ns, end_ns] = [fields.u64(), fields.u64()];
  const unpacked = Number(fields.u64());
  const crc = fields.u32();
  const compression = fields.text();
  const packed = Number(fields.u64());
  const bytes = fields.bytes(packed);
  const whole = unpackChunk(bytes, compression, unpacked);
  const records = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  if (crc !== 0 && crc32(records) !== crc) throw new RangeError('its checksum does not fit');
  return { facts: { start_ns, end_ns, compression, packed, unpacked }, records };
}

/** The records of a chunk, with where each begins. */
export function* recordsIn(records: Buffer): Generator<{ op: number; at: number; content: Buffer }> {
  for (let at = 0; at < records.length; ) {
    if (at + prefixBytes > records.length) throw new RangeError('a record reaches past its chunk');
    const length = Number(records.readBigUInt64LE(at + 1));
    const end = at + prefixBytes + length;
    if (!(end <= records.length)) throw new RangeError('a record reaches past its chunk');
    yield { op: records[at], at, content: records.subarray(at + prefixBytes, end) };
    at = end;
  }
}

/** A chunk that the file ends in, as one without compression that holds its whole records; null where none is whole. */
function rescueChunk(content: Buffer): Buffer | null {
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
