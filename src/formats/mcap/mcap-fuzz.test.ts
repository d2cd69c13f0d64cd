import { zstdCompressSync } from 'node:zlib';
import { parse } from '@foxglove/rosmsg';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { afterAll, describe, expect, it } from 'vitest';
import { AssayError, seededRandom } from '#core';
import { packLz4Frame } from '#test/support/lz4-frame';
import {
  folderWith,
  json,
  jsonChannel,
  mcapBytes,
  readEverything,
  removeFolders,
  type TestFile,
} from '#test/support/mcap-files';
import { rounds } from '#test/support/tiers';

afterAll(removeFolders);

const definition = 'float64[] position\nstring[] name\nuint8[] blob';
const encoder = new MessageWriter(parse(definition, { ros2: true }));
const schema = { name: 'p/msg/Arm', encoding: 'ros2msg', data: new TextEncoder().encode(definition) };

function goodFile(options: TestFile['options']): TestFile {
  const channels = [jsonChannel('/a'), { topic: '/arm', encoding: 'cdr', schema }];
  const messages = Array.from({ length: 40 }, (_, i) => {
    const arm = encoder.writeMessage({ position: [i, 2, 3], name: ['x', 'y', 'z'], blob: [1, 2, 3] });
    return { channel: i % 2, log_ns: BigInt(i) * 1000n, data: i % 2 === 0 ? json({ x: i, y: [1, 2] }) : arm };
  });
  return {
    channels,
    messages,
    metadata: { m: { task: 't' } },
    ...(options === undefined ? {} : { options }),
  };
}

const variants: [string, TestFile['options']][] = [
  ['plain chunks', { chunkSize: 300 }],
  ['no chunks', { useChunks: false }],
  [
    'zstd',
    {
      chunkSize: 300,
      compressChunk: (data) => ({ compression: 'zstd', compressedData: zstdCompressSync(data) }),
    },
  ],
  [
    'lz4',
    { chunkSize: 300, compressChunk: (data) => ({ compression: 'lz4', compressedData: packLz4Frame(data) }) },
  ],
];

describe('MCAP files spoiled at random', () => {
  it.each(variants)('end in an episode, a finding or an AssayError: %s', async (_, options) => {
    const good = await mcapBytes(goodFile(options));
    const random = seededRandom(29);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < rounds(40, 2000); round++) {
      const bytes = spoiled(good, random);
      try {
        const read = await readEverything(folderWith({ 'x.mcap': bytes }));
        expect(read.length).toBeLessThanOrEqual(1);
      } catch (thrown) {
        expect(thrown, `round ${round}`).toBeInstanceOf(AssayError);
      }
    }
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(400);
  });
});

/** A few bytes changed, a length field blown up, bytes cut out or the end cut off. */
function spoiled(good: Uint8Array, random: ReturnType<typeof seededRandom>): Uint8Array {
  const bytes = good.slice();
  const kind = random.integer(0, 3);
  if (kind === 0) return bytes.subarray(0, random.integer(8, bytes.length));
  if (kind === 1) {
    const from = random.integer(8, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + random.integer(1, 40))]);
  }
  for (let i = random.integer(1, 6); i > 0; i--) {
    const at = random.integer(8, bytes.length - 9);
    if (kind === 2) bytes[at] = random.integer(0, 255);
    else bytes.fill(random.pick([0, 0x7f, 0xff]), at, at + random.integer(1, 8));
  }
  return bytes;
}
