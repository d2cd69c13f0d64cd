import type { SourceTree } from '#io/sources';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import type { UnitTail } from '../../shared/reader.ts';
import { magic, opcode, prefixBytes } from './records.ts';

/** Footer record and closing magic. */
const footerBytes = prefixBytes + 20 + magic.length;
/** Of summary offsets, and of a statistics record: 65,535 channels fit in. */
const readAtMost = 1024 * 1024;
/** Up to the times; counts of each channel follow. */
const statisticsBytes = 42;

/** What a finished file says of itself at its end; null where it is cut off, or keeps no statistics. */
export async function tailOf(tree: SourceTree, path: string): Promise<UnitTail | null> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (size < footerBytes + magic.length) return null;
  await using file = await tree.openFile(path);
  const read = async (from: number, to: number): Promise<Buffer> => {
    const length = Math.min(Math.max(0, to - from), readAtMost);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  const footer = await read(size - footerBytes, size);
  if (footer.length < footerBytes || footer[0] !== opcode.footer) return null;
  if (!magic.every((byte, at) => footer[footerBytes - magic.length + at] === byte)) return null;
  const end = size - footerBytes;
  const summary = placeAt(footer, prefixBytes, end);
  const offsets = placeAt(footer, prefixBytes + 8, end);
  if (summary === null) return null;
  const from =
    offsets === null ? summary : (groupIn(await read(offsets, end), opcode.statistics, end) ?? summary);
  return statisticsIn(await read(from, end));
}

/** A place in the file; null for none, and for one that cannot be. */
function placeAt(bytes: Buffer, at: number, end: number): number | null {
  const place = Number(bytes.readBigUInt64LE(at));
  return place > 0 && place < end ? place : null;
}

/** Where the records of a kind lie, by the summary's own offsets. */
function groupIn(bytes: Buffer, wanted: number, end: number): number | null {
  for (const { kind, start, length } of recordsIn(bytes))
    if (kind === opcode.summaryOffset && length >= 17 && bytes[start] === wanted)
      return placeAt(bytes, start + 1, end);
  return null;
}

function statisticsIn(bytes: Buffer): UnitTail | null {
  const record = recordsIn(bytes).find(
    ({ kind, length }) => kind === opcode.statistics && length >= statisticsBytes,
  );
  if (record === undefined) return null;
  const view = viewOf(bytes);
  const messages = Number(view.getBigUint64(record.start, true));
  const start_ns = view.getBigUint64(record.start + 26, true);
  const end_ns = view.getBigUint64(record.start + 34, true);
  if (messages === 0 || end_ns < start_ns) return null;
  return { messages, start_ns: String(start_ns), end_ns: String(end_ns) };
}

function recordsIn(bytes: Buffer): { kind: number; start: number; length: number }[] {
  const found: { kind: number; start: number; length: number }[] = [];
  for (let at = 0; at + prefixBytes <= bytes.length; ) {
    const length = Number(bytes.readBigUInt64LE(at + 1));
    const start = at + prefixBytes;
    if (start + length > bytes.length) break;
    found.push({ kind: bytes[at], start, length });
    at = start + length;
  }
  return found;
}
