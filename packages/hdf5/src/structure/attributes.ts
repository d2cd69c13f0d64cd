import type { Cursor } from '../cursor.ts';
import { type Dataspace, elementsOf, readDataspace } from '../dataspace.ts';
import { type Hdf5Type, readDatatype } from '../datatype.ts';
import { beyondLimit } from '../errors.ts';
import type { FileBytes } from '../file-bytes.ts';
import { limits } from '../limits.ts';
import { openFractalHeap } from './fractal-heap.ts';
import { messageOf, messageTypes, type ObjectHeader, resolveShared } from './object-header.ts';
import { walkTree2 } from './tree2.ts';

/** A small named value beside an object, as stored. */
export interface StoredAttribute {
  readonly name: string;
  readonly space: Dataspace;
  readonly type: Hdf5Type;
  readonly bytes: Uint8Array;
}

/** Every attribute of an object, few in its header or many in a heap. */
export async function readAttributes(bytes: FileBytes, header: ObjectHeader): Promise<StoredAttribute[]> {
  const bodies: Cursor[] = [];
  for (const message of header.messages) {
    if (message.type === messageTypes.attribute) bodies.push(await resolveShared(bytes, message));
  }
  const info = messageOf(header, messageTypes.attributeInfo);
  if (info !== undefined) bodies.push(...(await denseBodies(bytes, info.body)));
  const found: StoredAttribute[] = [];
  for (const body of bodies) {
    body.at = 0;
    found.push(await attributeOf(bytes, body));
  }
  return found;
}

async function denseBodies(bytes: FileBytes, info: Cursor): Promise<Cursor[]> {
  info.at = 0;
  if (info.u8() !== 0) throw info.fault('unknown version of the attribute info');
  if (info.u8() & 1) info.skip(2);
  const heapAddress = info.address();
  const names = info.address();
  if (heapAddress === null || names === null) return [];
  const heap = await openFractalHeap(bytes, heapAddress);
  const ids: Cursor[] = [];
  await walkTree2(bytes, names, 8, (record) => {
    if (ids.length >= limits.attributes) {
      const place = { file: bytes.file, place: `byte ${record.origin}` };
      throw beyondLimit(`more than ${limits.attributes} attributes`, place);
    }
    ids.push(record.part(heap.idBytes));
  });
  const bodies: Cursor[] = [];
  for (const id of ids) bodies.push(await heap.object(id));
  return bodies;
}

async function attributeOf(bytes: FileBytes, body: Cursor): Promise<StoredAttribute> {
  const version = body.u8();
  if (version < 1 || version > 3) throw body.fault('unknown version of an attribute');
  const flagsByte = body.u8();
  const flags = version === 1 ? 0 : flagsByte;
  const sizes = [body.u16(), body.u16(), body.u16()];
  if (version === 3) body.skip(1);
  // Version 1 fills eights of bytes.
  const part = (size: number): Cursor => {
    const found = body.part(size);
    if (version === 1) body.skip(Math.min(body.left, (8 - (size % 8)) % 8));
    return found;
  };
  const name = part(sizes[0]).terminatedText();
  const shared = (kind: number, isShared: boolean, at: Cursor) =>
    resolveShared(bytes, { type: kind, shared: isShared, body: at });
  const typeBody = await shared(messageTypes.datatype, (flags & 1) !== 0, part(sizes[1]));
  const spaceBody = await shared(messageTypes.dataspace, (flags & 2) !== 0, part(sizes[2]));
  const space = readDataspace(spaceBody);
  const type = readDatatype(typeBody);
  const elements = space.kind === 'null' ? 0 : elementsOf(space.shape);
  return { name, space, type, bytes: body.take(elements * type.bytes) };
}
