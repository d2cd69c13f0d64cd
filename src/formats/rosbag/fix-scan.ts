import type { FileHandle } from 'node:fs/promises';
import { unpackChunk as unpackBagChunk } from './chunk-bytes.ts';

/** A chunk that the repaired bag retains; `replacement` holds the recovered part of a truncated one, else null. */
interface RetainedChunk {
  readonly at: number;
  readonly bytes: number;
  readonly replacement: Buffer | null;
}

/** Result of scanning a ROS 1 bag: intact chunks, connections, counts and damaged ranges. */
export interface BagScan {
  readonly chunks: readonly RetainedChunk[];
  /** Connection records by connection id. */
  readonly connections: ReadonlyMap<number, Buffer>;
  readonly messages: number;
  /** Index offset and chunk count from the bag header. */
  readonly header: { readonly index: number; readonly chunks: number };
  /** Number of chunk info records. */
  readonly infos: number;
  readonly dropped: readonly { readonly at: number; readonly bytes: number; readonly why: string }[];
}

/** Largest record that is loaded, in bytes. */
const maxRecordBytes = 256 * 1024 * 1024;

/**
 * Returns the intact chunks, the connections and the damaged bytes of a bag, read from start to end; `null` if it is
 * not a bag of version 2.0. Holds one chunk in memory at a time.
 */
export async function scanBag(file: FileHandle): Promise<BagScan | null> {
  const { size } = await file.stat();
  if (!magic.equals(await readAt(file, 0, magic.length))) return null;
  const chunks: RetainedChunk[] = [];
  const connections = new Map<number, Buffer>();
  const dropped: { at: number; bytes: number; why: string }[] = [];
  let header = { index: 0, chunks: 0 };
  let [messages, infos] = [0, 0];
  for (let at = magic.length; at < size; ) {
    const bytes = await readRecordLength(file, at, size);
    if (bytes === null || at + bytes > size || bytes > maxRecordBytes) {
      const rest = size - at < maxRecordBytes ? await readAt(file, at, size - at) : Buffer.alloc(0);
      const whole = recoverChunk(rest);
      if (whole !== null) {
        chunks.push({ at, bytes: rest.length, replacement: whole });
        messages += scanChunkRecords(decompressChunk(parseRecord(whole, 0)!), connections);
      }
      dropped.push({ at, bytes: size - at, why: 'the file ends inside a record' });
      break;
    }
    const record = parseRecord(await readAt(file, at, bytes), 0);
    if (record === null) {
      // Some writers leave a gap before the index, which index-based readers skip.
      if (header.index > at && header.index < size) {
        at = header.index;
        continue;
      }
      dropped.push({ at, bytes: size - at, why: 'no record starts here' });
      break;
    }
    if (record.op === opcode.header)
      header = {
        index: Number(record.fields.get('index_pos')?.readBigUInt64LE(0) ?? 0n),
        chunks: record.fields.get('chunk_count')?.readUInt32LE(0) ?? 0,
      };
    else if (record.op === opcode.connection) addConnection(record, connections);
    else if (record.op === opcode.chunkInfo) infos += 1;
    else if (record.op === opcode.chunk) {
      try {
        messages += scanChunkRecords(decompressChunk(record), connections);
        chunks.push({ at, bytes, replacement: null });
      } catch {
        dropped.push({ at, bytes, why: 'the chunk is corrupt' });
      }
    }
    at += bytes;
  }
  return { chunks, connections, messages, header, infos, dropped };
}

/** Reads `length` bytes at offset `at`; the result is shorter at the end of the file. */
export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** Returns the total length of the record at `at`; null if its header is cut off. */
async function readRecordLength(file: FileHandle, at: number, size: number): Promise<number | null> {
  const first = await readAt(file, at, 4);
  if (first.length < 4) return null;
  const head = first.readUInt32LE(0);
  if (at + 8 + head > size) return null;
  return 8 + head + (await readAt(file, at + 4 + head, 4)).readUInt32LE(0);
}

/** Returns the decompressed records of a chunk; throws RangeError if it is damaged. */
export function decompressChunk({ fields, data }: BagRecord): Buffer {
  const compression = fields.get('compression')?.toString('latin1') ?? 'none';
  if (compression === 'none') return data;
  const { bytes, fault } = unpackBagChunk(data, compression, fields.get('size')?.readUInt32LE(0) ?? null);
  if (fault !== null) throw fault;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Index of a chunk: message entries by connection, first and last time. */
export interface ChunkIndex {
  readonly entries: ReadonlyMap<number, readonly { readonly time: Buffer; readonly at: number }[]>;
  readonly first: Buffer;
  readonly last: Buffer;
}

/**
 * Returns the times and offsets of the messages of a decompressed chunk by connection, and the first and last time;
 * throws RangeError if it is damaged.
 */
export function indexChunk(records: Buffer): ChunkIndex {
  const entries = new Map<number, { time: Buffer; at: number }[]>();
  let [first, last]: (Buffer | null)[] = [null, null];
  for (const { record, at } of iterateRecords(records)) {
    const time = record.fields.get('time');
    if (record.op !== opcode.message || time === undefined) continue;
    const connection = record.fields.get('conn')?.readUInt32LE(0) ?? 0;
    const own = entries.get(connection) ?? [];
    entries.set(connection, own);
    own.push({ time, at });
    if (first === null || toNanoseconds(time) < toNanoseconds(first)) first = time;
    if (last === null || toNanoseconds(time) > toNanoseconds(last)) last = time;
  }
  return { entries, first: first ?? Buffer.alloc(8), last: last ?? Buffer.alloc(8) };
}

/** Iterates over the records of a chunk. Throws RangeError if one extends beyond it. */
function* iterateRecords(records: Buffer): Generator<{ record: BagRecord; at: number }> {
  for (let at = 0; at < records.length; ) {
    const record = parseRecord(records, at);
    if (record === null) throw new RangeError('a record extends past the end of its chunk');
    yield { record, at };
    at += record.bytes;
  }
}

/** Adds the connections of a chunk to the map and returns its message count. */
function scanChunkRecords(records: Buffer, connections: Map<number, Buffer>): number {
  let messages = 0;
  for (const { record } of iterateRecords(records)) {
    if (record.op === opcode.connection) addConnection(record, connections);
    else if (record.op === opcode.message) messages += 1;
  }
  return messages;
}

function addConnection({ fields, data }: BagRecord, connections: Map<number, Buffer>): void {
  const [id, topic] = [fields.get('conn'), fields.get('topic')];
  if (id === undefined || topic === undefined) return;
  connections.set(
    id.readUInt32LE(0),
    encodeRecord(opcode.connection, { conn: id, topic }, Buffer.from(data)),
  );
}

/** Builds an uncompressed chunk from the complete records of a truncated one; null if there are none. */
function recoverChunk(rest: Buffer): Buffer | null {
  if (rest.length < 8) return null;
  const head = rest.readUInt32LE(0);
  const fields = 8 + head > rest.length ? null : parseFields(rest.subarray(4, 4 + head));
  if (fields?.get('op')?.[0] !== opcode.chunk) return null;
  const packed = rest.subarray(8 + head);
  const compression = fields.get('compression')?.toString('latin1') ?? 'none';
  try {
    const size = fields.get('size')?.readUInt32LE(0) ?? null;
    const bytes =
      compression === 'none' ? packed : Buffer.from(unpackBagChunk(packed, compression, size).bytes);
    let end = 0;
    for (let record = parseRecord(bytes, 0); record !== null; record = parseRecord(bytes, end))
      end += record.bytes;
    if (end === 0) return null;
    return encodeRecord(
      opcode.chunk,
      { compression: Buffer.from('none'), size: u32(end) },
      bytes.subarray(0, end),
    );
  } catch {
    return null;
  }
}

/** Op codes of ROS 1 bag records (wiki.ros.org/Bags/Format/2.0). */
export const opcode = { message: 2, header: 3, index: 4, chunk: 5, chunkInfo: 6, connection: 7 } as const;

/** First line of a bag of version 2.0. */
export const magic = Buffer.from('#ROSBAG V2.0\n', 'latin1');

/** A parsed record: header fields and data. */
interface BagRecord {
  readonly op: number;
  readonly fields: ReadonlyMap<string, Buffer>;
  readonly data: Buffer;
  /** Total size of the record. */
  readonly bytes: number;
}

/** Parses the record at offset `at`; `null` if it is incomplete or malformed. */
export function parseRecord(bytes: Buffer, at: number): BagRecord | null {
  if (at + 4 > bytes.length) return null;
  const head = bytes.readUInt32LE(at);
  if (at + 8 + head > bytes.length) return null;
  const length = bytes.readUInt32LE(at + 4 + head);
  const end = at + 8 + head + length;
  if (end > bytes.length) return null;
  const fields = parseFields(bytes.subarray(at + 4, at + 4 + head));
  const code = fields?.get('op')?.[0];
  if (fields === null || code === undefined) return null;
  return { op: code, fields, data: bytes.subarray(end - length, end), bytes: end - at };
}

/** Parses `name=value` header fields; null if they are malformed. */
function parseFields(head: Buffer): Map<string, Buffer> | null {
  const fields = new Map<string, Buffer>();
  for (let at = 0; at < head.length; ) {
    if (at + 4 > head.length) return null;
    const length = head.readUInt32LE(at);
    const field = head.subarray(at + 4, at + 4 + length);
    const equals = field.indexOf(0x3d);
    if (field.length < length || equals < 0) return null;
    fields.set(field.toString('latin1', 0, equals), field.subarray(equals + 1));
    at += 4 + length;
  }
  return fields;
}

/** Encodes a 32-bit unsigned integer, little-endian. */
export function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

/** Encodes a 64-bit unsigned integer, little-endian. */
export function u64(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

/** Encodes a record with an op code, header fields and data. */
export function encodeRecord(code: number, fields: Readonly<Record<string, Buffer>>, data: Buffer): Buffer {
  const parts = Object.entries({ op: Buffer.from([code]), ...fields }).flatMap(([name, value]) => [
    u32(name.length + 1 + value.length),
    Buffer.from(`${name}=`, 'latin1'),
    value,
  ]);
  const head = Buffer.concat(parts);
  return Buffer.concat([u32(head.length), head, u32(data.length), data]);
}

/** Converts a bag time (32-bit seconds and nanoseconds) to nanoseconds. */
function toNanoseconds(time: Buffer): bigint {
  return BigInt(time.readUInt32LE(0)) * 1_000_000_000n + BigInt(time.readUInt32LE(4));
}
