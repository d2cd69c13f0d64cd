import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import { openByteSource, type SourceTree } from '#io/sources';
import { isSidecar } from '../shared/bags/bag-metadata.ts';
import { type LogWalk, SourceWalk, type WalkTarget } from '../shared/bags/log-walk.ts';
import { firstFile, openBags } from '../shared/bags/open-bags.ts';
import { planRecordings } from '../shared/bags/plan-recordings.ts';
import { viewOf } from '../shared/messages/decoders/message-compression.ts';
import type { RecordingMetadata } from '../shared/messages/recording-metadata.ts';
import type { Dataset, Recognition, UnitTail } from '../shared/reader.ts';
import type { Channel } from './channels.ts';
import { FileWalk } from './file-walk.ts';
import { magic, opcode, parseHeader, prefixBytes } from './records.ts';

/** Opens MCAP files as a dataset; only file names, the profile and bag metadata are read here, messages per unit. */
export async function openMcap(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const plan = await planRecordings(tree, 'mcap', (path) => !isSidecar(path));
  const first = firstFile(plan);
  const version = first === null ? null : await readProfile(tree, first);
  const format = {
    format: 'mcap',
    version,
    keeps_publish_time: true,
    openLog: openMcapWalk,
    readTail,
  };
  return openBags(tree, recognition, plan, format);
}

/** Returns the profile of the file header, e.g. `ros1` or `ros2`; null if it is empty or unreadable. */
async function readProfile(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 1024).catch(() => new Uint8Array(0));
  const start = magic.length + prefixBytes;
  if (head.length < start || head[magic.length] !== opcode.header) return null;
  try {
    return parseHeader(head, viewOf(head), start, head.length).profile || null;
  } catch {
    return null;
  }
}

/**
 * Opens an MCAP file for reading, decompressing it if the whole file is zstd. Throws `unreadable_input` if it is not
 * MCAP.
 */
async function openMcapWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const head = await tree.head(path, 4);
  const compressed = head[0] === 0x28 && head[1] === 0xb5;
  const source = await openByteSource(tree, path, { compressed, hashes: target.hashes });
  try {
    const walk = new FileWalk(source, path, target);
    if (await walk.readMagic()) return new McapWalk(path, source, walk, target.hashes);
    throw new AssayError('unreadable_input', `${path} is not an MCAP file: wrong magic number`, { path });
  } catch (thrown) {
    await source.close();
    throw thrown;
  }
}

/** Log walk over one MCAP file. */
class McapWalk extends SourceWalk<FileWalk> {
  override get metadata(): readonly RecordingMetadata[] {
    return this.walk.records.metadata;
  }

  override embeddedMetadata(): { text: string; where: string } | null {
    const last = this.metadata.findLast(({ source }) => source === 'metadata record rosbag2');
    const text = last?.values.get('serialized_metadata');
    return text === undefined ? null : { text, where: 'the metadata record rosbag2' };
  }

  findings(): Finding[] {
    return [...this.walk.integrity.findings(), ...channelFindings(this.topicCounts(), this.path)];
  }

  protected topicCounts(): readonly Channel[] {
    return this.walk.records.channels.all();
  }
}

/** Size of the footer record and the closing magic number, in bytes. */
const footerBytes = prefixBytes + 20 + magic.length;
/** Maximum bytes read per request; a statistics record with 65,535 channels fits. */
const maxReadBytes = 1024 * 1024;
/** Size of the fixed part of a statistics record, up to the message times, in bytes. */
const minStatisticsBytes = 42;

/**
 * Returns message count and time range from the summary at the end of a file; `null` if the file is truncated, has no
 * statistics, or no messages.
 */
export async function readTail(tree: SourceTree, path: string): Promise<UnitTail | null> {
  const size = tree.entry(path)?.bytes ?? 0;
  if (size < footerBytes + magic.length) return null;
  await using file = await tree.openFile(path);
  const read = async (from: number, to: number): Promise<Buffer> => {
    const length = Math.min(Math.max(0, to - from), maxReadBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  const footer = await read(size - footerBytes, size);
  if (footer.length < footerBytes || footer[0] !== opcode.footer) return null;
  if (!magic.every((byte, at) => footer[footerBytes - magic.length + at] === byte)) return null;
  const end = size - footerBytes;
  const summary = readOffset(footer, prefixBytes, end);
  const offsets = readOffset(footer, prefixBytes + 8, end);
  if (summary === null) return null;
  const from =
    offsets === null
      ? summary
      : (findSummaryGroup(await read(offsets, end), opcode.statistics, end) ?? summary);
  return parseTail(await read(from, end));
}

/** Reads a 64-bit file offset; null if it is 0 or not before `end`. */
function readOffset(bytes: Buffer, at: number, end: number): number | null {
  const offset = Number(bytes.readBigUInt64LE(at));
  return offset > 0 && offset < end ? offset : null;
}

/**
 * Returns the offset of the summary group with op code `groupOpcode`, from the SummaryOffset records; null if there is
 * none.
 */
function findSummaryGroup(bytes: Buffer, groupOpcode: number, end: number): number | null {
  for (const { kind, start, length } of listRecords(bytes))
    if (kind === opcode.summaryOffset && length >= 17 && bytes[start] === groupOpcode)
      return readOffset(bytes, start + 1, end);
  return null;
}

/** Parses the first statistics record; null if there is none, it counts no messages, or its times are reversed. */
function parseTail(bytes: Buffer): UnitTail | null {
  const record = listRecords(bytes).find(
    ({ kind, length }) => kind === opcode.statistics && length >= minStatisticsBytes,
  );
  if (record === undefined) return null;
  const view = viewOf(bytes);
  const messages = Number(view.getBigUint64(record.start, true));
  const start_ns = view.getBigUint64(record.start + 26, true);
  const end_ns = view.getBigUint64(record.start + 34, true);
  if (messages === 0 || end_ns < start_ns) return null;
  return { messages, start_ns: String(start_ns), end_ns: String(end_ns) };
}

/** Lists the complete records in `bytes` with their op codes and offsets. */
function listRecords(bytes: Buffer): { kind: number; start: number; length: number }[] {
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

/**
 * Reports message loss by channel: sequence number gaps or missing sequence numbers, and topics with several channels.
 */
function channelFindings(channels: readonly Channel[], path: string): Finding[] {
  const used = channels.filter((channel) => channel.messages > 0);
  return [...sequenceFindings(used, path), ...sharedTopics(used, path)];
}

function sequenceFindings(used: readonly Channel[], path: string): Finding[] {
  if (used.length === 0) return [];
  if (used.every((channel) => !channel.hasSequence)) {
    return [
      {
        code: 'sequence_absent',
        severity: 'info',
        path,
        message: 'messages have no sequence numbers, so lost messages show only as gaps in time',
        advice: 'nothing to do; rosbag2 writes no sequence numbers',
      },
    ];
  }
  const gaps = used.flatMap((channel) => {
    const missing = channel.missing ?? 0;
    return missing > 0 ? [{ topic: channel.record.topic, missing, messages: channel.messages }] : [];
  });
  return gaps.slice(0, 16).map(({ topic, missing, messages }) => ({
    code: 'sequence_gap',
    severity: 'warning',
    path,
    message: `${topic}: the sequence numbers show ${missing} missing messages; ${messages} were recorded`,
    advice: 'find out where messages were lost: publisher, network or recorder',
    evidence: { topic, missing, messages },
  }));
}

function sharedTopics(used: readonly Channel[], path: string): Finding[] {
  const byTopic = Map.groupBy(used, ({ record }) => record.topic);
  const shared = [...byTopic].filter(([, channels]) => channels.length > 1);
  return shared.slice(0, 16).map(([topic, channels]) => {
    const schemas = new Set(channels.map((channel) => channel.description.schemaName));
    const kept =
      schemas.size === 1
        ? 'their messages were read as one stream'
        : 'each message type is read as a separate stream';
    return {
      code: 'topic_shared',
      severity: 'info',
      path,
      message: `${topic} has ${channels.length} channels (${[...schemas].join(', ')}); ${kept}`,
      advice: 'check that several publishers are meant to share the topic',
    };
  });
}
