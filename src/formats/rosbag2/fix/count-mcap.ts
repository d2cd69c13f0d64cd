import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { Fields, magic, opcode, prefixBytes } from '../../mcap/fix/records.ts';
import { type McapScan, readAt, scanMcap } from '../../mcap/fix/scan.ts';
import type { BagFile, BagTopic } from './bag-file.ts';

/** Counts what is whole in an MCAP file of a ROS 2 bag; null where it is none. */
export async function countMcap(root: string, path: string): Promise<BagFile | null> {
  const file = await open(join(root, path), 'r');
  try {
    const scan = (await isOfRos2(file)) ? await scanMcap(file) : null;
    return scan === null ? null : factsOf(path, scan);
  } finally {
    await file.close();
  }
}

/** By the profile that the first record names. */
async function isOfRos2(file: FileHandle): Promise<boolean> {
  const head = await readAt(file, magic.length, prefixBytes + 256);
  const lengthBytes = 4;
  if (head.length < prefixBytes + lengthBytes || head[0] !== opcode.header) return false;
  return new Fields(head.subarray(prefixBytes)).text() === 'ros2';
}

function factsOf(path: string, scan: McapScan): BagFile {
  const { first_ns, last_ns } = scan;
  const topics = [...scan.channels].map(([id, content]) => topicOf(id, content, scan));
  const messages = topics.reduce((sum, topic) => sum + topic.messages, 0);
  return { path, storage: 'mcap', messages, first_ns, last_ns, topics, compressed: false };
}

function topicOf(id: number, content: Buffer, { schemas, messages }: McapScan): BagTopic {
  const fields = new Fields(content.subarray(2));
  const schema = schemas.get(fields.u16());
  const [name, serialization_format] = [fields.text(), fields.text()];
  const metadata = fields.map();
  return {
    ...{ name, serialization_format, messages: messages.get(id) ?? 0 },
    type: schema === undefined ? '' : new Fields(schema.subarray(2)).text(),
    offered_qos_profiles: metadata.get('offered_qos_profiles') ?? '',
    type_description_hash: metadata.get('topic_type_hash') ?? '',
  };
}
