import { zstdDecompressSync } from 'node:zlib';
import { AssayError, messageOf } from '#core';
import { unpackLz4Frame } from '../shared/compression/lz4-frame.ts';
import type { UnpackResult } from '../shared/compression/unpacked.ts';

/** Largest decompressed chunk size, in bytes. Larger chunks are refused to bound memory. */
export const maxChunkBytes = 256 * 1024 * 1024;

/**
 * Decompresses a chunk to exactly `size` bytes; throws `limit_exceeded` above 256 MiB, `unreadable_input` if it is
 * damaged, `unsupported_version` for an unknown compression.
 */
export function unpackChunk(bytes: Uint8Array, compression: string, size: number): Uint8Array {
  if (size > maxChunkBytes) {
    throw new AssayError(
      'limit_exceeded',
      `decompressed size ${size} bytes, more than the limit of ${maxChunkBytes}`,
    );
  }
  const unpacked = unpack(bytes, compression, size);
  if (unpacked.length === size) return unpacked;
  throw new AssayError(
    'unreadable_input',
    `decompressed to ${unpacked.length} bytes instead of the declared ${size}`,
  );
}

function unpack(bytes: Uint8Array, compression: string, size: number): Uint8Array {
  try {
    if (compression === '') return bytes;
    if (compression === 'zstd') return unpackZstdFrames(bytes, size);
    if (compression === 'lz4') return requireComplete(unpackLz4Frame(bytes, size));
  } catch (thrown) {
    throw new AssayError('unreadable_input', `cannot decompress: ${messageOf(thrown)}`);
  }
  throw new AssayError('unsupported_version', `unknown compression '${compression}'`);
}

function requireComplete({ bytes, fault }: UnpackResult): Uint8Array {
  if (fault !== null) throw fault;
  return bytes;
}

interface ZstdResult {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

/**
 * Decompresses all zstd frames of a chunk: Node's decoder stops after the first frame, and writers may append several.
 */
function unpackZstdFrames(bytes: Uint8Array, size: number): Uint8Array {
  let whole: Uint8Array | null = null;
  let filled = 0;
  for (let from = 0; from < bytes.length; ) {
    const room = size - filled;
    // One extra byte, so that a frame is returned in one piece and an oversized one is detected.
    const options = { maxOutputLength: room + 1, chunkSize: Math.max(64, room + 1), info: true };
    const result: unknown = zstdDecompressSync(bytes.subarray(from), options);
    const { buffer, engine } = result as ZstdResult;
    from += engine.bytesWritten;
    if (from >= bytes.length && whole === null) return buffer;
    whole ??= new Uint8Array(size);
    whole.set(buffer, filled);
    filled += buffer.length;
    if (engine.bytesWritten === 0) break;
  }
  return (whole ?? new Uint8Array(0)).subarray(0, filled);
}

/** Op codes of MCAP records (mcap.dev/spec). */
export const opcode = {
  header: 0x01,
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  message: 0x05,
  chunk: 0x06,
  messageIndex: 0x07,
  chunkIndex: 0x08,
  attachment: 0x09,
  attachmentIndex: 0x0a,
  statistics: 0x0b,
  metadata: 0x0c,
  metadataIndex: 0x0d,
  summaryOffset: 0x0e,
  dataEnd: 0x0f,
} as const;

/** Magic number at the start and end of an MCAP file. */
export const magic = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);
/** Size of op code and length before a record's content, in bytes. */
export const prefixBytes = 9;
/** Size of channel id, sequence and two times before a message's data, in bytes. */
export const messagePrefixBytes = 22;

/** Header record: profile and library of the writer. */
interface HeaderRecord {
  readonly profile: string;
  readonly library: string;
}

/** Schema record: the definition of a message type. */
export interface SchemaRecord {
  readonly id: number;
  readonly name: string;
  readonly encoding: string;
  readonly data: Uint8Array;
}

/** Channel record: a topic with its encoding and schema. */
export interface ChannelRecord {
  readonly id: number;
  readonly schemaId: number;
  readonly topic: string;
  readonly messageEncoding: string;
  readonly metadata: ReadonlyMap<string, string>;
}

/** Chunk record: compression and the span of its records. */
interface ChunkRecord {
  readonly uncompressedSize: number;
  readonly uncompressedCrc: number;
  readonly compression: string;
  /** Span of the (compressed) records in the parsed bytes: [start, end). */
  readonly start: number;
  readonly end: number;
}

/** Statistics record: counts of the whole file. */
export interface StatisticsRecord {
  readonly messages: number;
  readonly schemas: number;
  readonly channels: number;
  readonly attachments: number;
  readonly metadata: number;
  readonly chunks: number;
  readonly channelMessages: ReadonlyMap<number, number>;
}

/** Metadata record: named text values. */
interface MetadataRecord {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
}

const utf8 = new TextDecoder('utf-8');

/** Reads the fields of one record in sequence. Throws RangeError if a field extends beyond the record. */
class Fields {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  at: number;

  constructor(bytes: Uint8Array, view: DataView, start: number, end: number) {
    this.#bytes = bytes;
    this.#view = view;
    this.at = start;
    this.#end = end;
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  /** Reads a 64-bit unsigned integer as a double, exact up to 2^53. */
  u64(): number {
    const at = this.#advance(8);
    return this.#view.getUint32(at + 4, true) * 4294967296 + this.#view.getUint32(at, true);
  }

  text(): string {
    const length = this.u32();
    const at = this.#advance(length);
    return utf8.decode(this.#bytes.subarray(at, at + length));
  }

  /** Reads length-prefixed bytes as a copy, since the buffer is reused for later records. */
  blob(): Uint8Array {
    const length = this.u32();
    const at = this.#advance(length);
    return this.#bytes.slice(at, at + length);
  }

  map(): Map<string, string> {
    const map = new Map<string, string>();
    const end = this.u32() + this.at;
    if (end > this.#end) throw new RangeError('a map extends past the end of its record');
    while (this.at < end) map.set(this.text(), this.text());
    return map;
  }

  counts(): Map<number, number> {
    const counts = new Map<number, number>();
    const end = this.u32() + this.at;
    if (end > this.#end) throw new RangeError('a map extends past the end of its record');
    while (this.at < end) counts.set(this.u16(), this.u64());
    return counts;
  }

  #advance(bytes: number): number {
    const at = this.at;
    if (at + bytes > this.#end) throw new RangeError('a field extends past the end of its record');
    this.at = at + bytes;
    return at;
  }
}

/** Content of a record: [start, end) of a buffer. */
type RecordSpan = readonly [bytes: Uint8Array, view: DataView, start: number, end: number];

/** Parses a Header record; throws RangeError if it is too short, as all parsers here do. */
export function parseHeader(...span: RecordSpan): HeaderRecord {
  const fields = new Fields(...span);
  return { profile: fields.text(), library: fields.text() };
}

/** Parses a Schema record; throws RangeError if it is too short. */
export function parseSchema(...span: RecordSpan): SchemaRecord {
  const fields = new Fields(...span);
  return { id: fields.u16(), name: fields.text(), encoding: fields.text(), data: fields.blob() };
}

/** Parses a Channel record; throws RangeError if it is too short. */
export function parseChannel(...span: RecordSpan): ChannelRecord {
  const fields = new Fields(...span);
  return {
    id: fields.u16(),
    schemaId: fields.u16(),
    topic: fields.text(),
    messageEncoding: fields.text(),
    metadata: fields.map(),
  };
}

/** Parses the header of a Chunk record without decompressing its records; throws RangeError if it is too short. */
export function parseChunk(...span: RecordSpan): ChunkRecord {
  const fields = new Fields(...span);
  fields.u64();
  fields.u64();
  const uncompressedSize = fields.u64();
  const uncompressedCrc = fields.u32();
  const compression = fields.text();
  const length = fields.u64();
  if (length > span[3] - fields.at) throw new RangeError('the records extend past the end of their chunk');
  return { uncompressedSize, uncompressedCrc, compression, start: fields.at, end: fields.at + length };
}

/** Parses a Statistics record without its message times; throws RangeError if it is too short. */
export function parseStatistics(...span: RecordSpan): StatisticsRecord {
  const fields = new Fields(...span);
  const messages = fields.u64();
  const schemas = fields.u16();
  const channels = fields.u32();
  const attachments = fields.u32();
  const metadata = fields.u32();
  const chunks = fields.u32();
  fields.u64();
  fields.u64();
  return { messages, schemas, channels, attachments, metadata, chunks, channelMessages: fields.counts() };
}

/** Parses a Metadata record; throws RangeError if it is too short. */
export function parseMetadata(...span: RecordSpan): MetadataRecord {
  const fields = new Fields(...span);
  return { name: fields.text(), values: fields.map() };
}

/** Returns offset and CRC of the summary from the Footer record; throws RangeError if it is too short. */
export function parseFooter(...span: RecordSpan): {
  readonly summaryStart: number;
  readonly summaryCrc: number;
} {
  const fields = new Fields(...span);
  const summaryStart = fields.u64();
  fields.u64();
  return { summaryStart, summaryCrc: fields.u32() };
}

/**
 * Returns the CRC of the data section from the DataEnd record, 0 if none was computed; throws RangeError if it is too
 * short.
 */
export function parseDataEnd(...span: RecordSpan): number {
  return new Fields(...span).u32();
}
