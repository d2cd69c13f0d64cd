import type { FileHandle } from 'node:fs/promises';
import { unpackChunk as unpackBagChunk } from '../read/chunk-bytes.ts';

/** A chunk that stays, or what is whole of the one that the file ends in. */
interface KeptChunk {
  readonly at: number;
  readonly bytes: number;
  readonly fresh: Buffer | null;
}

/** What a ROS 1 bag holds, as far as it is whole. */
export interface BagScan {
  readonly chunks: readonly KeptChunk[];
  /** Records of connections, by number. */
  readonly connections: ReadonlyMap<number, Buffer>;
  readonly messages: number;
  /** What the file's own header says: where its index lies, and how many chunks there are. */
  readonly header: { readonly index: number; readonly chunks: number };
  /** Chunk infos behind the chunks. */
  readonly infos: number;
  readonly dropped: readonly { readonly at: number; readonly bytes: number; readonly why: string }[];
}

const largestRecord = 256 * 1024 * 1024;

/** Null where the file is no bag of version 2.0. Memory follows the chunk. */
export async function scanBag(file: FileHandle): Promise<BagScan | null> {
  const { size } = await file.stat();
  if (!magic.equals(await readAt(file, 0, magic.length))) return null;
  const chunks: KeptChunk[] = [];
  const connections = new Map<number, Buffer>();
  const dropped: { at: number; bytes: number; why: string }[] = [];
  let header = { index: 0, chunks: 0 };
  let [messages, infos] = [0, 0];
  for (let at = magic.length; at < size; ) {
    const bytes = await lengthAt(file, at, size);
    if (bytes === null || at + bytes > size || bytes > largestRecord) {
      const rest = size - at < largestRecord ? await readAt(file, at, size - at) : Buffer.alloc(0);
      const whole = rescue(rest);
      if (whole !== null) {
        chunks.push({ at, bytes: rest.length, fresh: whole });
        messages += take(openChunk(recordAt(whole, 0)!), connections);
      }
      dropped.push({ at, bytes: size - at, why: 'the file ends inside a record' });
      break;
    }
    const record = recordAt(await readAt(file, at, bytes), 0);
    if (record === null) {
      // Some writers leave a gap before the index, which other readers never see.
      if (header.index > at && header.index < size) {
        at = header.index;
        continue;
      }
      dropped.push({ at, bytes: size - at, why: 'no record begins here' });
      break;
    }
    if (record.op === op.header)
      header = {
        index: Number(record.fields.get('index_pos')?.readBigUInt64LE(0) ?? 0n),
        chunks: record.fields.get('chunk_count')?.readUInt32LE(0) ?? 0,
      };
    else if (record.op === op.connection) noteConnection(record, connections);
    else if (record.op === op.chunkInfo) infos += 1;
    else if (record.op === op.chunk) {
      try {
        messages += take(openChunk(record), connections);
        chunks.push({ at, bytes, fresh: null });
      } catch {
        dropped.push({ at, bytes, why: 'the chunk is damaged' });
      }
    }
    at += bytes;
  }
  return { chunks, connections, messages, header, infos, dropped };
}

export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

async function lengthAt(file: FileHandle, at: number, size: number): Promise<number | null> {
  const first = await readAt(file, at, 4);
  if (first.length < 4) return null;
  const head = first.readUInt32LE(0);
  if (at + 8 + head > size) return null;
  return 8 + head + (await readAt(file, at + 4 + head, 4)).readUInt32LE(0);
}

/** The records of a chunk. Throws where they are damaged. */
export function openChunk({ fields, data }: BagRecord): Buffer {
  const compression = fields.get('compression')?.toString('latin1') ?? 'none';
  if (compression === 'none') return data;
  const { bytes, fault } = unpackBagChunk(data, compression, fields.get('size')?.readUInt32LE(0) ?? null);
  if (fault !== null) throw fault;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** What an index says of a chunk: entries by connection, and its first and last time. */
export interface ChunkContent {
  readonly entries: ReadonlyMap<number, readonly { readonly time: Buffer; readonly at: number }[]>;
  readonly first: Buffer;
  readonly last: Buffer;
}

export function contentOf(records: Buffer): ChunkContent {
  const entries = new Map<number, { time: Buffer; at: number }[]>();
  let [first, last]: (Buffer | null)[] = [null, null];
  for (const { record, at } of within(records)) {
    const time = record.fields.get('time');
    if (record.op !== op.message || time === undefined) continue;
    const connection = record.fields.get('conn')?.readUInt32LE(0) ?? 0;
    const own = entries.get(connection) ?? [];
    entries.set(connection, own);
    own.push({ time, at });
    if (first === null || timeOf(time) < timeOf(first)) first = time;
    if (last === null || timeOf(time) > timeOf(last)) last = time;
  }
  return { entries, first: first ?? Buffer.alloc(8), last: last ?? Buffer.alloc(8) };
}

function* within(records: Buffer): Generator<{ record: BagRecord; at: number }> {
  for (let at = 0; at < records.length; ) {
    const record = recordAt(records, at);
    if (record === null) throw new RangeError('a record reaches past its chunk');
    yield { record, at };
    at += record.bytes;
  }
}

/** Notes connections, and counts messages. */
function take(records: Buffer, connections: Map<number, Buffer>): number {
  let messages = 0;
  for (const { record } of within(records)) {
    if (record.op === op.connection) noteConnection(record, connections);
    else if (record.op === op.message) messages += 1;
  }
  return messages;
}

function noteConnection({ fields, data }: BagRecord, connections: Map<number, Buffer>): void {
  const [id, topic] = [fields.get('conn'), fields.get('topic')];
  if (id === undefined || topic === undefined) return;
  connections.set(id.readUInt32LE(0), bagRecord(op.connection, { conn: id, topic }, Buffer.from(data)));
}

/** A chunk that the file ends in, as one without compression that holds its whole records. */
function rescue(rest: Buffer): Buffer | null {
  if (rest.length < 8) return null;
  const head = rest.readUInt32LE(0);
  const fields = 8 + head > rest.length ? null : fieldsOf(rest.subarray(4, 4 + head));
  if (fields?.get('op')?.[0] !== op.chunk) return null;
  const packed = rest.subarray(8 + head);
  const compression = fields.get('compression')?.toString('latin1') ?? 'none';
  try {
    const size = fields.get('size')?.readUInt32LE(0) ?? null;
    const bytes =
      compression === 'none' ? packed : Buffer.from(unpackBagChunk(packed, compression, size).bytes);
    let end = 0;
    for (let record = recordAt(bytes, 0); record !== null; record = recordAt(bytes, end)) end += record.bytes;
    if (end === 0) return null;
    return bagRecord(op.chunk, { compression: Buffer.from('none'), size: u32(end) }, bytes.subarray(0, end));
  } catch {
    return null;
  }
}

/** Op codes of ROS 1 bag records (wiki.ros.org/Bags/Format/2.0). */
export const op = { message: 2, header: 3, index: 4, chunk: 5, chunkInfo: 6, connection: 7 } as const;

export const magic = Buffer.from('#ROSBAG V2.0\n', 'latin1');

/** A record: the fields of its head, and where its data lies in the bytes given. */
interface BagRecord {
  readonly op: number;
  readonly fields: ReadonlyMap<string, Buffer>;
  readonly data: Buffer;
  /** Of the whole record. */
  readonly bytes: number;
}

/** The record at a place; null where none is whole. */
export function recordAt(bytes: Buffer, at: number): BagRecord | null {
  if (at + 4 > bytes.length) return null;
  const head = bytes.readUInt32LE(at);
  if (at + 8 + head > bytes.length) return null;
  const length = bytes.readUInt32LE(at + 4 + head);
  const end = at + 8 + head + length;
  if (end > bytes.length) return null;
  const fields = fieldsOf(bytes.subarray(at + 4, at + 4 + head));
  const code = fields?.get('op')?.[0];
  if (fields === null || code === undefined) return null;
  return { op: code, fields, data: bytes.subarray(end - length, end), bytes: end - at };
}

function fieldsOf(head: Buffer): Map<string, Buffer> | null {
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

export function u32(value: number): Buffer {
  const out = Buffer.alloc(4);
  out.writeUInt32LE(value);
  return out;
}

export function u64(value: number): Buffer {
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt(value));
  return out;
}

/** A record of these fields. */
export function bagRecord(code: number, fields: Readonly<Record<string, Buffer>>, data: Buffer): Buffer {
  const parts = Object.entries({ op: Buffer.from([code]), ...fields }).flatMap(([name, value]) => [
    u32(name.length + 1 + value.length),
    Buffer.from(`${name}=`, 'latin1'),
    value,
  ]);
  const head = Buffer.concat(parts);
  return Buffer.concat([u32(head.length), head, u32(data.length), data]);
}

/** Whole nanoseconds of a bag's time, seconds and nanoseconds of 32 bits each. */
function timeOf(time: Buffer): bigint {
  return BigInt(time.readUInt32LE(0)) * 1_000_000_000n + BigInt(time.readUInt32LE(4));
}
