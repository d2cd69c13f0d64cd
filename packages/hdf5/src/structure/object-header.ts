import { expectChecksum } from '../chunks/checksums.ts';
import type { Cursor } from '../cursor.ts';
import { beyondLimit, unsupported } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';

/** Kinds of messages that are read; others are passed over. */
export const messageTypes = {
  dataspace: 0x01,
  linkInfo: 0x02,
  datatype: 0x03,
  oldFill: 0x04,
  fill: 0x05,
  link: 0x06,
  externalFiles: 0x07,
  layout: 0x08,
  filters: 0x0b,
  attribute: 0x0c,
  continuation: 0x10,
  symbolTable: 0x11,
  attributeInfo: 0x15,
} as const;

export interface HeaderMessage {
  readonly type: number;
  /** The message lies elsewhere, and this is only where. */
  readonly shared: boolean;
  readonly body: Cursor;
}

/** What is known of one object: a group, a dataset or a named datatype. */
export interface ObjectHeader {
  readonly address: number;
  readonly messages: readonly HeaderMessage[];
}

/** Reads an object's header, of either version, with the blocks it goes on in. */
export async function readObjectHeader(bytes: FileBytes, address: number): Promise<ObjectHeader> {
  const start = await bytes.atMost(address, 512);
  const isNew = start.left > 4 && Buffer.from(start.bytes.subarray(0, 4)).toString('latin1') === 'OHDR';
  const walk = new HeaderWalk(bytes, address);
  if (isNew) await walk.newHeader(start);
  else await walk.oldHeader(start);
  return { address, messages: walk.messages };
}

/** The one message of its kind, or undefined. */
export function messageOf(header: ObjectHeader, type: number): HeaderMessage | undefined {
  return header.messages.find((message) => message.type === type);
}

/** The body of a message, fetched from the named datatype or header that it is shared from. */
export async function resolveShared(bytes: FileBytes, message: HeaderMessage): Promise<Cursor> {
  if (!message.shared) return message.body;
  const { body } = message;
  const version = body.u8();
  const kind = body.u8();
  const place = { file: bytes.file, place: `byte ${body.origin}` };
  if (version === 3 && kind === 1) {
    const advice = 'copy the file with h5repack, which resolves shared messages';
    throw unsupported('shared object header messages in a heap are not supported', place, advice);
  }
  if (version === 1) body.skip(6);
  const address = body.address();
  if (address === null) throw body.fault('a shared message without an address');
  const header = await readObjectHeader(bytes, address);
  const found = messageOf(header, message.type);
  if (found === undefined || found.shared) throw body.fault('a shared message is missing at its address');
  return found.body;
}

interface Block {
  readonly address: number;
  readonly length: number;
}

class HeaderWalk {
  readonly messages: HeaderMessage[] = [];
  readonly #bytes: FileBytes;
  readonly #seen = new Set<number>();
  readonly #pending: Block[] = [];

  constructor(bytes: FileBytes, address: number) {
    this.#bytes = bytes;
    this.#seen.add(address);
  }

  async oldHeader(start: Cursor): Promise<void> {
    const version = start.u8();
    if (version !== 1) throw start.fault('no object at this address');
    start.skip(1);
    start.u16();
    start.u32();
    const length = start.u32();
    const first = start.origin - this.#bytes.base + 16;
    this.#oldMessages(await this.#bytes.at(first, length));
    for (let block = this.#pending.shift(); block !== undefined; block = this.#pending.shift()) {
      this.#oldMessages(await this.#bytes.at(block.address, block.length));
    }
  }

  async newHeader(start: Cursor): Promise<void> {
    start.skip(4);
    if (start.u8() !== 2) throw start.fault('unknown version of an object header');
    const flags = start.u8();
    start.skip((flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0));
    const length = start.uint(1 << (flags & 3));
    const address = start.origin - this.#bytes.base;
    const whole = await this.#bytes.at(address, start.at + length + 4);
    this.#newMessages(whole.skip(start.at), flags);
    for (let block = this.#pending.shift(); block !== undefined; block = this.#pending.shift()) {
      const next = await this.#bytes.at(block.address, block.length);
      this.#newMessages(next.expectSignature('OCHK'), flags);
    }
  }

  #oldMessages(cursor: Cursor): void {
    while (cursor.left >= 8) {
      const type = cursor.u16();
      const size = cursor.u16();
      const flags = cursor.u8();
      cursor.skip(3);
      this.#take(type, flags, cursor.part(size));
    }
  }

  #newMessages(cursor: Cursor, headerFlags: number): void {
    const prefix = headerFlags & 0x04 ? 6 : 4;
    while (cursor.left >= prefix + 4) {
      const type = cursor.u8();
      const size = cursor.u16();
      const flags = cursor.u8();
      cursor.skip(prefix - 4);
      this.#take(type, flags, cursor.part(size));
    }
    cursor.skip(cursor.left - 4);
    expectChecksum(cursor, 'an object header');
  }

  #take(type: number, flags: number, body: Cursor): void {
    if (type === messageTypes.continuation) this.#continue(body);
    if (type === messageTypes.continuation || type === 0) return;
    if (this.messages.length >= limits.headerMessages) {
      const place = { file: this.#bytes.file, place: `byte ${body.origin}` };
      throw beyondLimit(`an object with more than ${limits.headerMessages} messages`, place);
    }
    this.messages.push({ type, shared: (flags & 2) !== 0, body });
  }

  #continue(body: Cursor): void {
    const address = body.address();
    const length = body.length();
    if (address === null || this.#seen.has(address) || this.#seen.size > limits.headerBlocks) {
      throw body.fault('a cycle in an object header');
    }
    this.#seen.add(address);
    this.#pending.push({ address, length });
  }
}
