/** What a record of a ROS 1 bag is (wiki.ros.org/Bags/Format/2.0). */
export const opcode = {
  message: 2,
  bagHeader: 3,
  indexData: 4,
  chunk: 5,
  chunkInfo: 6,
  connection: 7,
} as const;

/** How a bag starts; the version follows, and a line end. */
export const magicPrefix = '#ROSBAG V';
export const magic = `${magicPrefix}2.0\n`;

/** Longer heads than this are not written by anything: topics and a caller's name are all they hold. */
export const maxHeadBytes = 1024 * 1024;

const utf8 = new TextDecoder('utf-8');
const equals = 0x3d;

/** The fields of a record's head: name and value one behind the other, each pair with its length before it. */
export class RecordHead {
  op = 0;
  /** -1: it names none. */
  connection = -1;
  /** -1: it has no time. */
  sec = -1;
  nsec = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;
  #end = 0;

  /** Reads the head in [start, end): what a message has goes into the properties. False: these are no fields. */
  scan(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    this.#bytes = bytes;
    this.#view = view;
    this.#start = start;
    this.#end = end;
    this.op = 0;
    this.connection = -1;
    this.sec = -1;
    this.nsec = 0;
    let at = start;
    while (at < end) {
      if (end - at < 4) return false;
      const length = view.getUint32(at, true);
      at += 4;
      if (length > end - at) return false;
      this.#note(at, length);
      at += length;
    }
    return true;
  }

  /** A number of four bytes. Throws RangeError where it is not there. */
  u32(name: string): number {
    const at = this.#find(name, 4);
    return this.#view.getUint32(at, true);
  }

  /** A number of eight bytes, as the nearest double. */
  u64(name: string): number {
    const at = this.#find(name, 8);
    return this.#view.getUint32(at + 4, true) * 4294967296 + this.#view.getUint32(at, true);
  }

  /** null: there is no such field. */
  text(name: string): string | null {
    const value = this.value(name);
    return value === null ? null : utf8.decode(value);
  }

  /** The bytes of a field, to be used before the next `scan`; null: there is none of that name. */
  value(name: string): Uint8Array | null {
    for (let at = this.#start; at < this.#end; ) {
      const length = this.#view.getUint32(at, true);
      at += 4;
      if (this.#isNamed(at, length, name)) return this.#bytes.subarray(at + name.length + 1, at + length);
      at += length;
    }
    return null;
  }

  /** Of the fields that every message has, told apart without making strings. */
  #note(at: number, length: number): void {
    if (length === 4 && this.#isNamed(at, length, 'op')) this.op = this.#bytes[at + 3];
    else if (length === 9 && this.#isNamed(at, length, 'conn'))
      this.connection = this.#view.getUint32(at + 5, true);
    else if (length === 13 && this.#isNamed(at, length, 'time')) {
      this.sec = this.#view.getUint32(at + 5, true);
      this.nsec = this.#view.getUint32(at + 9, true);
    }
  }

  #isNamed(at: number, length: number, name: string): boolean {
    if (length <= name.length || this.#bytes[at + name.length] !== equals) return false;
    for (let i = 0; i < name.length; i++) if (this.#bytes[at + i] !== name.charCodeAt(i)) return false;
    return true;
  }

  #find(name: string, length: number): number {
    const value = this.value(name);
    if (value === null || value.length !== length) throw new RangeError(`its head has no ${name}`);
    return value.byteOffset - this.#bytes.byteOffset;
  }
}

/** What the first record says of the bag; the recorder writes it last, when all is well. */
export interface BagHeader {
  /** Where the index starts; 0: none was written. */
  readonly index: number;
  readonly connections: number;
  readonly chunks: number;
  /** The plugin it is encrypted with; empty where it is not. */
  readonly encryptor: string;
}

/** Throws RangeError where the fields are not there. */
export function bagHeaderOf(head: RecordHead): BagHeader {
  if (head.op !== opcode.bagHeader) throw new RangeError('its first record is no bag header');
  return {
    index: head.u64('index_pos'),
    connections: head.u32('conn_count'),
    chunks: head.u32('chunk_count'),
    encryptor: head.text('encryptor') ?? '',
  };
}

/** Who writes to a topic, and how its messages are laid out. */
export interface ConnectionRecord {
  readonly id: number;
  readonly topic: string;
  readonly type: string;
  /** Of the definition, as ROS sums it: equal for types that are laid out alike. */
  readonly md5: string;
  readonly definition: Uint8Array;
  readonly latched: boolean;
}

/** The head of a connection record and its data in [start, end), which is built like a head. */
export function connectionOf(
  head: RecordHead,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): ConnectionRecord {
  const id = head.u32('conn');
  const topic = head.text('topic');
  const about = new RecordHead();
  if (!about.scan(bytes, view, start, end))
    throw new RangeError('what it says of the connection is not whole');
  return {
    id,
    topic: topic ?? about.text('topic') ?? '',
    type: about.text('type') ?? '',
    md5: about.text('md5sum') ?? '',
    definition: about.value('message_definition')?.slice() ?? new Uint8Array(0),
    latched: about.text('latching') === '1',
  };
}
