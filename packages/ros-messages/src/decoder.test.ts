import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@foxglove/rosmsg';
import { MessageReader as Ros1Reader, MessageWriter as Ros1Writer } from '@foxglove/rosmsg-serialization';
import { MessageReader as Ros2Reader, MessageWriter as Ros2Writer } from '@foxglove/rosmsg2-serialization';
import { McapStreamReader } from '@mcap/core';
import { loadDecompressHandlers } from '@mcap/support';
import { describe, expect, it } from 'vitest';
import { numbersAt, tapEverything } from '../testing/taps.ts';
import { rosDecoder } from './decoder.ts';
import { parseRosMsg } from './definition.ts';
import { emptyTaps, maxGroupNumbers } from './taps.ts';
import { viewOf } from './view-of.ts';

const separator = `\n${'='.repeat(80)}\n`;
const jointState = `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort${separator}MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id${separator}MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec`;

const mixed = `bool flag
int8 a
float64 b
string words
uint16[3] fixed
int64 big
float32[] list
Inner[] inners
Inner[2] pair
char c
uint64 huge${separator}MSG: pkg/Inner
uint8 small
float64 value
string label`;

const mixedValue = {
  flag: true,
  a: -5,
  b: 1.25,
  words: 'hello',
  fixed: [1, 2, 65535],
  big: -12345678901n,
  list: [0.5, -0.25, 3],
  inners: [
    { small: 1, value: 2.5, label: 'x' },
    { small: 2, value: -3.5, label: '' },
    { small: 3, value: 4.5, label: 'abc' },
  ],
  pair: [
    { small: 4, value: 5.5, label: 'ab' },
    { small: 5, value: 6.5, label: 'c' },
  ],
  c: 200,
  huge: 9007199254740991n,
};

function padded(bytes: Uint8Array, before: number): { bytes: Uint8Array; view: DataView } {
  const whole = new Uint8Array(bytes.length + before + 8).fill(0xee);
  whole.set(bytes, before);
  return { bytes: whole, view: viewOf(whole) };
}

describe('decoding ROS messages without building objects', () => {
  it('keeps the first or last element of a list for each of several groups', () => {
    const definition = `Point[] points${separator}MSG: pkg/Point\nfloat64 time\nfloat64[] q\nfloat64[] v`;
    const points = [1, 2, 3].map((i) => ({ time: i / 10, q: [i, 10 * i], v: [-i] }));
    const bytes = new Ros1Writer(parse(definition)).writeMessage({ points });
    const numbers = [
      { paths: ['points[].q'], only: 'first' as const },
      { paths: ['points[].v'], only: 'first' as const },
      { paths: ['points[].time'], only: 'last' as const },
    ];
    const taps = { ...emptyTaps(), numbers };
    const decoder = rosDecoder(parseRosMsg(definition, 'pkg/Path', 'ros1'), taps, 'ros1');
    expect(decoder.decode(bytes, viewOf(bytes), 0, bytes.length)).toBe(true);
    const { counts, numbers: values } = decoder.out;
    expect(values.map((group, g) => [...group.subarray(0, counts[g])])).toEqual([[1, 10], [-1], [0.3]]);
  });

  it.each([0, 1, 2, 3, 5, 7])(
    'reads every number of a CDR message that starts %i bytes into its chunk',
    (before) => {
      const root = parseRosMsg(mixed, 'pkg/msg/Mixed', 'ros2');
      const taps = tapEverything(root);
      const decoder = rosDecoder(root, taps, 'cdr');
      const message = new Ros2Writer(parse(mixed, { ros2: true })).writeMessage(mixedValue);
      const { bytes, view } = padded(message, before);
      expect(decoder.decode(bytes, view, before, before + message.length)).toBe(true);
      for (const [g, { paths }] of taps.numbers.entries()) {
        const got = Array.from(decoder.out.numbers[g].subarray(0, decoder.out.counts[g]));
        expect(got, paths[0]).toEqual(numbersAt(mixedValue, paths[0]));
      }
      expect(decoder.out.text(0)).toBe('hello');
    },
  );

  it('reads every number of a ROS 1 message', () => {
    const root = parseRosMsg(mixed, 'pkg/Mixed', 'ros1');
    const taps = tapEverything(root);
    const decoder = rosDecoder(root, taps, 'ros1');
    const message = new Ros1Writer(parse(mixed)).writeMessage(mixedValue);
    expect(decoder.decode(message, viewOf(message), 0, message.length)).toBe(true);
    for (const [g, { paths }] of taps.numbers.entries()) {
      const got = Array.from(decoder.out.numbers[g].subarray(0, decoder.out.counts[g]));
      expect(got, paths[0]).toEqual(numbersAt(mixedValue, paths[0]));
    }
  });

  it('reads big-endian CDR', () => {
    const root = parseRosMsg('float64 x\nuint16 y', 'pkg/msg/Big', 'ros2');
    const decoder = rosDecoder(root, tapEverything(root), 'cdr');
    const bytes = new Uint8Array(14);
    viewOf(bytes).setFloat64(4, 2.5);
    viewOf(bytes).setUint16(12, 513);
    expect(decoder.decode(bytes, viewOf(bytes), 0, bytes.length)).toBe(true);
    expect([decoder.out.numbers[0][0], decoder.out.numbers[1][0]]).toEqual([2.5, 513]);
  });

  it('takes stamps with all their nanoseconds, and notices when the names change', () => {
    const root = parseRosMsg(jointState, 'sensor_msgs/msg/JointState', 'ros2');
    const taps = { ...tapEverything(root), stamp: 'header.stamp', names: 'name' };
    const decoder = rosDecoder(root, taps, 'cdr');
    const writer = new Ros2Writer(parse(jointState, { ros2: true }));
    const changes = [
      ['a', 'b'],
      ['a', 'b'],
      ['b', 'a'],
      ['b', 'a'],
    ].map((name) => {
      const header = { stamp: { sec: 1_700_000_000, nanosec: 123_456_789 }, frame_id: 'base' };
      const bytes = writer.writeMessage({ header, name, position: [1, 2], velocity: [], effort: [] });
      expect(decoder.decode(bytes, viewOf(bytes), 0, bytes.length)).toBe(true);
      expect(decoder.out.names()).toEqual(name);
      return decoder.out.namesChanged;
    });
    expect(changes).toEqual([true, false, true, false]);
    expect([decoder.out.stampSec, decoder.out.stampNsec]).toEqual([1_700_000_000, 123_456_789]);
  });

  it('refuses every shortened message and every length that the message cannot hold', () => {
    const root = parseRosMsg(mixed, 'pkg/msg/Mixed', 'ros2');
    const decoder = rosDecoder(root, tapEverything(root), 'cdr');
    const message = new Ros2Writer(parse(mixed, { ros2: true })).writeMessage(mixedValue);
    for (let length = 0; length < message.length; length++) {
      const { bytes, view } = padded(message.subarray(0, length), 3);
      expect(decoder.decode(bytes, view, 3, 3 + length), `${length} bytes`).toBe(false);
    }
    const hostile = message.slice();
    hostile.fill(0xff, 20, 24);
    expect(decoder.decode(hostile, viewOf(hostile), 0, hostile.length)).toBe(false);
  });

  it('refuses parameter lists and XCDR2, whose layout is another', () => {
    const root = parseRosMsg('float64 x', 'pkg/msg/One', 'ros2');
    const decoder = rosDecoder(root, tapEverything(root), 'cdr');
    for (const kind of [2, 3, 6, 7, 9]) {
      const bytes = Uint8Array.of(0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
      expect(decoder.decode(bytes, viewOf(bytes), 0, bytes.length)).toBe(false);
    }
  });

  it('says that a group is too long instead of taking it', () => {
    const definition = 'float32[] ranges';
    const root = parseRosMsg(definition, 'pkg/msg/Scan', 'ros2');
    const decoder = rosDecoder(root, tapEverything(root), 'cdr');
    const ranges = new Float32Array(maxGroupNumbers + 1);
    const bytes = new Ros2Writer(parse(definition, { ros2: true })).writeMessage({ ranges });
    expect(decoder.decode(bytes, viewOf(bytes), 0, bytes.length)).toBe(true);
    expect(decoder.out.counts[0]).toBe(-1);
  });
});

const shared = join(import.meta.dirname, '../../../../shared/data/mcap');
const files = existsSync(shared)
  ? readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mcap'))
  : [];

describe.skipIf(files.length === 0)(
  'decoding the recordings in shared/data (skipped where they are absent)',
  () => {
    it.each(files)('takes from %s the numbers that @foxglove/rosmsg-serialization reads', async (name) => {
      const reader = new McapStreamReader({ decompressHandlers: await loadDecompressHandlers() });
      reader.append(readFileSync(join(shared, name)));
      const schemas = new Map<number, { name: string; text: string; encoding: string }>();
      const channels = new Map<number, ReturnType<typeof pairOfDecoders>>();
      for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
        if (record.type === 'Schema') {
          const text = new TextDecoder().decode(record.data);
          schemas.set(record.id, { name: record.name, text, encoding: record.encoding });
        } else if (record.type === 'Channel') {
          const schema = schemas.get(record.schemaId);
          if (schema !== undefined) channels.set(record.id, pairOfDecoders(record.messageEncoding, schema));
        } else if (record.type === 'Message') channels.get(record.channelId)?.(record.data);
      }
    });
  },
);

function pairOfDecoders(
  encoding: string,
  schema: { name: string; text: string; encoding: string },
): ((data: Uint8Array) => void) | null {
  if (!/^ros[12]msg$/.test(schema.encoding) || !/^(ros1|cdr)$/.test(encoding) || /^---$/m.test(schema.text))
    return null;
  const generation = schema.encoding === 'ros1msg' ? 'ros1' : 'ros2';
  const root = parseRosMsg(schema.text, schema.name, generation);
  const taps = tapEverything(root);
  const decoder = rosDecoder(root, taps, generation === 'ros1' ? 'ros1' : 'cdr');
  const definitions = parse(schema.text, { ros2: generation === 'ros2' });
  const peer = generation === 'ros1' ? new Ros1Reader(definitions) : new Ros2Reader(definitions);
  return (data) => {
    if (data[0] === 0x28 || root.fields.length === 0) return;
    expect(decoder.decode(data, viewOf(data), 0, data.length), schema.name).toBe(true);
    const message = peer.readMessage(data);
    for (const [g, { paths }] of taps.numbers.entries()) {
      if (decoder.out.counts[g] < 0) continue;
      const got = Array.from(decoder.out.numbers[g].subarray(0, decoder.out.counts[g]));
      expect(got, `${schema.name} ${paths[0]}`).toEqual(numbersAt(message, paths[0]));
    }
  };
}
