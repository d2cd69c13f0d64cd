import { AssayError } from '#core';
import type { Finding } from '#core/episode';
import { openByteSource, type SourceTree } from '#io/sources';
import type { LogWalk, WalkTarget } from '../../shared/bags/log-walk.ts';
import { firstFile, openBags } from '../../shared/bags/open-bags.ts';
import { planRecordings } from '../../shared/bags/plan-recordings.ts';
import { isSidecar } from '../../shared/bags/sidecar.ts';
import { SourceWalk } from '../../shared/bags/source-walk.ts';
import { viewOf } from '../../shared/messages/decoders/message-compression.ts';
import type { RecordingMetadata } from '../../shared/messages/recording-metadata.ts';
import type { Dataset, Recognition, UnitTail } from '../../shared/reader.ts';
import type { Channel } from './channels.ts';
import { FileWalk } from './file-walk.ts';
import { magic, opcode, parseHeader, prefixBytes } from './records.ts';

/** Looks at every file's place, bag by bag; what is in them is read unit by unit. */
export async function openMcap(tree: SourceTree, recognition: Recognition): Promise<Dataset> {
  const plan = await planRecordings(tree, 'mcap', (path) => !isSidecar(path));
  const first = firstFile(plan);
  const version = first === null ? null : await profileOf(tree, first);
  const format = { format: 'mcap', version, keeps_publish_time: true, openLog: openMcapWalk, tailOf };
  return openBags(tree, recognition, plan, format);
}

/** `ros1`, `ros2` or what else the header's profile says; null when it says nothing. */
async function profileOf(tree: SourceTree, path: string): Promise<string | null> {
  const head = await tree.head(path, 1024).catch(() => new Uint8Array(0));
  const start = magic.length + prefixBytes;
  if (head.length < start || head[magic.length] !== opcode.header) return null;
  try {
    return parseHeader(head, viewOf(head), start, head.length).profile || null;
  } catch {
    return null;
  }
}

/** Opens an MCAP file, inflated on the way where it is compressed as a whole. */
async function openMcapWalk(tree: SourceTree, path: string, target: WalkTarget): Promise<LogWalk> {
  const head = await tree.head(path, 4);
  const compressed = head[0] === 0x28 && head[1] === 0xb5;
  const source = await openByteSource(tree, path, { compressed, hashes: target.hashes });
  try {
    const walk = new FileWalk(source, path, target);
    if (await walk.begin()) return new McapWalk(path, source, walk, target.hashes);
    throw new AssayError('unreadable_input', `${path} does not start as an MCAP file does`, { path });
  } catch (thrown) {
    await source.close();
    throw thrown;
  }
}

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
    return [...this.walk.integrity.findings(), ...channelFindings(this.counted(), this.path)];
  }

  protected counted(): readonly Channel[] {
    return this.walk.records.channels.all();
  }
}

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

/** What the channels of a file say of losses: sequence numbers with gaps, or none at all; topics with several channels. */
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
        message: 'the writer numbers no messages: losses show only as gaps in time',
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
    message: `${topic}: the sequence numbers say that ${missing} messages are missing beside the ${messages} that are there`,
    advice: 'find out where messages were lost: sender, network or recorder',
    evidence: { topic, missing, messages },
  }));
}

function sharedTopics(used: readonly Channel[], path: string): Finding[] {
  const byTopic = Map.groupBy(used, ({ record }) => record.topic);
  const shared = [...byTopic].filter(([, channels]) => channels.length > 1);
  return shared.slice(0, 16).map(([topic, channels]) => {
    const schemas = new Set(channels.map((channel) => channel.description.schemaName));
    const kept =
      schemas.size === 1 ? 'their messages were read as one stream' : 'each message type is a stream';
    return {
      code: 'topic_shared',
      severity: 'info',
      path,
      message: `${topic} is written by ${channels.length} channels (${[...schemas].join(', ')}); ${kept}`,
      advice: 'check that the publishers are meant to share the topic',
    };
  });
}
