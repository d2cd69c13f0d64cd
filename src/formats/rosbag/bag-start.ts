import { AssayError } from '#core';
import { FileWindow, openWithNamedErrors, type SourceTree } from '#io/sources';
import { viewOf } from '../shared/messages/decoders/message-compression.ts';
import {
  type BagHeader,
  type ConnectionRecord,
  magic,
  magicPrefix,
  maxHeadBytes,
  opcode,
  parseBagHeader,
  parseConnection,
  RecordHead,
} from './records.ts';

/** Header of a bag and the index that it points to. */
export interface BagStart {
  readonly header: BagHeader;
  /** Offset of the record after the header. */
  readonly firstRecord: number;
  /** Index; null if it is missing or incomplete. */
  readonly index: BagIndex | null;
}

const utf8 = new TextDecoder('utf-8');

/** Returns the version in a bag's first line; null if the file is not a bag. */
export function parseVersion(head: Uint8Array): string | null {
  const line = utf8.decode(head.subarray(0, 32)).split('\n')[0];
  return line.startsWith(magicPrefix) ? line.slice(magicPrefix.length).trim() : null;
}

/**
 * Reads header and index (`null` if missing or incomplete) of a bag; throws `unsupported_version` for other versions
 * and encrypted bags, `unreadable_input` if the file is not a bag.
 */
export async function readBagStart(tree: SourceTree, path: string): Promise<BagStart> {
  const bytes = await tree.head(path, magic.length + 8 + 4096);
  const version = parseVersion(bytes);
  if (version === null)
    throw new AssayError('unreadable_input', `${path} is not a ROS 1 bag: wrong first bytes`, { path });
  if (version !== '2.0') {
    throw new AssayError(
      'unsupported_version',
      `${path} is a bag of version ${version}; only 2.0 is supported`,
      {
        path,
        advice: 'convert it to version 2.0: rosbag filter old.bag new.bag True',
      },
    );
  }
  const { header, firstRecord } = readHeader(bytes, path);
  if (header.encryptor !== '') {
    throw new AssayError('unsupported_version', `${path} is encrypted (${header.encryptor.slice(0, 100)})`, {
      path,
      advice: 'decrypt it first: rosbag decrypt',
    });
  }
  return { header, firstRecord, index: await readBagIndex(tree, path, header) };
}

function readHeader(bytes: Uint8Array, path: string): Omit<BagStart, 'index'> {
  const view = viewOf(bytes);
  const start = magic.length + 4;
  const head = new RecordHead();
  try {
    const length = view.getUint32(magic.length, true);
    if (
      length > Math.min(maxHeadBytes, bytes.length - start) ||
      !head.scan(bytes, view, start, start + length)
    )
      throw new RangeError('its first record is incomplete');
    const firstRecord = start + length + 4 + view.getUint32(start + length, true);
    return { header: parseBagHeader(head), firstRecord };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new AssayError(
      'unreadable_input',
      `${path} is a ROS 1 bag with an invalid header: ${thrown.message}`,
      {
        path,
        advice: 'copy the file again; if the recorder was stopped immediately, nothing was recorded',
      },
    );
  }
}

/** Largest index record (a connection with its definition, or chunk counts), in bytes. */
const maxRecordBytes = 8 * 1024 * 1024;
const maxConnections = 65_536;
const maxDefinitionsBytes = 64 * 1024 * 1024;
const maxChunks = 2_000_000;

/** Index at the end of a bag: connections, chunk offsets and message counts. */
export interface BagIndex {
  readonly start: number;
  readonly end: number;
  readonly connections: readonly ConnectionRecord[];
  /** Chunk offsets, ascending. */
  readonly chunks: readonly number[];
  /** Message counts by connection id. */
  readonly messages: ReadonlyMap<number, number>;
}

/** Reads the index that the bag header points to; null if it is missing or incomplete. */
async function readBagIndex(tree: SourceTree, path: string, header: BagHeader): Promise<BagIndex | null> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (header.index === 0 || header.index > size) return null;
  if (header.connections > maxConnections || header.chunks > maxChunks) return null;
  await using file = await openWithNamedErrors(tree, path);
  const reading = new IndexReader(new FileWindow(file, size), header.index);
  try {
    for (let left = header.connections + header.chunks; left > 0; left--)
      if (!(await reading.next())) return null;
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    return null;
  }
  const { at, connections, chunks, messages } = reading;
  if (connections.length !== header.connections) return null;
  return { start: header.index, end: at, connections, chunks: chunks.sort((a, b) => a - b), messages };
}

/** Reads the index records in sequence. */
class IndexReader {
  at: number;
  readonly connections: ConnectionRecord[] = [];
  readonly chunks: number[] = [];
  readonly messages = new Map<number, number>();
  readonly #window: FileWindow;
  readonly #head = new RecordHead();
  #definitionBytes = 0;

  constructor(window: FileWindow, start: number) {
    this.#window = window;
    this.at = start;
  }

  /** Reads the next record; false if no complete index record follows. */
  async next(): Promise<boolean> {
    const headBytes = await this.#readLength(this.at, maxHeadBytes);
    if (headBytes === null) return false;
    const dataBytes = await this.#readLength(this.at + 4 + headBytes, maxRecordBytes);
    if (dataBytes === null) return false;
    const whole = 8 + headBytes + dataBytes;
    const bytes = await this.#window.read(this.at, whole);
    if (bytes.length < whole) return false;
    const view = viewOf(bytes);
    if (!this.#head.scan(bytes, view, 4, 4 + headBytes)) return false;
    this.at += whole;
    return this.#addRecord(bytes, view, 8 + headBytes, whole);
  }

  async #readLength(at: number, maximum: number): Promise<number | null> {
    const bytes = await this.#window.read(at, 4);
    if (bytes.length < 4) return null;
    const length = viewOf(bytes).getUint32(0, true);
    return length > maximum ? null : length;
  }

  #addRecord(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    if (this.#head.op === opcode.connection) {
      const connection = parseConnection(this.#head, bytes, view, start, end);
      this.connections.push(connection);
      this.#definitionBytes += connection.definition.length;
      return this.#definitionBytes <= maxDefinitionsBytes;
    }
    if (this.#head.op !== opcode.chunkInfo) return false;
    this.chunks.push(this.#head.u64('chunk_pos'));
    for (let at = start; at + 8 <= end; at += 8) {
      const id = view.getUint32(at, true);
      if (this.messages.size >= maxConnections && !this.messages.has(id)) return false;
      this.messages.set(id, (this.messages.get(id) ?? 0) + view.getUint32(at + 4, true));
    }
    return true;
  }
}
