import { packBzip2 } from './bzip2.ts';
import { packLz4Frame } from './lz4-frame.ts';

export interface TestConnection {
  readonly topic: string;
  readonly type: string;
  readonly definition: string;
  readonly md5?: string;
  readonly latched?: boolean;
}

export interface TestBagMessage {
  /** Index of the connection. */
  readonly connection: number;
  readonly sec: number;
  readonly nsec?: number;
  readonly data: Uint8Array;
}

export interface TestBag {
  readonly connections: readonly TestConnection[];
  readonly messages: readonly TestBagMessage[];
  /** Messages of one chunk; 10. */
  readonly chunk?: number;
  readonly compression?: 'none' | 'lz4' | 'bz2';
  /** More fields of the first record. */
  readonly header?: Readonly<Record<string, Uint8Array | string>>;
  readonly version?: string;
}

type Fields = Readonly<Record<string, Uint8Array | string>>;

export const u32 = (value: number): Uint8Array =>
  Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);
const u64 = (value: number): Uint8Array => Buffer.concat([u32(value), u32(value / 4294967296)]);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function head(fields: Fields): Uint8Array {
  const parts = Object.entries(fields).flatMap(([name, value]) => {
    const bytes = typeof value === 'string' ? encode(value) : value;
    return [u32(name.length + 1 + bytes.length), encode(`${name}=`), bytes];
  });
  return Buffer.concat(parts);
}

/** One record: its head's fields and its data. */
export function bagRecord(fields: Fields, data: Uint8Array): Uint8Array {
  const bytes = head(fields);
  return Buffer.concat([u32(bytes.length), bytes, u32(data.length), data]);
}

function connectionRecord(connection: TestConnection, id: number): Uint8Array {
  const { topic, type, definition, md5, latched } = connection;
  const about = { topic, type, md5sum: md5 ?? '*', message_definition: definition };
  const data = head(latched === true ? { ...about, latching: '1' } : about);
  return bagRecord({ op: Uint8Array.of(7), conn: u32(id), topic }, data);
}

function messageRecord(message: TestBagMessage): Uint8Array {
  const { connection, data } = message;
  return bagRecord({ op: Uint8Array.of(2), conn: u32(connection), time: timeOf(message) }, data);
}

const packers = {
  none: (bytes: Uint8Array) => bytes,
  lz4: packLz4Frame,
  bz2: (bytes: Uint8Array) => packBzip2(bytes),
};

/** A bag header of 4104 bytes, as recorders write it. */
export function bagHeader(index: number, connections: number, chunks: number, more: Fields = {}): Uint8Array {
  const fields = {
    op: Uint8Array.of(3),
    index_pos: u64(index),
    conn_count: u32(connections),
    chunk_count: u32(chunks),
    ...more,
  };
  const padding = new Uint8Array(Math.max(0, 4096 - head(fields).length)).fill(0x20);
  return bagRecord(fields, padding);
}

/** Generated bag with the byte positions of its parts. */
export interface MadeBag {
  readonly bytes: Uint8Array;
  /** Starts of the chunk records. */
  readonly chunks: readonly number[];
  readonly index: number;
}

/** A bag as rosbag writes it: chunks with the index of each behind it, then all connections and chunk infos. */
export function makeBag(bag: TestBag): MadeBag {
  const magic = encode(`#ROSBAG V${bag.version ?? '2.0'}\n`);
  const parts: Uint8Array[] = [];
  let length = magic.length + bagHeader(0, 0, 0, bag.header).length;
  const push = (bytes: Uint8Array): void => {
    parts.push(bytes);
    length += bytes.length;
  };
  const infos: Uint8Array[] = [];
  const chunks: number[] = [];
  const declared = new Set<number>();
  const perChunk = bag.chunk ?? 10;
  for (let from = 0; from < bag.messages.length; from += perChunk) {
    const messages = bag.messages.slice(from, from + perChunk);
    chunks.push(length);
    infos.push(chunkInfo(messages, length));
    const { plain, offsets } = chunkRecords(bag, messages, declared);
    push(chunkRecord(plain, bag.compression ?? 'none'));
    for (const id of new Set(messages.map(({ connection }) => connection)))
      push(indexData(messages, offsets, id));
  }
  const index = length;
  for (const [id, connection] of bag.connections.entries()) push(connectionRecord(connection, id));
  for (const info of infos) push(info);
  const header = bagHeader(index, bag.connections.length, chunks.length, bag.header);
  return { bytes: Buffer.concat([magic, header, ...parts]), chunks, index };
}

export function bagBytes(bag: TestBag): Uint8Array {
  return makeBag(bag).bytes;
}

/** The records of a chunk, and where in it each message starts. */
function chunkRecords(bag: TestBag, messages: readonly TestBagMessage[], declared: Set<number>) {
  const records: Uint8Array[] = [];
  const offsets: number[] = [];
  let length = 0;
  const push = (record: Uint8Array): void => {
    records.push(record);
    length += record.length;
  };
  for (const message of messages) {
    const { connection } = message;
    if (!declared.has(connection)) push(connectionRecord(bag.connections[connection], connection));
    declared.add(connection);
    offsets.push(length);
    push(messageRecord(message));
  }
  return { plain: Buffer.concat(records), offsets };
}

function chunkRecord(plain: Uint8Array, compression: keyof typeof packers): Uint8Array {
  const fields = { op: Uint8Array.of(5), compression, size: u32(plain.length) };
  return bagRecord(fields, packers[compression](plain));
}

const timeOf = ({ sec, nsec }: TestBagMessage): Uint8Array => Buffer.concat([u32(sec), u32(nsec ?? 0)]);

function indexData(messages: readonly TestBagMessage[], offsets: readonly number[], id: number): Uint8Array {
  const entries = messages.flatMap((message, i) =>
    message.connection === id ? [timeOf(message), u32(offsets[i])] : [],
  );
  const fields = { op: Uint8Array.of(4), ver: u32(1), conn: u32(id), count: u32(entries.length / 2) };
  return bagRecord(fields, Buffer.concat(entries));
}

function chunkInfo(messages: readonly TestBagMessage[], place: number): Uint8Array {
  const counts = new Map<number, number>();
  for (const { connection } of messages) counts.set(connection, (counts.get(connection) ?? 0) + 1);
  const inOrder = messages.toSorted((a, b) => a.sec - b.sec || (a.nsec ?? 0) - (b.nsec ?? 0));
  const fields = {
    op: Uint8Array.of(6),
    ver: u32(1),
    chunk_pos: u64(place),
    start_time: timeOf(inOrder[0]),
    end_time: timeOf(inOrder[inOrder.length - 1]),
    count: u32(counts.size),
  };
  return bagRecord(fields, Buffer.concat([...counts].flatMap(([id, count]) => [u32(id), u32(count)])));
}

/** The same bag as a recorder that was stopped hard leaves it: no index, and a header that counts nothing. */
export function unindexed({ bytes, index }: MadeBag): Uint8Array {
  const magic = bytes.indexOf(0x0a) + 1;
  const header = bagHeader(0, 0, 0);
  return Buffer.concat([bytes.subarray(0, magic), header, bytes.subarray(magic + header.length, index)]);
}
