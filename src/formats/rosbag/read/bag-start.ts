import { AssayError } from '#core';
import { FileWindow, openWithFaultsNamed, type SourceTree } from '#io/sources';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import {
  type BagHeader,
  bagHeaderOf,
  type ConnectionRecord,
  connectionOf,
  magic,
  magicPrefix,
  maxHeadBytes,
  opcode,
  RecordHead,
} from './records.ts';

/** What a bag says of itself before its first chunk, and the index this points to. */
export interface BagStart {
  readonly header: BagHeader;
  /** Where the record behind the header starts. */
  readonly firstRecord: number;
  /** null: there is none, or not all of it. */
  readonly index: BagIndex | null;
}

const utf8 = new TextDecoder('utf-8');

/** The version in a bag's first line; null: this is no bag. */
export function versionOf(head: Uint8Array): string | null {
  const line = utf8.decode(head.subarray(0, 32)).split('\n')[0];
  return line.startsWith(magicPrefix) ? line.slice(magicPrefix.length).trim() : null;
}

/** Throws `unsupported_version` for other versions and encrypted bags, `unreadable_input` for no bag at all. */
export async function readBagStart(tree: SourceTree, path: string): Promise<BagStart> {
  const bytes = await tree.head(path, magic.length + 8 + 4096);
  const version = versionOf(bytes);
  if (version === null)
    throw new AssayError('unreadable_input', `${path} does not start as a ROS 1 bag does`, { path });
  if (version !== '2.0') {
    throw new AssayError('unsupported_version', `${path} is a bag of version ${version}; only 2.0 is read`, {
      path,
      advice: 'write it again as version 2.0: rosbag filter old.bag new.bag True',
    });
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
      throw new RangeError('its first record is not whole');
    const firstRecord = start + length + 4 + view.getUint32(start + length, true);
    return { header: bagHeaderOf(head), firstRecord };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new AssayError(
      'unreadable_input',
      `${path} is a ROS 1 bag without a usable header: ${thrown.message}`,
      {
        path,
        advice: 'fetch the file again; where the recorder was stopped at once, nothing was recorded',
      },
    );
  }
}

/** A connection with its definition, or the counts of a chunk. */
const maxRecordBytes = 8 * 1024 * 1024;
const maxConnections = 65_536;
const maxDefinitionsBytes = 64 * 1024 * 1024;
const maxChunks = 2_000_000;

/** What the end of a bag says of the rest. */
export interface BagIndex {
  readonly start: number;
  readonly end: number;
  readonly connections: readonly ConnectionRecord[];
  /** Where the chunks start, ascending. */
  readonly chunks: readonly number[];
  /** By connection. */
  readonly messages: ReadonlyMap<number, number>;
}

/** Reads the index that the bag's first record points to; null where there is none, or not all of it. */
async function readBagIndex(tree: SourceTree, path: string, header: BagHeader): Promise<BagIndex | null> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (header.index === 0 || header.index > size) return null;
  if (header.connections > maxConnections || header.chunks > maxChunks) return null;
  await using file = await openWithFaultsNamed(tree, path);
  const reading = new IndexReading(new FileWindow(file, size), header.index);
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

class IndexReading {
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

  /** False: no whole record of the index lies here. */
  async next(): Promise<boolean> {
    const headBytes = await this.#length(this.at, maxHeadBytes);
    if (headBytes === null) return false;
    const dataBytes = await this.#length(this.at + 4 + headBytes, maxRecordBytes);
    if (dataBytes === null) return false;
    const whole = 8 + headBytes + dataBytes;
    const bytes = await this.#window.read(this.at, whole);
    if (bytes.length < whole) return false;
    const view = viewOf(bytes);
    if (!this.#head.scan(bytes, view, 4, 4 + headBytes)) return false;
    this.at += whole;
    return this.#take(bytes, view, 8 + headBytes, whole);
  }

  async #length(at: number, most: number): Promise<number | null> {
    const bytes = await this.#window.read(at, 4);
    if (bytes.length < 4) return null;
    const length = viewOf(bytes).getUint32(0, true);
    return length > most ? null : length;
  }

  #take(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    if (this.#head.op === opcode.connection) {
      const connection = connectionOf(this.#head, bytes, view, start, end);
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
