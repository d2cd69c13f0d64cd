import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change, FileRepair, Unfixed } from '../../shared/fix/fix.ts';
import { Fields, magic, opcode, prefixBytes } from './records.ts';
import { type McapScan, readAt, scanMcap } from './scan.ts';
import { writeMcap } from './write.ts';

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
