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

export const magic = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);
/** Op code and length before a record's content. */
export const prefixBytes = 9;
/** Channel, sequence and two times before a message's data. */
export const messagePrefixBytes = 22;

export interface HeaderRecord {
  readonly profile: string;
  readonly library: string;
}

export interface SchemaRecord {
  readonly id: number;
  readonly name: string;
  readonly encoding: string;
  readonly data: Uint8Array;
}

export interface ChannelRecord {
  readonly id: number;
  readonly schemaId: number;
  readonly topic: string;
  readonly messageEncoding: string;
  readonly metadata: ReadonlyMap<string, string>;
}

export interface ChunkRecord {
  readonly uncompressedSize: number;
  readonly uncompressedCrc: number;
  readonly compression: string;
  /** Where the (compressed) records lie in the bytes that were parsed. */
  readonly start: number;
  readonly end: number;
}

export interface StatisticsRecord {
  readonly messages: number;
  readonly schemas: number;
  readonly channels: number;
  readonly attachments: number;
  readonly metadata: number;
  readonly chunks: number;
  readonly channelMessages: ReadonlyMap<number, number>;
}

export interface MetadataRecord {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
}

const utf8 = new TextDecoder('utf-8');

/** Reads the fields of one record's content; a field that would lie past its end throws RangeError. */
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

  /** As a double: exact to 2^53, which no file reaches. */
  u64(): number {
    const at = this.#advance(8);
    return this.#view.getUint32(at + 4, true) * 4294967296 + this.#view.getUint32(at, true);
  }

  text(): string {
    const length = this.u32();
    const at = this.#advance(length);
    return utf8.decode(this.#bytes.subarray(at, at + length));
  }

  /** A copy: what was parsed may be overwritten by the next record. */
  blob(): Uint8Array {
    const length = this.u32();
    const at = this.#advance(length);
    return this.#bytes.slice(at, at + length);
  }

  map(): Map<string, string> {
    const map = new Map<string, string>();
    const end = this.u32() + this.at;
    if (end > this.#end) throw new RangeError('a map reaches past its record');
    while (this.at < end) map.set(this.text(), this.text());
    return map;
  }

  counts(): Map<number, number> {
    const counts = new Map<number, number>();
    const end = this.u32() + this.at;
    if (end > this.#end) throw new RangeError('a map reaches past its record');
    while (this.at < end) counts.set(this.u16(), this.u64());
    return counts;
  }

  #advance(bytes: number): number {
    const at = this.at;
    if (at + bytes > this.#end) throw new RangeError('a field reaches past its record');
    this.at = at + bytes;
    return at;
  }
}

type Place = readonly [bytes: Uint8Array, view: DataView, start: number, end: number];

export function parseHeader(...place: Place): HeaderRecord {
  const fields = new Fields(...place);
  return { profile: fields.text(), library: fields.text() };
}

export function parseSchema(...place: Place): SchemaRecord {
  const fields = new Fields(...place);
  return { id: fields.u16(), name: fields.text(), encoding: fields.text(), data: fields.blob() };
}

export function parseChannel(...place: Place): ChannelRecord {
  const fields = new Fields(...place);
  return {
    id: fields.u16(),
    schemaId: fields.u16(),
    topic: fields.text(),
    messageEncoding: fields.text(),
    metadata: fields.map(),
  };
}

export function parseChunk(...place: Place): ChunkRecord {
  const fields = new Fields(...place);
  fields.u64();
  fields.u64();
  const uncompressedSize = fields.u64();
  const uncompressedCrc = fields.u32();
  const compression = fields.text();
  const length = fields.u64();
  if (length > place[3] - fields.at) throw new RangeError('the records reach past their chunk');
  return { uncompressedSize, uncompressedCrc, compression, start: fields.at, end: fields.at + length };
}

export function parseStatistics(...place: Place): StatisticsRecord {
  const fields = new Fields(...place);
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

export function parseMetadata(...place: Place): MetadataRecord {
  const fields = new Fields(...place);
  return { name: fields.text(), values: fields.map() };
}

export function parseFooter(...place: Place): { readonly summaryStart: number; readonly summaryCrc: number } {
  const fields = new Fields(...place);
  const summaryStart = fields.u64();
  fields.u64();
  return { summaryStart, summaryCrc: fields.u32() };
}

export function parseDataEnd(...place: Place): number {
  return new Fields(...place).u32();
}
