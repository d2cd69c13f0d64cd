import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change, FileFix } from '../shared/fix/fix.ts';
import {
  type BagScan,
  decompressChunk,
  encodeRecord,
  indexChunk,
  magic,
  opcode,
  parseRecord,
  readAt,
  scanBag,
  u32,
  u64,
} from './fix-scan.ts';

/**
 * Plans a new index for a ROS 1 bag that was not closed or is truncated; a complete bag gives an empty repair, and
 * `null` means that it is no bag of version 2.0.
 */
export async function planRosbag(root: string, path: string): Promise<FileFix | null> {
  const source = join(root, path);
  const file = await open(source, 'r');
  const scan = await scanBag(file).finally(() => file.close());
  if (scan === null) return null;
  const { chunks, messages, header, infos, dropped } = scan;
  const indexed = header.index > 0 && header.chunks === chunks.length && infos === chunks.length;
  if (indexed && dropped.length === 0) return { changes: [], unfixed: [], files: [] };
  if (messages === 0) return planUnrecoverable(path, scan);
  const change = (answers: string[], what: string, before: string, after: string): Change => ({
    ...{ fix: 'rosbag-index', answers, path, what, before, after, episode: null },
  });
  return {
    changes: [
      ...dropped.map(({ at, bytes, why }) =>
        change(
          ['file_truncated', 'file_corrupt'],
          `${bytes} bytes from byte ${at}`,
          why,
          describeOutcome(scan, at),
        ),
      ),
      change(
        ['bag_unindexed', 'index_unreadable', 'index_mismatch', 'file_truncated'],
        'index',
        header.index > 0 ? `lists ${infos} chunks` : 'missing: the recorder was stopped',
        `${messages} messages in ${chunks.length} chunks`,
      ),
    ],
    unfixed: dropped
      .filter(({ why }) => why.startsWith('the chunk'))
      .map(({ at, bytes, why }) => ({
        ...{ code: 'file_corrupt', path, episode: null },
        message: `messages in ${bytes} bytes at byte ${at} of ${path} are lost: ${why}`,
        advice: 'Copy the file again from where it was recorded, if the original is intact.',
      })),
    files: [{ does: 'write', path, write: (target) => writeBag(source, target, scan) }],
  };
}

/** Returns a repair that changes nothing and, if bytes are damaged, reports that no message can be recovered. */
function planUnrecoverable(path: string, { dropped }: BagScan): FileFix {
  if (dropped.length === 0) return { changes: [], unfixed: [], files: [] };
  const message = `${path} has no intact message: ${dropped[0].why}`;
  const advice = 'Copy the file again from where it was recorded, or record again.';
  return {
    changes: [],
    unfixed: [{ code: 'file_truncated', path, episode: null, message, advice }],
    files: [],
  };
}

/** Describes whether messages were recovered from the damaged bytes at offset `at`. */
function describeOutcome({ chunks }: BagScan, at: number): string {
  return chunks.some((one) => one.at === at && one.replacement !== null)
    ? 'intact messages are kept; the journal keeps the removed bytes'
    : 'removed; the journal keeps the bytes';
}

/** Size of the bag header record with its padding, in bytes; it is rewritten in place. */
const headerBytes = 4096;

/**
 * Writes a repaired copy: retained chunks with their index records, then connections, chunk infos and the header.
 */
async function writeBag(source: string, target: string, scan: BagScan): Promise<void> {
  const from = await open(source, 'r');
  const to = await open(target, 'w');
  try {
    let at = magic.length + headerBytes;
    const write = async (bytes: Buffer) => {
      await to.write(bytes, 0, bytes.length, at);
      at += bytes.length;
    };
    const infos: Buffer[] = [];
    for (const chunk of scan.chunks) {
      const bytes = chunk.replacement ?? (await readAt(from, chunk.at, chunk.bytes));
      const start = at;
      await write(bytes);
      const { entries, first, last } = indexChunk(decompressChunk(parseRecord(bytes, 0)!));
      for (const [connection, own] of entries) {
        const data = Buffer.concat(own.flatMap(({ time, at: place }) => [time, u32(place)]));
        await write(
          encodeRecord(opcode.index, { ver: u32(1), conn: u32(connection), count: u32(own.length) }, data),
        );
      }
      const counts = Buffer.concat(
        [...entries].flatMap(([connection, own]) => [u32(connection), u32(own.length)]),
      );
      infos.push(
        encodeRecord(
          opcode.chunkInfo,
          { ver: u32(1), chunk_pos: u64(start), start_time: first, end_time: last, count: u32(entries.size) },
          counts,
        ),
      );
    }
    const index = at;
    for (const record of [...scan.connections.values(), ...infos]) await write(record);
    await writeHeader(to, index, scan);
  } finally {
    await from.close();
    await to.close();
  }
}

async function writeHeader(to: FileHandle, index: number, { connections, chunks }: BagScan): Promise<void> {
  const fields = {
    index_pos: u64(index),
    conn_count: u32(connections.size),
    chunk_count: u32(chunks.length),
  };
  const { length } = encodeRecord(opcode.header, fields, Buffer.alloc(0));
  const head = encodeRecord(opcode.header, fields, Buffer.alloc(headerBytes - length, ' '));
  await to.write(Buffer.concat([magic, head]), 0, magic.length + head.length, 0);
}
