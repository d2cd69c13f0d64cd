/** Op codes of ROS 1 bag records (wiki.ros.org/Bags/Format/2.0). */
export const opcode = {
  message: 2,
  bagHeader: 3,
  indexData: 4,
  chunk: 5,
  chunkInfo: 6,
  connection: 7,
} as const;

/** Start of a bag's first line; the version and a line end follow. */
export const magicPrefix = '#ROSBAG V';
/** First line of a bag of version 2.0. */
export const magic = `${magicPrefix}2.0\n`;

/** Largest record header, in bytes; longer ones are treated as damage. */
export const maxHeadBytes = 1024 * 1024;

const utf8 = new TextDecoder('utf-8');
const equalsSign = 0x3d;

/** Parsed header of a record: length-prefixed `name=value` fields. */
export class RecordHead {
  op = 0;
  /** Connection id; −1 if the record names none. */
  connection = -1;
  /** Seconds of the record's time; −1 if it has none. */
  sec = -1;
  nsec = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView = new DataView(new ArrayBuffer(0));
  #start = 0;
  #end = 0;

  /**
   * Parses the header in bytes `start` to before `end` and sets the properties; returns false if the bytes are not
   * fields.
   */
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
      this.#readMessageField(at, length);
      at += length;
    }
    return true;
  }

  /** Returns a 32-bit field; throws RangeError if it is missing. */
  u32(name: string): number {
    const at = this.#find(name, 4);
    return this.#view.getUint32(at, true);
  }

  /** Returns a 64-bit field as a double; throws RangeError if it is missing. */
  u64(name: string): number {
    const at = this.#find(name, 8);
    return this.#view.getUint32(at + 4, true) * 4294967296 + this.#view.getUint32(at, true);
  }

  /** Returns a text field; null if it is missing. */
  text(name: string): string | null {
    const value = this.value(name);
    return value === null ? null : utf8.decode(value);
  }

  /** Returns the bytes of a field, valid until the next `scan`; null if it is missing. */
  value(name: string): Uint8Array | null {
    for (let at = this.#start; at < this.#end; ) {
      const length = this.#view.getUint32(at, true);
      at += 4;
      if (this.#isNamed(at, length, name)) return this.#bytes.subarray(at + name.length + 1, at + length);
      at += length;
    }
    return null;
  }

  /** Reads one of the fields that every message has, without creating strings. */
  #readMessageField(at: number, length: number): void {
    if (length === 4 && this.#isNamed(at, length, 'op')) this.op = this.#bytes[at + 3];
    else if (length === 9 && this.#isNamed(at, length, 'conn'))
      this.connection = this.#view.getUint32(at + 5, true);
    else if (length === 13 && this.#isNamed(at, length, 'time')) {
      this.sec = this.#view.getUint32(at + 5, true);
      this.nsec = this.#view.getUint32(at + 9, true);
    }
  }

  #isNamed(at: number, length: number, name: string): boolean {
    if (length <= name.length || this.#bytes[at + name.length] !== equalsSign) return false;
    for (let i = 0; i < name.length; i++) if (this.#bytes[at + i] !== name.charCodeAt(i)) return false;
    return true;
  }

  #find(name: string, length: number): number {
    const value = this.value(name);
    if (value === null || value.length !== length) throw new RangeError(`its header has no ${name}`);
    return value.byteOffset - this.#bytes.byteOffset;
  }
}

/** Bag header record; the recorder completes it when the bag is closed. */
export interface BagHeader {
  /** Offset of the index; 0 if none was written. */
  readonly index: number;
  readonly connections: number;
  readonly chunks: number;
  /** Encryption plugin; empty if the bag is not encrypted. */
  readonly encryptor: string;
}

/** Parses the bag header record; throws RangeError if a field is missing. */
export function parseBagHeader(head: RecordHead): BagHeader {
  if (head.op !== opcode.bagHeader) throw new RangeError('its first record is not a bag header');
  return {
    index: head.u64('index_pos'),
    connections: head.u32('conn_count'),
    chunks: head.u32('chunk_count'),
    encryptor: head.text('encryptor') ?? '',
  };
}

/** Connection record: a publisher's topic, message type and definition. */
export interface ConnectionRecord {
  readonly id: number;
  readonly topic: string;
  readonly type: string;
  /** MD5 of the definition as ROS computes it; equal for types with the same layout. */
  readonly md5: string;
  readonly definition: Uint8Array;
  readonly latched: boolean;
}

/**
 * Parses a connection record from its header and its data in bytes `start` to before `end`, encoded like a header;
 * throws RangeError if it is incomplete.
 */
export function parseConnection(
  head: RecordHead,
  bytes: Uint8Array,
  view: DataView,
  start: number,
  end: number,
): ConnectionRecord {
  const id = head.u32('conn');
  const topic = head.text('topic');
  const about = new RecordHead();
  if (!about.scan(bytes, view, start, end)) throw new RangeError('its connection data is incomplete');
  return {
    id,
    topic: topic ?? about.text('topic') ?? '',
    type: about.text('type') ?? '',
    md5: about.text('md5sum') ?? '',
    definition: about.value('message_definition')?.slice() ?? new Uint8Array(0),
    latched: about.text('latching') === '1',
  };
}
