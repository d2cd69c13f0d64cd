import type { FileWindow } from '#io/sources';

/** A box of an ISO base media file (ISO/IEC 14496-12): its type and where its content lies. */
export interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Boxes of a file's top level; ends where a box reaches past the end of the file. */
export async function* topBoxes(file: FileWindow): AsyncGenerator<Box> {
  let position = 0;
  while (position + 8 <= file.size) {
    const head = Buffer.from(await file.read(position, 16));
    const box = head.length < 8 ? null : boxAt(head, 0, file.size - position);
    if (box === null) return;
    yield { type: box.type, start: position + box.start, end: position + box.end };
    position += box.end;
  }
}

/** Boxes within the content of another. */
export function boxesIn(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const boxes: Box[] = [];
  let position = start;
  while (position + 8 <= end) {
    const box = boxAt(bytes.subarray(position, end), 0, end - position);
    if (box === null) break;
    boxes.push({ type: box.type, start: position + box.start, end: Math.min(end, position + box.end) });
    position += box.end;
  }
  return boxes;
}

function boxAt(bytes: Buffer, at: number, left: number): Box | null {
  const size = bytes.readUInt32BE(at);
  const type = bytes.toString('latin1', at + 4, at + 8);
  if (size === 0) return { type, start: 8, end: left };
  if (size !== 1) return size < 8 ? null : { type, start: 8, end: size };
  if (bytes.length < at + 16) return null;
  const large = Number(bytes.readBigUInt64BE(at + 8));
  return large < 16 ? null : { type, start: 16, end: large };
}

/** The content of the first box of a type, down a path of types. */
export function find(bytes: Buffer, ...path: readonly string[]): Buffer | null {
  let content: Buffer = bytes;
  for (const type of path) {
    const box = boxesIn(content).find((one) => one.type === type);
    if (box === undefined) return null;
    content = content.subarray(box.start, box.end);
  }
  return content;
}
