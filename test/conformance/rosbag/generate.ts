/**
 * Writes the inputs of the cases for ROS 1 bags: an arm of two joints with a camera of 2 × 2 pixels and a latched text,
 * one chunk out of time order; plain, packed, never closed, cut off, and of a version that is not read.
 * `node test/conformance/rosbag/generate.ts`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@foxglove/rosmsg';
import { MessageWriter } from '@foxglove/rosmsg-serialization';
import { makeBag, type TestBag, type TestBagMessage, unindexed } from '../../support/rosbag-files.ts';

const header = `Header header
%
================================================================================
MSG: std_msgs/Header
uint32 seq
time stamp
string frame_id`;
const definitions = {
  joints: header.replace('%', 'string[] name\nfloat64[] position'),
  image: header.replace(
    '%',
    'uint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\nuint32 step\nuint8[] data',
  ),
  text: 'string data',
};
const writers = {
  joints: new MessageWriter(parse(definitions.joints)),
  image: new MessageWriter(parse(definitions.image)),
  text: new MessageWriter(parse(definitions.text)),
};
const start = 1_700_000_000;
const headerAt = (ms: number) => ({ seq: 0, stamp: { sec: start, nsec: ms * 1e6 }, frame_id: 'base' });

function message(connection: number, ms: number, data: Uint8Array): TestBagMessage {
  return { connection, sec: start, nsec: ms * 1e6 + 150_000, data };
}

function messagesOf(): TestBagMessage[] {
  const task = writers.text.writeMessage({ data: 'lift the red cube' });
  const messages = [message(2, 0, task)];
  for (let i = 0; i < 30; i++) {
    const position = [Math.round(1000 * Math.sin(i / 10)) / 1000, i / 30];
    const joints = { header: headerAt(i * 20), name: ['shoulder', 'gripper'], position };
    messages.push(message(0, i * 20, writers.joints.writeMessage(joints)));
    if (i % 5 !== 0) continue;
    const data = Uint8Array.from({ length: 12 }, (_, at) => (at * 20 + i) % 256);
    const layout = { height: 2, width: 2, encoding: 'rgb8', is_bigendian: 0, step: 6 };
    messages.push(
      message(1, i * 20 + 1, writers.image.writeMessage({ header: headerAt(i * 20), ...layout, data })),
    );
  }
  return [
    ...messages.slice(0, 10),
    ...messages.slice(20, 30),
    ...messages.slice(10, 20),
    ...messages.slice(30),
  ];
}

const bag: TestBag = {
  connections: [
    { topic: '/joint_states', type: 'sensor_msgs/JointState', definition: definitions.joints },
    { topic: '/camera/image_raw', type: 'sensor_msgs/Image', definition: definitions.image },
    { topic: '/task', type: 'std_msgs/String', definition: definitions.text, latched: true },
  ],
  messages: messagesOf(),
};

const plain = makeBag(bag);
const cases: Readonly<Record<string, readonly [name: string, bytes: Uint8Array]>> = {
  plain: ['arm.bag', plain.bytes],
  lz4: ['arm.bag', makeBag({ ...bag, compression: 'lz4' }).bytes],
  bz2: ['arm.bag', makeBag({ ...bag, compression: 'bz2' }).bytes],
  unindexed: ['arm.bag.active', unindexed(plain)],
  truncated: ['arm.bag', plain.bytes.subarray(0, plain.chunks[2] + 1000)],
  'old-version': ['arm.bag', makeBag({ ...bag, version: '1.2' }).bytes],
};
for (const [name, [file, bytes]] of Object.entries(cases)) {
  const folder = join(import.meta.dirname, name, 'input');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, file), bytes);
}
