import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Change, FileFix, Unfixed } from '../shared/fix/fix.ts';
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
} from './fix-records.ts';
import {
  type ChunkHeader,
  decodeChunk,
  iterateRecords,
  type McapScan,
  maxHeadBytes,
  readAt,
  scanMcap,
} from './fix-scan.ts';

/**
 * Plans the repair of an MCAP file with a missing or wrong summary or a damaged data section; an intact file gives an
 * empty repair, and `null` means that it is no MCAP file.
 */
export async function planMcap(root: string, path: string): Promise<FileFix | null> {
  const source = join(root, path);
  const file = await open(source, 'r');
  try {
    const scan = await scanMcap(file);
    if (scan === null) return null;
    const summary = await findSummaryFault(file, scan);
    if (summary === null && scan.dropped.length === 0) return noRepair;
    const messages = [...scan.messages.values()].reduce((sum, count) => sum + count, 0);
    if (messages === 0) return planUnrecoverable(path, scan);
    const chunks = scan.retained.filter(({ chunk }) => chunk !== null).length;
    const change = (answers: string[], what: string, before: string, after: string): Change => ({
      ...{ fix: 'mcap-summary', answers, path, what, before, after, episode: null },
    });
    const answers = ['file_truncated', 'file_corrupt', 'statistics_mismatch', 'statistics_absent'];
    return {
      changes: [
        ...scan.dropped.map(({ at, bytes, reason }) =>
          change(
            ['file_truncated', 'file_corrupt', 'crc_wrong'],
            `${bytes} bytes from byte ${at}`,
            reason,
            describeOutcome(scan, at),
          ),
        ),
        change(
          answers,
          'summary',
          summary ?? 'includes chunks that are left out',
          `${messages} messages in ${chunks} chunks`,
        ),
      ],
      unfixed: scan.dropped
        .filter(({ reason }) => reason.startsWith('the chunk'))
        .map(({ at, bytes, reason }) => ({
          code: 'crc_wrong',
          path,
          episode: null,
          message: `messages in ${bytes} bytes at byte ${at} of ${path} are lost: ${reason}`,
          advice: 'Copy the file again from where it was recorded, if the original is intact.',
        })),
      files: [{ does: 'write', path, write: (target) => rewriteMcap(source, target, scan) }],
    };
  } finally {
    await file.close();
  }
}

/** Describes, for the list of changes, whether messages were recovered from the damaged bytes at offset `at`. */
function describeOutcome({ retained }: McapScan, at: number): string {
  const rescued = retained.some((one) => one.at === at && one.replacement !== null);
  return rescued
    ? 'intact messages are kept; the journal keeps the removed bytes'
    : 'removed; the journal keeps the bytes';
}

const noRepair: FileFix = { changes: [], unfixed: [], files: [] };

/** Returns a repair that changes nothing and, if bytes are damaged, reports that no message can be recovered. */
function planUnrecoverable(path: string, { dropped }: McapScan): FileFix {
  if (dropped.length === 0) return noRepair;
  const unfixed: Unfixed = {
    code: 'file_truncated',
    path,
    episode: null,
    message: `${path} has no intact message: ${dropped[0].reason}`,
    advice: 'Copy the file again from where it was recorded, or record again.',
  };
  return { changes: [], unfixed: [unfixed], files: [] };
}

/** Size of the footer record with its prefix, in bytes. */
const footerBytes = prefixBytes + 20;

/**
 * Compares the summary with the scanned data section and describes the first difference. Returns null if they agree.
 */
async function findSummaryFault(
  file: Awaited<ReturnType<typeof open>>,
  scan: McapScan,
): Promise<string | null> {
  const { size } = await file.stat();
  const stopped = 'missing: the recorder was stopped, or the copy is incomplete';
  if (size < footerBytes + 2 * magic.length) return stopped;
  const end = await readAt(file, size - footerBytes - magic.length, footerBytes + magic.length);
  if (!scan.closed || end[0] !== opcode.footer || !magic.equals(end.subarray(footerBytes))) return stopped;
  const start = Number(end.readBigUInt64LE(prefixBytes));
  if (start === 0) return scan.messages.size === 0 ? null : 'none';
  if (start > size) return 'missing at the position given in the footer';
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
  const found = scan.retained.filter(({ chunk }) => chunk !== null).length;
  const counted = [...scan.messages.values()].reduce((sum, count) => sum + count, 0);
  if (chunks !== found) return `lists ${chunks} chunks, but the file has ${found}`;
  if (messages >= 0 && messages !== counted) return `lists ${messages} messages, but the file has ${counted}`;
  return null;
}

/** Writes a repaired copy: retained data records unchanged, a message index after each chunk, and a new summary. */
async function rewriteMcap(source: string, target: string, scan: McapScan): Promise<void> {
  const from = await open(source, 'r');
  const to = await open(target, 'w');
  try {
    const out = new AppendingFile(to);
    await out.write(magic);
    const indexes: SummaryIndexes = { chunks: [], attachments: [], metadata: [] };
    for (const { at, bytes, op, chunk, replacement } of scan.retained) {
      const began = out.position;
      if (replacement === null) await out.copy(from, at, bytes);
      else await out.write(replacement);
      if (chunk !== null) {
        const content = replacement ?? (await readAt(from, at, bytes));
        indexes.chunks.push(await writeMessageIndexes(out, content, chunk, began));
      }
      if (op === opcode.attachment)
        indexes.attachments.push(await encodeAttachmentIndex(from, at, bytes, began));
      else if (op === opcode.metadata)
        indexes.metadata.push(await encodeMetadataIndex(from, at, bytes, began));
    }
    await out.write(record(opcode.dataEnd, u32(0)));
    await out.write(encodeSummary(scan, indexes, out.position));
    await out.write(magic);
  } finally {
    await from.close();
    await to.close();
  }
}

/** Encoded index records of the summary section. */
interface SummaryIndexes {
  readonly chunks: Part[];
  readonly attachments: Part[];
  readonly metadata: Part[];
}

/**
 * Writes the message index records of one chunk and returns its encoded ChunkIndex record. `began` is the offset of
 * the chunk in the written file.
 */
async function writeMessageIndexes(
  out: AppendingFile,
  chunk: Buffer,
  { start_ns, end_ns, compression, compressedBytes, uncompressedBytes }: ChunkHeader,
  began: number,
): Promise<Part> {
  const { records } = decodeChunk(chunk.subarray(prefixBytes));
  const channels = new Map<number, Part[]>();
  for (const { op, at: place, content } of iterateRecords(records)) {
    if (op !== opcode.message) continue;
    const id = content.readUInt16LE(0);
    const entries = channels.get(id) ?? [];
    channels.set(id, entries);
    entries.push(content.subarray(6, 14), u64(place));
  }
  const offsets: Part[] = [];
  const first = out.position;
  for (const [id, entries] of channels) {
    offsets.push(u16(id), u64(out.position));
    await out.write(record(opcode.messageIndex, u16(id), block(entries)));
  }
  return record(
    opcode.chunkIndex,
    ...[u64(start_ns), u64(end_ns), u64(began), u64(chunk.length), block(offsets), u64(out.position - first)],
    ...[text(compression), u64(compressedBytes), u64(uncompressedBytes)],
  );
}

/** Encodes the AttachmentIndex record of the attachment at source offset `at`, written at offset `began`. */
async function encodeAttachmentIndex(
  from: FileHandle,
  at: number,
  bytes: number,
  began: number,
): Promise<Part> {
  const head = await readAt(from, at + prefixBytes, Math.min(bytes - prefixBytes, maxHeadBytes));
  const fields = new Fields(head);
  const [logged, created] = [fields.u64(), fields.u64()];
  const [name, type] = [fields.text(), fields.text()];
  const size = fields.u64();
  return record(
    opcode.attachmentIndex,
    ...[u64(began), u64(bytes), u64(logged), u64(created), u64(size), text(name), text(type)],
  );
}

/** Encodes the MetadataIndex record of the metadata record at source offset `at`, written at offset `began`. */
async function encodeMetadataIndex(
  from: FileHandle,
  at: number,
  bytes: number,
  began: number,
): Promise<Part> {
  const name = new Fields(
    await readAt(from, at + prefixBytes, Math.min(bytes - prefixBytes, maxHeadBytes)),
  ).text();
  return record(opcode.metadataIndex, u64(began), u64(bytes), text(name));
}

/**
 * Encodes the summary section that begins at offset `start`: grouped records, summary offsets, and the footer with its
 * CRC.
 */
function encodeSummary(scan: McapScan, indexes: SummaryIndexes, start: number): Part {
  const groups: readonly (readonly [number, readonly Part[]])[] = [
    [opcode.schema, [...scan.schemas.values()].map((content) => record(opcode.schema, content))],
    [opcode.channel, [...scan.channels.values()].map((content) => record(opcode.channel, content))],
    [opcode.statistics, [encodeStatistics(scan, indexes)]],
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

/** Encodes the Statistics record: counts, time range and messages per channel. */
function encodeStatistics(scan: McapScan, { chunks, attachments, metadata }: SummaryIndexes): Part {
  const messages = [...scan.messages.values()].reduce((sum, count) => sum + count, 0);
  const counts = [...scan.messages].flatMap(([id, count]) => [u16(id), u64(count)]);
  return record(
    opcode.statistics,
    ...[u64(messages), u16(scan.schemas.size), u32(scan.channels.size)],
    ...[u32(attachments.length), u32(metadata.length), u32(chunks.length)],
    ...[u64(scan.first_ns ?? 0n), u64(scan.last_ns ?? 0n), block(counts)],
  );
}

/** Appends bytes to an open file and tracks the write position in bytes. */
class AppendingFile {
  position = 0;
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes, 0, bytes.length, this.position);
    this.position += bytes.length;
  }

  /**
   * Appends `count` bytes of `from` in pieces of 1 MiB. Throws RangeError if the source is shorter than expected.
   */
  async copy(from: FileHandle, start: number, count: number): Promise<void> {
    for (let done = 0; done < count; ) {
      const piece = await readAt(from, start + done, Math.min(1 << 20, count - done));
      if (piece.length === 0) throw new RangeError('the file became shorter while it was read');
      await this.write(piece);
      done += piece.length;
    }
  }
}
