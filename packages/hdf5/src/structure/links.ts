import type { Cursor } from '../cursor.ts';
import { beyondLimit } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';
import { openFractalHeap } from './fractal-heap.ts';
import { messageOf, messageTypes, type ObjectHeader } from './object-header.ts';
import { walkTree1 } from './tree1.ts';
import { walkTree2 } from './tree2.ts';

/** What a name in a group leads to. */
export type Hdf5Link =
  | { readonly kind: 'hard'; readonly address: number }
  | { readonly kind: 'soft'; readonly target: string }
  /** Into another file: never followed. */
  | { readonly kind: 'external'; readonly file: string; readonly target: string }
  | { readonly kind: 'other'; readonly type: number };

type Links = Map<string, Hdf5Link>;

/** True for what has members: by the messages that only groups carry. */
export function isGroup(header: ObjectHeader): boolean {
  return header.messages.some(
    ({ type }) => type === messageTypes.symbolTable || type === messageTypes.linkInfo,
  );
}

/** The members of a group, however they are stored, in the order of storage. */
export async function readLinks(bytes: FileBytes, header: ObjectHeader): Promise<Links> {
  const links: Links = new Map();
  const table = messageOf(header, messageTypes.symbolTable);
  if (table !== undefined) await readSymbolTable(bytes, table.body, links);
  for (const { type, body } of header.messages) {
    if (type === messageTypes.link) add(bytes, links, ...linkOf(body));
  }
  const info = messageOf(header, messageTypes.linkInfo);
  if (info !== undefined) await readDense(bytes, info.body, links);
  return links;
}

function add(bytes: FileBytes, links: Links, name: string, link: Hdf5Link): void {
  checkRoom(bytes, links.size, name);
  links.set(name, link);
}

/** Throws where a group has as many members as are read, before one more is taken. */
function checkRoom(bytes: FileBytes, members: number, place: string): void {
  if (members < limits.links) return;
  throw beyondLimit(`a group with more than ${limits.links} members`, { file: bytes.file, place });
}

function linkOf(cursor: Cursor): [name: string, link: Hdf5Link] {
  if (cursor.u8() !== 1) throw cursor.fault('unknown version of a link');
  const flags = cursor.u8();
  const type = flags & 0x08 ? cursor.u8() : 0;
  if (flags & 0x04) cursor.skip(8);
  if (flags & 0x10) cursor.skip(1);
  const name = utf8(cursor.take(cursor.uint(1 << (flags & 3))));
  if (type === 0) {
    const address = cursor.address();
    if (address === null) throw cursor.fault(`broken link ${name}`);
    return [name, { kind: 'hard', address }];
  }
  const value = cursor.part(cursor.u16());
  if (type === 1) return [name, { kind: 'soft', target: utf8(value.bytes) }];
  if (type !== 64) return [name, { kind: 'other', type }];
  value.skip(1);
  return [name, { kind: 'external', file: value.terminatedText(), target: value.terminatedText() }];
}

function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

async function readDense(bytes: FileBytes, info: Cursor, links: Links): Promise<void> {
  if (info.u8() !== 0) throw info.fault('unknown version of a group');
  if (info.u8() & 1) info.skip(8);
  const heapAddress = info.address();
  const names = info.address();
  if (heapAddress === null || names === null) return;
  const heap = await openFractalHeap(bytes, heapAddress);
  const ids: Cursor[] = [];
  await walkTree2(bytes, names, 5, (record) => {
    checkRoom(bytes, ids.length, `byte ${record.origin}`);
    ids.push(record.skip(4).part(heap.idBytes));
  });
  for (const id of ids) add(bytes, links, ...linkOf(await heap.object(id)));
}

async function readSymbolTable(bytes: FileBytes, message: Cursor, links: Links): Promise<void> {
  const tree = message.address();
  const heap = message.address();
  if (tree === null || heap === null) throw message.fault('a group without a symbol table');
  const names = await readNames(bytes, heap);
  const tables: number[] = [];
  const { offsetBytes, lengthBytes } = bytes.widths;
  await walkTree1(bytes, tree, { type: 0, keyBytes: lengthBytes }, (key, table) => {
    checkRoom(bytes, tables.length, `byte ${key.origin}`);
    tables.push(table);
  });
  const entryBytes = 2 * offsetBytes + 24;
  for (const address of tables) {
    const head = (await bytes.at(address, 8)).expectSignature('SNOD').skip(2);
    const count = head.u16();
    const entries = await bytes.at(address + 8, count * entryBytes);
    for (let i = 0; i < count; i++) {
      const [name, link] = symbol(entries.part(entryBytes), names);
      add(bytes, links, name, link);
    }
  }
}

async function readNames(bytes: FileBytes, address: number): Promise<Cursor> {
  const { offsetBytes, lengthBytes } = bytes.widths;
  const head = (await bytes.at(address, 8 + 2 * lengthBytes + offsetBytes)).expectSignature('HEAP').skip(4);
  const length = head.length();
  head.length();
  const data = head.address();
  if (data === null) throw head.fault('a group without names');
  return bytes.at(data, length);
}

function symbol(entry: Cursor, names: Cursor): [name: string, link: Hdf5Link] {
  const name = textAt(names, entry.uint(entry.widths.offsetBytes));
  const address = entry.address();
  const cached = entry.u32();
  entry.skip(4);
  if (cached === 2) return [name, { kind: 'soft', target: textAt(names, entry.u32()) }];
  if (address === null) throw entry.fault(`broken link ${name}`);
  return [name, { kind: 'hard', address }];
}

function textAt(names: Cursor, offset: number): string {
  names.at = Math.min(offset, names.bytes.length);
  return names.terminatedText();
}
