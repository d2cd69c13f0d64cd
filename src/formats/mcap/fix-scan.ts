import type { FileHandle } from 'node:fs/promises';
import { constants, crc32, zstdDecompressSync } from 'node:zlib';
import { messageOf } from '#core';
import { unpackLz4Frame } from '../shared/compression/lz4-frame.ts';
import { Fields, magic, opcode, prefixBytes, record, text, u32, u64 } from './fix-records.ts';
import { unpackChunk } from './records.ts';

/** A record, or a run of adjacent records, of the data section that the repaired file retains. */
interface RetainedRecord {
  readonly at: number;
  bytes: number;
  readonly op: number;
  /** Chunk header needed for its index record; null for other records. */
  readonly chunk: ChunkHeader | null;
  /** Record that replaces the source bytes; null if they are copied unchanged. */
  readonly replacement: Buffer | null;
}

/** Fields of a chunk header: time range, compression and sizes in bytes. */
export interface ChunkHeader {
  readonly start_ns: bigint;
  readonly end_ns: bigint;
  readonly compression: string;
  readonly compressedBytes: number;
  readonly uncompressedBytes: number;
}

/** A damaged byte range that is not copied, with the reason. */
interface Dropped {
  readonly at: number;
  readonly bytes: number;
  readonly reason: string;
}

/**
 * Result of scanning the data section of an MCAP file: intact records, damaged ranges and the counts for a new
 * summary.
 */
export interface McapScan {
  readonly retained: readonly RetainedRecord[];
  readonly dropped: readonly Dropped[];
  /** Schema record contents by schema id. */
  readonly schemas: ReadonlyMap<number, Buffer>;
  /** Channel record contents by channel id. */
  readonly channels: ReadonlyMap<number, Buffer>;
  /** Message counts by channel id. */
  readonly messages: ReadonlyMap<number, number>;
  readonly first_ns: bigint | null;
  readonly last_ns: bigint | null;
  /** True if a DataEnd or Footer record was found. */
  readonly closed: boolean;
}

/** Largest chunk record that is loaded, in bytes. */
const maxChunkRecordBytes = 256 * 1024 * 1024 + 4096;

/**
 * Returns which records of an MCAP file's data section are intact and which are damaged; `null` if the file does not
 * start with the MCAP magic number. Holds one chunk in memory at a time.
 */
export async function scanMcap(file: FileHandle): Promise<McapScan | null> {
  const { size } = await file.stat();
  const head = await readAt(file, 0, magic.length);
  if (!magic.equals(head)) return null;
  const scan = new ScanBuilder();
  for (let at = magic.length; at < size && !scan.closed; ) {
    const prefix = await readAt(file, at, prefixBytes);
    const op = prefix[0] ?? 0;
    const length = prefix.length < prefixBytes ? Infinity : Number(prefix.readBigUInt64LE(1));
    const bytes = prefixBytes + length;
    if (op === 0 || at + bytes > size || (op === opcode.chunk && bytes > maxChunkRecordBytes)) {
      if (op === opcode.chunk && size - at < maxChunkRecordBytes)
        scan.recoverTruncatedChunk(at, await readAt(file, at + prefixBytes, size - at - prefixBytes));
      scan.drop(at, size - at, op === 0 ? 'no record starts here' : 'the file ends inside a record');
      break;
    }
    const whole = loadedOpcodes.has(op) ? await readAt(file, at + prefixBytes, length) : null;
    // Attachments may be large: the fields before their data are at the start.
    const fields = whole ?? (await readAt(file, at + prefixBytes, Math.min(length, maxHeadBytes)));
    if (hasReadableFields(op, fields))
      scan.addRecord({ at, bytes, op, chunk: null, replacement: null }, whole);
    else scan.drop(at, bytes, 'the record is corrupt: its fields extend past its end');
    at += bytes;
  }
  return scan;
}

/** Bytes at the start of an attachment or metadata record that hold the fields which its index repeats. */
export const maxHeadBytes = 1 << 20;

/** Returns false if a schema, channel, attachment or metadata record has a field that reaches past its content. */
function hasReadableFields(op: number, content: Buffer): boolean {
  if (op === opcode.message) return true;
  try {
    const fields = new Fields(content);
    if (op === opcode.schema) {
      fields.u16();
      fields.text();
      fields.text();
      fields.bytes(fields.u32());
    } else if (op === opcode.channel) {
      fields.u16();
      fields.u16();
      fields.text();
      fields.text();
      fields.map();
    } else if (op === opcode.attachment) {
      fields.u64();
      fields.u64();
      fields.text();
      fields.text();
      fields.u64();
    } else if (op === opcode.metadata) fields.text();
    return true;
  } catch (thrown) {
    if (thrown instanceof RangeError) return false;
    throw thrown;
  }
}

/** Records outside chunks that are merged into one retained byte range when adjacent. */
const mergeableOpcodes: ReadonlySet<number> = new Set([opcode.schema, opcode.channel, opcode.message]);
/** Records whose content is loaded during the scan. */
const loadedOpcodes: ReadonlySet<number> = new Set([
  opcode.schema,
  opcode.channel,
  opcode.message,
  opcode.chunk,
]);

/** Reads `length` bytes at offset `at`; the result is shorter at the end of the file. */
export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Collects the result of a scan, record by record. */
class ScanBuilder implements McapScan {
  readonly retained: RetainedRecord[] = [];
  readonly dropped: Dropped[] = [];
  readonly schemas = new Map<number, Buffer>();
  readonly channels = new Map<number, Buffer>();
  readonly messages = new Map<number, number>();
  first_ns: bigint | null = null;
  last_ns: bigint | null = null;
  closed = false;

  drop(at: number, bytes: number, why: string): void {
    this.dropped.push({ at, bytes, reason: why });
  }

  /** Adds the complete records of a chunk that is cut off by the end of the file, if there are any. */
  recoverTruncatedChunk(at: number, content: Buffer): void {
    const fresh = recoverChunk(content);
    if (fresh === null) return;
    const own = fresh.subarray(prefixBytes);
    this.addRecord(
      { at, bytes: prefixBytes + content.length, op: opcode.chunk, chunk: null, replacement: fresh },
      own,
    );
  }

  /** Adds one record. `content` is null for records that are not loaded; damaged chunks are dropped. */
  addRecord(record: RetainedRecord, content: Buffer | null): void {
    const { op, at, bytes } = record;
    if (op === opcode.dataEnd || op === opcode.footer) this.closed = true;
    // Message indexes are regenerated from the chunks.
    else if (op === opcode.messageIndex) return;
    else if (op === opcode.chunk && content !== null) {
      try {
        this.retained.push({ ...record, chunk: this.#indexChunk(content) });
      } catch (thrown) {
        this.drop(at, bytes, `the chunk is corrupt: ${messageOf(thrown)}`);
      }
    } else {
      if (content !== null) this.#indexRecord(op, content);
      const last = this.retained.at(-1);
      const together =
        last !== undefined &&
        last.at + last.bytes === at &&
        mergeableOpcodes.has(op) &&
        mergeableOpcodes.has(last.op);
      // Merge adjacent records: a file without chunks may have millions.
      if (together) last.bytes += bytes;
      else this.retained.push(record);
    }
  }

  #indexChunk(content: Buffer): ChunkHeader {
    const { facts, records } = decodeChunk(content);
    for (const { op, content: own } of iterateRecords(records))
      if (!hasReadableFields(op, own)) throw new RangeError('a field extends past the end of its record');
    for (const { op, content: own } of iterateRecords(records)) this.#indexRecord(op, own);
    return facts;
  }

  #indexRecord(op: number, content: Buffer): void {
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

/**
 * Returns the header and the decompressed records of a chunk; throws an AssayError or RangeError if it is damaged or
 * its checksum does not match.
 */
export function decodeChunk(content: Buffer): { readonly facts: ChunkHeader; readonly records: Buffer } {
  const fields = new Fields(content);
  const [start_ns, end_ns] = [fields.u64(), fields.u64()];
  const uncompressedBytes = Number(fields.u64());
  const crc = fields.u32();
  const compression = fields.text();
  const compressedBytes = Number(fields.u64());
  const bytes = fields.bytes(compressedBytes);
  const whole = unpackChunk(bytes, compression, uncompressedBytes);
  const records = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  if (crc !== 0 && crc32(records) !== crc) throw new RangeError('checksum mismatch');
  return { facts: { start_ns, end_ns, compression, compressedBytes, uncompressedBytes }, records };
}

/** Yields the records of a decompressed chunk with their offsets; throws RangeError if a record extends beyond it. */
export function* iterateRecords(records: Buffer): Generator<{ op: number; at: number; content: Buffer }> {
  for (let at = 0; at < records.length; ) {
    if (at + prefixBytes > records.length) throw new RangeError('a record extends past the end of its chunk');
    const length = Number(records.readBigUInt64LE(at + 1));
    const end = at + prefixBytes + length;
    if (!(end <= records.length)) throw new RangeError('a record extends past the end of its chunk');
    yield { op: records[at], at, content: records.subarray(at + prefixBytes, end) };
    at = end;
  }
}

/**
 * Builds an uncompressed chunk from the complete records of a truncated one. Returns null if no message is complete.
 */
function recoverChunk(content: Buffer): Buffer | null {
  try {
    const fields = new Fields(content);
    fields.u64();
    fields.u64();
    const size = Number(fields.u64());
    fields.u32();
    const compression = fields.text();
    fields.u64();
    const records = takeCompleteRecords(decompressPartial(fields.rest(), compression, size));
    return records === null ? null : encodeChunk(records);
  } catch {
    return null;
  }
}

/** Decompresses as much of a truncated chunk as possible; returns empty bytes for an unknown compression. */
function decompressPartial(bytes: Buffer, compression: string, size: number): Buffer {
  if (compression === '') return bytes;
  if (compression === 'lz4') return Buffer.from(unpackLz4Frame(bytes, size).bytes);
  const options = { finishFlush: constants.ZSTD_e_flush, maxOutputLength: size + 1 };
  return compression === 'zstd' ? zstdDecompressSync(bytes, options) : Buffer.alloc(0);
}

/** Leading complete records of a truncated chunk and the time range of their messages. */
interface CompleteRecords {
  readonly bytes: Buffer;
  readonly first_ns: bigint;
  readonly last_ns: bigint;
}

/** Returns the leading complete records; null if there is no complete message among them. */
function takeCompleteRecords(bytes: Buffer): CompleteRecords | null {
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

/** Encodes records as an uncompressed chunk without CRC. */
function encodeChunk({ bytes, first_ns, last_ns }: CompleteRecords): Buffer {
  return record(
    opcode.chunk,
    ...[u64(first_ns), u64(last_ns), u64(bytes.length), u32(0), text(''), u64(bytes.length), bytes],
  );
}
