import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Change, FileRepair, Unfixed } from '../../shared/fix/fix.ts';
import {
  block,
  Fields,
  magic,
  opcode,
  type Part,
  prefixBytes,
  record,
  text,
  u16,
  u32,
  u64,
} from './records.ts';
import { type ChunkFacts, type McapScan, openChunk, readAt, recordsIn, scanMcap } from './scan.ts';

/** A summary for an MCAP file that has none or a wrong one; null where it is no MCAP file. */
export async function planMcap(root: string, path: string): Promise<FileRepair | null> {
  const source = join(root, path);
  const file = await open(source, 'r');
  try {
    const scan = await scanMcap(file);
    if (scan === null) return null;
    const summary = await summaryFault(file, scan);
    if (summary === null && scan.dropped.length === 0) return nothing;
    const messages = [...scan.messages.values()].reduce((sum, count) => sum + count, 0);
    if (messages === 0) return nothingLeft(path, scan);
    const chunks = scan.kept.filter(({ chunk }) => chunk !== null).length;
    const change = (answers: string[], what: string, before: string, after: string): Change => ({
      ...{ fix: 'mcap-summary', answers, path, what, before, after, episode: null },
    });
    const answers = ['file_truncated', 'file_corrupt', 'statistics_mismatch', 'statistics_absent'];
    return {
      changes: [
        ...scan.dropped.map(({ at, bytes, why }) =>
          change(
            ['file_truncated', 'file_corrupt', 'crc_wrong'],
            `${bytes} bytes from byte ${at}`,
            why,
            afterOf(scan, at),
          ),
        ),
        change(
          answers,
          'summary',
          summary ?? 'of chunks that are left out',
          `${messages} messages in ${chunks} chunks`,
        ),
      ],
      unfixed: scan.dropped
        .filter(({ why }) => why.startsWith('the chunk'))
        .map(({ at, bytes, why }) => ({
          code: 'crc_wrong',
          path,
          episode: null,
          message: `the messages of ${bytes} bytes from byte ${at} of ${path} are lost: ${why}`,
          advice: 'Fetch the file again from where it was recorded, if that is whole.',
        })),
      files: [{ does: 'write', path, write: (target) => writeMcap(source, target, scan) }],
    };
  } finally {
    await file.close();
  }
}

/** What becomes of bytes that are not whole. */
function afterOf({ kept }: McapScan, at: number): string {
  const rescued = kept.some((one) => one.at === at && one.fresh !== null);
  return rescued
    ? 'messages that are whole stay; the journal keeps the rest'
    : 'left out; the journal keeps them';
}

const nothing: FileRepair = { changes: [], unfixed: [], files: [] };

function nothingLeft(path: string, { dropped }: McapScan): FileRepair {
  if (dropped.length === 0) return nothing;
  const unfixed: Unfixed = {
    code: 'file_truncated',
    path,
    episode: null,
    message: `no message of ${path} is whole: ${dropped[0].why}`,
    advice: 'Fetch the file again from where it was recorded, or record again.',
  };
  return { changes: [], unfixed: [unfixed], files: [] };
}

const footerBytes = prefixBytes + 20;

/** What is wrong with the summary, in words; null where it fits what was found. */
async function summaryFault(file: Awaited<ReturnType<typeof open>>, scan: McapScan): Promise<string | null> {
  const { size } = await file.stat();
  const stopped = 'none: the recorder was stopped, or the copy broke off';
  if (size < footerBytes + 2 * magic.length) return stopped;
  const end = await readAt(file, size - footerBytes - magic.length, footerBytes + magic.length);
  if (!scan.closed || end[0] !== opcode.footer || !magic.equals(end.subarray(footerBytes))) return stopped;
  const start = Number(end.readBigUInt64LE(prefixBytes));
  if (start === 0) return scan.messages.size === 0 ? null : 'none';
  if (start > size) return 'none where the footer says it is';
  let [chunks, messages] = [0, -1];
  for (let at = start; at < size - footerBytes - magic.length; ) {
    const prefix = await readAt(file, at, prefixBytes);
    const length = Number(prefix.readBigUInt64LE(1));
    if (at + prefixBytes + length > size || (prefix[0] === opcode.statistics && length < 8)) return 'damaged';
    if (prefix[0] === opcode.chunkIndex) chunks += 1;
    if (prefix[0] === opcode.statistics)
      messages = Number(new Fields(await readAt(file, at + prefixBytes, length)).u64());
    at += prefixBytes + length;
  }
  const found = scan.kept.filter(({ chunk }) => chunk !== null).length;
  const counted = [...scan.messages.values()].reduce((sum, count) => sum + count, 0);
  if (chunks !== found) return `of ${chunks} chunks, where there are ${found}`;
  if (messages >= 0 && messages !== counted) return `of ${messages} messages, where there are ${counted}`;
  return null;
}

/** Writes an MCAP file once more: its data records as they are, an index behind each chunk, and a summary. */
async function writeMcap(source: string, target: string, scan: McapScan): Promise<void> {
  const from = await open(source, 'r');
  const to = await open(target, 'w');
  try {
    const out = new Out(to);
    await out.write(magic);
    const indexes: Indexes = { chunks: [], attachments: [], metadata: [] };
    for (const { at, bytes, op, chunk, fresh } of scan.kept) {
      const began = out.at;
      if (fresh === null) await out.copy(from, at, bytes);
      else await out.write(fresh);
      if (chunk !== null) {
        const content = fresh ?? (await readAt(from, at, bytes));
        indexes.chunks.push(await indexChunk(out, content, chunk, began));
      }
      if (op === opcode.attachment) indexes.attachments.push(await attachmentIndex(from, at, bytes, began));
      else if (op === opcode.metadata) indexes.metadata.push(await metadataIndex(from, at, bytes, began));
    }
    await out.write(record(opcode.dataEnd, u32(0)));
    await out.write(summaryOf(scan, indexes, out.at));
    await out.write(magic);
  } finally {
    await from.close();
    await to.close();
  }
}

interface Indexes {
  readonly chunks: Part[];
  readonly attachments: Part[];
  readonly metadata: Part[];
}

/** Writes the message indexes of a chunk, and gives its entry of the summary. */
async function indexChunk(
  out: Out,
  chunk: Buffer,
  { start_ns, end_ns, compression, packed, unpacked }: ChunkFacts,
  began: number,
): Promise<Part> {
  const { records } = openChunk(chunk.subarray(prefixBytes));
  const channels = new Map<number, Part[]>();
  for (const { op, at: place, content } of recordsIn(records)) {
    if (op !== opcode.message) continue;
    const id = content.readUInt16LE(0);
    const entries = channels.get(id) ?? [];
    channels.set(id, entries);
    entries.push(content.subarray(6, 14), u64(place));
  }
  const offsets: Part[] = [];
  const first = out.at;
  for (const [id, entries] of channels) {
    offsets.push(u16(id), u64(out.at));
    await out.write(record(opcode.messageIndex, u16(id), block(entries)));
  }
  return record(
    opcode.chunkIndex,
    ...[u64(start_ns), u64(end_ns), u64(began), u64(chunk.length), block(offsets), u64(out.at - first)],
    ...[text(compression), u64(packed), u64(unpacked)],
  );
}

async function attachmentIndex(from: FileHandle, at: number, bytes: number, began: number): Promise<Part> {
  const head = await readAt(from, at + prefixBytes, Math.min(bytes - prefixBytes, 1 << 20));
  const fields = new Fields(head);
  const [logged, created] = [fields.u64(), fields.u64()];
  const [name, type] = [fields.text(), fields.text()];
  const size = fields.u64();
  return record(
    opcode.attachmentIndex,
    ...[u64(began), u64(bytes), u64(logged), u64(created), u64(size), text(name), text(type)],
  );
}

async function metadataIndex(from: FileHandle, at: number, bytes: number, began: number): Promise<Part> {
  const name = new Fields(
    await readAt(from, at + prefixBytes, Math.min(bytes - prefixBytes, 1 << 20)),
  ).text();
  return record(opcode.metadataIndex, u64(began), u64(bytes), text(name));
}

/** Groups of records, where each lies, and the footer with the checksum of it all. */
function summaryOf(scan: McapScan, indexes: Indexes, start: number): Part {
  const groups: readonly (readonly [number, readonly Part[]])[] = [
    [opcode.schema, [...scan.schemas.values()].map((content) => record(opcode.schema, content))],
    [opcode.channel, [...scan.channels.values()].map((content) => record(opcode.channel, content))],
    [opcode.statistics, [statisticsOf(scan, indexes)]],
    [opcode.chunkIndex, indexes.chunks],
    [opcode.attachmentIndex, indexes.attachments],
    [opcode.metadataIndex, indexes.metadata],
  ];
  const parts: Part[] = [];
  const offsets: Part[] = [];
  let at = start;
  for (const [op, records] of groups) {
    const bytes = Buffer.concat(records);
    if (bytes.length === 0) continue;
    parts.push(bytes);
    offsets.push(record(opcode.summaryOffset, Buffer.from([op]), u64(at), u64(bytes.length)));
    at += bytes.length;
  }
  const footer = Buffer.concat([Buffer.from([opcode.footer]), u64(20), u64(start), u64(at)]);
  const whole = Buffer.concat([...parts, ...offsets, footer]);
  return Buffer.concat([whole, u32(crc32(whole))]);
}

function statisticsOf(scan: McapScan, { chunks, attachments, metadata }: Indexes): Part {
  const messages = [...scan.messages.values()].reduce((sum, count) => sum + count, 0);
  const counts = [...scan.messages].flatMap(([id, count]) => [u16(id), u64(count)]);
  return record(
    opcode.statistics,
    ...[u64(messages), u16(scan.schemas.size), u32(scan.channels.size)],
    ...[u32(attachments.length), u32(metadata.length), u32(chunks.length)],
    ...[u64(scan.first_ns ?? 0n), u64(scan.last_ns ?? 0n), block(counts)],
  );
}

/** Appends to a file and knows where it is. */
class Out {
  at = 0;
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, this.at);
    this.at += bytes.length;
  }

  async copy(from: FileHandle, start: number, count: number): Promise<void> {
    for (let done = 0; done < count; ) {
      const piece = await readAt(from, start + done, Math.min(1 << 20, count - done));
      if (piece.length === 0) throw new RangeError('the file became shorter while it was read');
      await this.write(piece);
      done += piece.length;
    }
  }
}
