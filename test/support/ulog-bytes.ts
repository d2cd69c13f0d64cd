/** Writes ULog files byte by byte, so that tests can make every kind there is, sound or not. */
export class UlogBytes {
  readonly #parts: Uint8Array[] = [];

  constructor(start_us = 1_000_000n, version = 1) {
    const head = Buffer.alloc(16);
    head.set([0x55, 0x4c, 0x6f, 0x67, 0x01, 0x12, 0x35, version]);
    head.writeBigUInt64LE(start_us, 8);
    this.#parts.push(head);
  }

  get length(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }

  /** Any bytes, as they are. */
  raw(bytes: Uint8Array): this {
    this.#parts.push(bytes);
    return this;
  }

  message(type: string, body: Uint8Array): this {
    const head = Buffer.alloc(3);
    head.writeUInt16LE(body.length, 0);
    head[2] = type.charCodeAt(0);
    return this.raw(head).raw(body);
  }

  flags(incompatible: readonly number[] = [], appended: readonly bigint[] = []): this {
    const body = Buffer.alloc(40);
    for (const [i, byte] of incompatible.entries()) body[8 + i] = byte;
    for (const [i, offset] of appended.entries()) body.writeBigUInt64LE(offset, 16 + 8 * i);
    return this.message('B', body);
  }

  format(text: string): this {
    return this.message('F', Buffer.from(text));
  }

  subscribe(name: string, id: number, instance = 0): this {
    return this.message('A', Buffer.concat([Buffer.from([instance, id & 255, id >> 8]), Buffer.from(name)]));
  }

  data(id: number, body: Uint8Array): this {
    return this.message('D', Buffer.concat([Buffer.from([id & 255, id >> 8]), body]));
  }

  information(key: string, value: Uint8Array, type: 'I' | 'P' = 'I'): this {
    return this.message(type, Buffer.concat([Buffer.from([key.length]), Buffer.from(key), value]));
  }

  text(time_us: bigint, text: string, level = '6', tag?: number): this {
    const head = Buffer.alloc(tag === undefined ? 9 : 11);
    head[0] = level.charCodeAt(0);
    if (tag !== undefined) head.writeUInt16LE(tag, 1);
    head.writeBigUInt64LE(time_us, head.length - 8);
    return this.message(tag === undefined ? 'L' : 'C', Buffer.concat([head, Buffer.from(text)]));
  }

  dropout(ms: number): this {
    return this.message('O', Buffer.from([ms & 255, ms >> 8]));
  }

  sync(): this {
    return this.message('S', Buffer.from([0x2f, 0x73, 0x13, 0x20, 0x25, 0x0c, 0xbb, 0x12]));
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** A stamp followed by 32-bit floats. */
export function stamped(time_us: number, ...floats: number[]): Buffer {
  const body = Buffer.alloc(8 + 4 * floats.length);
  body.writeBigUInt64LE(BigInt(time_us), 0);
  for (const [i, value] of floats.entries()) body.writeFloatLE(value, 8 + 4 * i);
  return body;
}
