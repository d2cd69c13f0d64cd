import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import type { McapWriterOptions } from '@mcap/core';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { packLz4Frame } from '#test/support/lz4-frame';
import {
  codes,
  folderWith,
  json,
  jsonChannel,
  mcapBytes,
  openMcapAt,
  readBytes,
  readEverything,
  removeFolders,
  type TestFile,
  type TestMessage,
} from '#test/support/mcap-files';
import { discover } from '../discovery/discover.ts';

afterAll(removeFolders);

const start = 1_700_000_000_000_000_000n;

/** `count` messages on one JSON channel, 10 ms apart, values that tell them apart. */
function simple(count: number, more: Partial<TestFile> = {}): TestFile {
  const messages = Array.from({ length: count }, (_, i): TestMessage => {
    const data = json({ joint: i, speed: -i / 2, arm: [i, i + 0.5, i + 0.25] });
    return { channel: 0, log_ns: start + BigInt(i) * 10_000_000n, data };
  });
  return { channels: [jsonChannel('/joint_states')], messages, ...more };
}

const stream = (episode: Episode, id: string) => {
  const found = episode.streams.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no stream ${id} among ${episode.streams.map((s) => s.id)}`);
  return found;
};

/** Where records of a kind lie in a file whose records are not in chunks, or at the top level. */
function recordsOf(bytes: Uint8Array, wanted: number): { at: number; length: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: { at: number; length: number }[] = [];
  for (let at = 8; at + 9 <= bytes.length - 8; ) {
    const length = Number(view.getBigUint64(at + 1, true));
    if (bytes[at] === wanted) found.push({ at, length });
    at += 9 + length;
  }
  return found;
}

const layouts: [string, Partial<McapWriterOptions>][] = [
  ['chunks', {}],
  ['no chunks', { useChunks: false }],
  ['no message index', { useMessageIndex: false }],
  ['no chunk index', { useChunkIndex: false }],
  ['no statistics', { useStatistics: false }],
  ['no summary offsets', { useSummaryOffsets: false }],
  ['tiny chunks', { chunkSize: 100 }],
  ['zstd', { compressChunk: (data) => ({ compression: 'zstd', compressedData: zstdCompressSync(data) }) }],
  ['lz4', { compressChunk: (data) => ({ compression: 'lz4', compressedData: packLz4Frame(data) }) }],
  [
    'zstd in two frames',
    {
      compressChunk: (data) => {
        const half = data.length >> 1;
        const compressedData = Buffer.concat([
          zstdCompressSync(data.subarray(0, half)),
          zstdCompressSync(data.subarray(half)),
        ]);
        return { compression: 'zstd', compressedData };
      },
    },
  ],
];

describe('reading MCAP files however they are laid out', () => {
  it.each(layouts)('reads every message of a file with %s', async (_, options) => {
    const episode = await readBytes(await mcapBytes(simple(200, { options })));
    const joints = stream(episode, '/joint_states');
    expect([joints.sample_count, joints.names]).toEqual([200, ['joint', 'speed']]);
    expect(Array.from(joints.series?.values ?? []).slice(-2)).toEqual([199, -99.5]);
    const arm = stream(episode, '/joint_states.arm');
    expect(Array.from(arm.series?.values ?? []).slice(0, 3)).toEqual([0, 0.5, 0.25]);
    expect([episode.start_ns, episode.duration_s]).toEqual([String(start), 1.99]);
    expect(episode.findings.filter((finding) => finding.severity === 'error')).toEqual([]);
  });

  it('gives the same streams whatever the layout', async () => {
    const plain = await readBytes(await mcapBytes(simple(50)));
    for (const [name, options] of layouts) {
      const other = await readBytes(await mcapBytes(simple(50, { options })));
      expect(other.streams, name).toEqual(plain.streams);
    }
  });

  it('reads a file that is one zstd frame as a whole, and hashes the file as it is stored', async () => {
    const packed = zstdCompressSync(await mcapBytes(simple(500)));
    const [episode] = await readEverything(folderWith({ 'run.mcap.zstd': packed }));
    if ('unreadable' in episode) throw new Error(episode.finding.message);
    expect([episode.id, episode.streams[0].sample_count]).toEqual(['run', 500]);
    expect(episode.sources[0].sha256).toBe(createHash('sha256').update(packed).digest('hex'));
  });

  it('hashes the file while it reads it', async () => {
    const bytes = await mcapBytes(simple(3000));
    const episode = await readBytes(bytes);
    expect(episode.sources).toEqual([
      {
        path: 'x.mcap',
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        role: 'data',
      },
    ]);
  });

  it('passes over attachments and records of kinds it does not know', async () => {
    const bytes = await mcapBytes(simple(20, { attachment: new Uint8Array(3_000_000).fill(5) }));
    const unknown = Uint8Array.of(0x85, 4, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4);
    const episode = await readBytes(
      Buffer.concat([bytes.subarray(0, 8), bytes.subarray(8, 8), unknown, bytes.subarray(8)]),
    );
    expect(stream(episode, '/joint_states').sample_count).toBe(20);
    expect(codes(episode)).toContain('records_unknown');
    expect(codes(episode)).not.toContain('statistics_mismatch');
  });
});

describe('what a file says of itself against what is in it', () => {
  it('says that statistics do not fit', async () => {
    const bytes = await mcapBytes(simple(10));
    const [{ at }] = recordsOf(bytes, 0x0b);
    const lying = Buffer.from(bytes);
    lying.writeBigUInt64LE(99n, at + 9);
    const episode = await readBytes(lying);
    expect(episode.findings.find(({ code }) => code === 'statistics_mismatch')).toMatchObject({
      severity: 'error',
      evidence: { messages: { declared: 99, counted: 10 } },
    });
  });

  it('never takes an absent checksum for one that passed', async () => {
    const bytes = await mcapBytes(simple(10, { options: { useChunks: false } }));
    const plain = await readBytes(bytes);
    expect(codes(plain)).toContain('crc_checked');
    const [{ at }] = recordsOf(bytes, 0x0f);
    const without = Buffer.from(bytes);
    without.writeUInt32LE(0, at + 9);
    const episode = await readBytes(without);
    const finding = episode.findings.find(({ code }) => code === 'crc_absent');
    expect(finding?.message).toContain('corruption cannot be detected');
    expect(codes(episode)).not.toContain('crc_checked');
  });

  it('leaves out a chunk whose checksum is wrong, and says where it lies', async () => {
    const bytes = await mcapBytes(simple(200, { options: { chunkSize: 1000 } }));
    const chunks = recordsOf(bytes, 0x06);
    const spoiled = Buffer.from(bytes);
    spoiled[chunks[1].at + 200] ^= 1;
    const episode = await readBytes(spoiled);
    const broken = episode.findings.find(({ code }) => code === 'chunk_unreadable');
    expect(broken?.message).toContain(`byte ${chunks[1].at}`);
    expect(codes(episode)).toEqual(expect.arrayContaining(['crc_wrong', 'statistics_mismatch']));
    expect(stream(episode, '/joint_states').sample_count).toBeLessThan(200);
  });

  it('says that the checksum over the whole data is wrong', async () => {
    const bytes = await mcapBytes(simple(10, { options: { useChunks: false } }));
    const [{ at }] = recordsOf(bytes, 0x05);
    const spoiled = Buffer.from(bytes);
    spoiled[at + 15] ^= 4;
    expect(codes(await readBytes(spoiled))).toContain('crc_wrong');
  });

  it('says that the summary checksum is wrong', async () => {
    const bytes = await mcapBytes(simple(10));
    const [{ at }] = recordsOf(bytes, 0x0b);
    const spoiled = Buffer.from(bytes);
    spoiled[at + 30] ^= 1;
    const finding = (await readBytes(spoiled)).findings.find(({ code }) => code === 'crc_wrong');
    expect(finding?.evidence).toMatchObject({ summary: 'wrong' });
  });

  it('says when there are no statistics to hold the count against', async () => {
    expect(
      codes(await readBytes(await mcapBytes(simple(3, { options: { useStatistics: false } })))),
    ).toContain('statistics_absent');
  });

  it('counts what sequence numbers say is missing', async () => {
    const messages = simple(20).messages.filter((_, i) => i !== 7 && i !== 8);
    const numbered = messages.map((message) => ({
      ...message,
      sequence: Number((message.log_ns - start) / 10_000_000n),
    }));
    const episode = await readBytes(await mcapBytes(simple(0, { messages: numbered })));
    expect(episode.findings.find(({ code }) => code === 'sequence_gap')?.evidence).toMatchObject({
      missing: 2,
    });
  });

  it('does not take sequence numbers that are all zero for losses, and says that there are none', async () => {
    const messages = simple(20).messages.map((message) => ({ ...message, sequence: 0 }));
    const found = codes(await readBytes(await mcapBytes(simple(0, { messages }))));
    expect(found).toContain('sequence_absent');
    expect(found).not.toContain('sequence_gap');
  });
});

describe('reading what is left of a file', () => {
  it('reads a truncated file as far as it goes, wherever it was cut, and says at which byte', async () => {
    const bytes = await mcapBytes(simple(60, { options: { chunkSize: 500 } }));
    let last = -1;
    for (let length = 30; length < bytes.length; length += 37) {
      const episode = await readBytes(bytes.subarray(0, length));
      const finding = episode.findings.find(({ code }) => code === 'file_truncated');
      expect(finding?.message, `${length} bytes`).toMatch(/intact up to byte \d+/);
      const count = episode.streams[0]?.sample_count ?? 0;
      expect(count).toBeGreaterThanOrEqual(last);
      last = count;
    }
    expect(last).toBe(60);
  });

  it('says what follows the end of a recording', async () => {
    const bytes = await mcapBytes(simple(3));
    expect(codes(await readBytes(Buffer.concat([bytes, Uint8Array.of(1, 2, 3)])))).toContain(
      'bytes_after_end',
    );
  });

  it('stops at a record that claims more bytes than the file has, without allocating them', async () => {
    const bytes = Buffer.from(await mcapBytes(simple(10, { options: { useChunks: false } })));
    const [, , { at }] = recordsOf(bytes, 0x05);
    bytes.writeBigUInt64LE(1n << 60n, at + 1);
    const episode = await readBytes(bytes);
    expect(stream(episode, '/joint_states').sample_count).toBe(2);
    expect(codes(episode)).toContain('file_truncated');
  });

  it('refuses a chunk that claims to unpack to more than the limit', async () => {
    const bytes = Buffer.from(await mcapBytes(simple(10, { options: layouts[7][1] })));
    const [{ at }] = recordsOf(bytes, 0x06);
    bytes.writeBigUInt64LE(1n << 40n, at + 9 + 16);
    const found = await readBytes(bytes);
    expect(found.findings.find(({ code }) => code === 'chunk_unreadable')?.message).toContain(
      'decompressed size 1099511627776 bytes',
    );
    expect(found.streams).toEqual([]);
  });

  it('stops a chunk that unpacks to more than it says', async () => {
    const bytes = Buffer.from(await mcapBytes(simple(100, { options: layouts[7][1] })));
    const [{ at }] = recordsOf(bytes, 0x06);
    bytes.writeBigUInt64LE(64n, at + 9 + 16);
    expect(codes(await readBytes(bytes))).toContain('chunk_unreadable');
  });

  it('reports a message of a channel that is not declared', async () => {
    const bytes = Buffer.from(await mcapBytes(simple(3, { options: { useChunks: false } })));
    bytes.writeUInt16LE(77, recordsOf(bytes, 0x05)[1].at + 9);
    const episode = await readBytes(bytes);
    expect(codes(episode)).toContain('channel_unknown');
    expect(stream(episode, '/joint_states').sample_count).toBe(2);
  });

  it('gives an episode without streams for a recording without messages', async () => {
    const episode = await readBytes(await mcapBytes(simple(0)));
    expect([episode.streams, episode.start_ns, episode.duration_s]).toEqual([[], null, 0]);
    expect(codes(episode)).toContain('no_messages');
  });

  it('does not take a text file called .mcap, or an empty one, for a recording', async () => {
    expect(await openMcapAt(folderWith({ 'a.mcap': 'hello, I am text', 'b.mcap': '' }))).toBeNull();
  });
});

describe('topics and channels', () => {
  it('keeps what it cannot decode as a counted stream with a finding', async () => {
    const channels = [
      {
        topic: '/a',
        encoding: 'flatbuffer',
        schema: { name: 'x', encoding: 'flatbuffer', data: new Uint8Array(3) },
      },
      { topic: '/b', encoding: 'cdr', schema: { name: 'p/msg/T', encoding: 'ros2msg', data: json('what?') } },
    ];
    const messages = [0, 1, 0].map((channel, i) => ({
      channel,
      log_ns: start + BigInt(i),
      data: new Uint8Array(9),
    }));
    const episode = await readBytes(await mcapBytes({ channels, messages }));
    expect(episode.streams.map(({ id, modality, sample_count }) => [id, modality, sample_count])).toEqual([
      ['/a', 'opaque', 2],
      ['/b', 'opaque', 1],
    ]);
    expect(codes(episode)).toEqual(expect.arrayContaining(['encoding_unsupported', 'schema_unreadable']));
  });

  it('reads JSON without a schema, and bare arrays', async () => {
    const channels = [{ topic: '/bare', encoding: 'json' }];
    const messages = [0, 1].map((i) => ({ channel: 0, log_ns: start + BigInt(i), data: json([i, 2]) }));
    const episode = await readBytes(await mcapBytes({ channels, messages }));
    expect(Array.from(stream(episode, '/bare').series?.values ?? [])).toEqual([0, 2, 1, 2]);
  });

  it('joins channels of one topic and one type, and keeps types apart', async () => {
    const channels = [jsonChannel('/state', 'a'), jsonChannel('/state', 'a'), jsonChannel('/state', 'b')];
    const messages = [0, 1, 2, 0].map((channel, i) => {
      return { channel, log_ns: start + BigInt(i), data: json({ x: i }) };
    });
    const episode = await readBytes(await mcapBytes({ channels, messages }));
    expect(episode.streams.map(({ id, sample_count }) => [id, sample_count])).toEqual([
      ['/state', 3],
      ['/state~2', 1],
    ]);
    expect(codes(episode)).toContain('topic_shared');
  });

  it('counts messages that do not fit, and reads the others', async () => {
    const messages = simple(10).messages.map((message, i) =>
      i === 4 ? { ...message, data: new Uint8Array(5) } : message,
    );
    const episode = await readBytes(await mcapBytes(simple(0, { messages })));
    expect(stream(episode, '/joint_states').sample_count).toBe(9);
    const finding = episode.findings.find(({ code }) => code === 'message_undecodable');
    expect(finding?.message).toContain('1 of 10');
  });

  it('reads task, robot and outcome from metadata records', async () => {
    const metadata = { assay: { task: 'pick up the cup', robot: 'so100', outcome: 'failure' } };
    const episode = await readBytes(await mcapBytes(simple(3, { metadata })));
    expect(episode.tasks).toEqual([{ text: 'pick up the cup', source: 'metadata record assay, task' }]);
    expect([episode.robot, episode.outcome.value, episode.outcome.evidence]).toEqual([
      'so100',
      'failure',
      'declared',
    ]);
  });

  it('knows a recording that carries no task text from one whose task is empty', async () => {
    expect((await readBytes(await mcapBytes(simple(3)))).tasks).toBeNull();
    const empty = await readBytes(await mcapBytes(simple(3, { metadata: { assay: { task: '' } } })));
    expect(empty.tasks?.map((task) => task.text)).toEqual(['']);
  });

  it('leaves an outcome nobody labelled unknown', async () => {
    expect((await readBytes(await mcapBytes(simple(3)))).outcome.value).toBe('unknown');
  });
});

describe('time', () => {
  it('puts chunks that are not in time order right, and says so', async () => {
    const messages = simple(40).messages;
    const shuffled = [...messages.slice(20), ...messages.slice(0, 20)];
    const unchunked = await mcapBytes(simple(0, { messages: shuffled, options: { useChunks: false } }));
    const chunked = await mcapBytes(simple(0, { messages: shuffled, options: { chunkSize: 1 } }));
    const right = await readBytes(chunked);
    expect(Array.from(stream(right, '/joint_states').clocks[0].time_s.slice(0, 2))).toEqual([0, 0.01]);
    expect(stream(right, '/joint_states').series?.values[0]).toBe(0);
    expect(codes(right)).toContain('chunks_out_of_time_order');
    const wrong = await readBytes(unchunked);
    expect(stream(wrong, '/joint_states').series?.values[0]).toBe(20);
    expect(codes(wrong)).toContain('log_time_out_of_order');
    expect(wrong.start_ns).toBe(String(start));
  });

  it('keeps two swapped messages of one chunk as they are: that is a defect of the recording', async () => {
    const messages = [...simple(40).messages];
    [messages[10], messages[11]] = [messages[11], messages[10]];
    const episode = await readBytes(await mcapBytes(simple(0, { messages })));
    expect(Array.from(stream(episode, '/joint_states').clocks[0].time_s.slice(9, 12))).toEqual([
      0.09, 0.11, 0.1,
    ]);
    expect(codes(episode)).toContain('log_time_out_of_order');
  });

  it('chooses capture times that are set, move forward and keep their distance', async () => {
    const episode = await readBytes(
      await mcapBytes(stamped((i) => start + BigInt(i) * 10_000_000n - 3_000_123n)),
    );
    const joints = stream(episode, '/joint_states');
    expect(joints.clocks.map((clock) => clock.provenance)).toEqual(['header', 'log']);
    expect(joints.clock?.index).toBe(0);
    expect(joints.clocks[0].time_s[1]).toBe((10_000_000 - 3_000_123) / 1e9);
    const offsets = episode.findings.find(({ code }) => code === 'clock_offsets');
    expect(offsets?.evidence).toMatchObject({ '/joint_states': { median_ms: -3.00012, std_ms: 0 } });
  });

  it.each([
    ['zero', () => 0n, 'is zero'],
    ['running backwards', (i: number) => start - BigInt(i) * 1_000_000n, 'goes backwards'],
    ['another zero', (i: number) => BigInt(i) * 10_000_000n + 5n, 'different epoch'],
    ['drifting', (i: number) => start + BigInt(i) * 50_000_000n, 'unstable'],
  ])('falls back to the log time where capture times are %s, and says why', async (_, stamp, words) => {
    const episode = await readBytes(await mcapBytes(stamped(stamp)));
    const joints = stream(episode, '/joint_states');
    expect(joints.clock?.reason).toContain(words);
    expect(joints.clocks[joints.clock?.index ?? 0].provenance).toBe('log');
  });

  it('looks at capture times even where two are swapped: that has to be seen', async () => {
    const stamp = (i: number) => start + BigInt(i === 30 ? 31 : i === 31 ? 30 : i) * 10_000_000n;
    const joints = stream(await readBytes(await mcapBytes(stamped(stamp))), '/joint_states');
    expect(joints.clocks[joints.clock?.index ?? 0].name).toBe('stamp');
  });

  it('chooses the publish time where it differs, and says that there is none where it never does', async () => {
    const messages = simple(20).messages.map((message) => ({
      ...message,
      publish_ns: message.log_ns - 1_000_000n,
    }));
    const episode = await readBytes(await mcapBytes(simple(0, { messages })));
    const joints = stream(episode, '/joint_states');
    expect(joints.clocks.map((clock) => clock.name)).toEqual(['publish_time', 'log_time']);
    expect(joints.clock?.index).toBe(0);
    expect(codes(episode)).not.toContain('publish_time_absent');
    expect(codes(await readBytes(await mcapBytes(simple(20))))).toContain('publish_time_absent');
  });

  it('keeps a publish clock that differs only late', async () => {
    const messages = simple(20).messages.map((message, i) => ({
      ...message,
      publish_ns: message.log_ns - (i < 15 ? 0n : 5n),
    }));
    const joints = stream(await readBytes(await mcapBytes(simple(0, { messages }))), '/joint_states');
    expect(joints.clocks[0].time_s[0]).toBe(0);
    expect(joints.clocks[0].time_s[15]).toBe((150_000_000 - 5) / 1e9);
  });

  it('reads times near zero, and keeps nanoseconds beyond what a double holds', async () => {
    const messages = [0n, 1n, 2n].map((log_ns) => ({ channel: 0, log_ns, data: json({ x: 1 }) }));
    const near = await readBytes(await mcapBytes({ channels: [jsonChannel('/x')], messages }));
    expect([near.start_ns, Array.from(near.streams[0].clocks[0].time_s)]).toEqual(['0', [0, 1e-9, 2e-9]]);
    const late = messages.map((message) => ({ ...message, log_ns: message.log_ns + start + 123_456_789n }));
    const far = await readBytes(await mcapBytes({ channels: [jsonChannel('/x')], messages: late }));
    expect([far.start_ns, Array.from(far.streams[0].clocks[0].time_s)]).toEqual([
      '1700000000123456789',
      [0, 1e-9, 2e-9],
    ]);
  });
});

function stamped(stamp: (i: number) => bigint): TestFile {
  const messages = simple(100).messages.map((message, i) => {
    const at = stamp(i);
    const value = {
      stamp: { sec: Number(at / 1_000_000_000n), nsec: Number(at % 1_000_000_000n) },
      joint: i,
    };
    return { ...message, data: json(value) };
  });
  return simple(0, { messages });
}

describe('folders', () => {
  it('makes a dataset of each folder, and of folders with one recording each the folder above', async () => {
    const bytes = await mcapBytes(simple(3));
    const yaml = bagYaml(3, ['b_0.mcap']);
    const { datasets } = await discover(
      folderWith({
        'drive/one.mcap': bytes,
        'drive/two.mcap': bytes,
        'bags/b1/metadata.yaml': yaml,
        'bags/b1/b_0.mcap': bytes,
        'bags/b2/metadata.yaml': yaml,
        'bags/b2/b_0.mcap': bytes,
        'sessions/s1/log.mcap': bytes,
        'sessions/s2/log.mcap': bytes,
        'lone.mcap': bytes,
      }),
    );
    expect(datasets.map(({ path, dataset }) => [path, dataset.units.map(({ id }) => id)])).toEqual([
      ['bags', ['b1', 'b2']],
      ['drive', ['one', 'two']],
      ['', ['lone']],
      ['sessions', ['s1/log', 's2/log']],
    ]);
  });

  it('makes an episode of each file, called by its path', async () => {
    const bytes = await mcapBytes(simple(3));
    const read = await readEverything(
      folderWith({ 'a/one.mcap': bytes, 'b/one.mcap': bytes, 'two.mcap': bytes, 'notes.txt': 'x' }),
    );
    expect(read.map((episode) => [episode.id, episode.index])).toEqual([
      ['a/one', 0],
      ['b/one', 1],
      ['two', 2],
    ]);
  });

  it('joins the files that metadata.yaml lists into one episode, in the order listed', async () => {
    const parts = [simple(10).messages.slice(0, 4), simple(10).messages.slice(4)];
    const [first, second] = await Promise.all(parts.map((messages) => mcapBytes(simple(0, { messages }))));
    const yaml = bagYaml(10, ['bag_0.mcap', 'bag_1.mcap']);
    const [episode, ...rest] = await readEverything(
      folderWith({ 'bag/metadata.yaml': yaml, 'bag/bag_0.mcap': first, 'bag/bag_1.mcap': second }),
    );
    if ('unreadable' in episode) throw new Error('unreadable');
    expect(rest).toEqual([]);
    expect([episode.id, episode.streams[0].sample_count]).toEqual(['bag', 10]);
    expect(Array.from(episode.streams[0].clocks[0].time_s).at(-1)).toBe(0.09);
    expect(episode.sources.map(({ path, role }) => [path, role])).toEqual([
      ['bag/bag_0.mcap', 'data'],
      ['bag/bag_1.mcap', 'data'],
      ['bag/metadata.yaml', 'metadata'],
    ]);
    expect(codes(episode)).not.toContain('metadata_count_mismatch');
  });

  it('names the files of a bag that are missing, and the count that does not fit', async () => {
    const bytes = await mcapBytes(simple(4));
    const yaml = bagYaml(251, ['bag/bag_0.mcap', 'bag/bag_1.mcap']);
    const [episode] = await readEverything(folderWith({ 'metadata.yaml': yaml, 'bag_1.mcap': bytes }));
    if ('unreadable' in episode) throw new Error('unreadable');
    const missing = episode.findings.find(({ code }) => code === 'bag_file_missing');
    expect(missing?.message).toContain('bag_0.mcap');
    const count = episode.findings.find(({ code }) => code === 'metadata_count_mismatch');
    expect(count?.message).toBe('metadata.yaml declares 251 messages, but 4 were found');
  });

  it('reads files one by one where metadata.yaml is broken, and says so', async () => {
    const bytes = await mcapBytes(simple(4));
    const folder = folderWith({ 'metadata.yaml': 'rosbag2_bagfile_information: [', 'x.mcap': bytes });
    const dataset = await openMcapAt(folder);
    expect(dataset?.findings.map(({ code }) => code)).toEqual(['metadata_unreadable']);
    expect(dataset?.units.map(({ id }) => id)).toEqual(['x']);
  });

  it('reads a file of a bag folder that metadata.yaml does not list as a recording of its own', async () => {
    const bytes = await mcapBytes(simple(4));
    const folder = folderWith({
      'b/metadata.yaml': bagYaml(4, ['b_0.mcap']),
      'b/b_0.mcap': bytes,
      'b/stray.mcap': bytes,
    });
    const dataset = await openMcapAt(folder);
    expect(dataset?.units.map(({ id }) => id)).toEqual(['b', 'b/stray']);
    expect(dataset?.findings.map(({ code }) => code)).toEqual(['bag_file_unlisted']);
  });

  it('holds a message count in the file own rosbag2 record against what is there', async () => {
    const metadata = { rosbag2: { serialized_metadata: bagYaml(9, ['x.mcap']) } };
    const episode = await readBytes(await mcapBytes(simple(4, { metadata })));
    expect(codes(episode)).toContain('metadata_count_mismatch');
  });

  it('answers for a file that vanished or cannot be read with its name, and reads the others', async () => {
    const bytes = await mcapBytes(simple(4));
    const folder = folderWith({ 'a.mcap': bytes, 'b.mcap': bytes });
    const dataset = await openMcapAt(folder);
    const { rmSync } = await import('node:fs');
    rmSync(join(folder, 'a.mcap'));
    const read = [];
    for (const unit of dataset?.units ?? [])
      for await (const one of dataset?.read(unit, {}) ?? []) read.push(one);
    expect(read[0]).toMatchObject({ unreadable: true, id: 'a', finding: { path: 'a.mcap' } });
    expect(read[1]).toMatchObject({ id: 'b' });
  });
});

function bagYaml(count: number, files: readonly string[]): string {
  return `rosbag2_bagfile_information:
  version: 5
  storage_identifier: mcap
  duration: {nanoseconds: 0}
  starting_time: {nanoseconds_since_epoch: 0}
  compression_format: ""
  compression_mode: ""
  message_count: ${count}
  topics_with_message_count:
    - topic_metadata: {name: /joint_states, type: t, serialization_format: json, offered_qos_profiles: ""}
      message_count: ${count}
  relative_file_paths:
${files.map((file) => `    - ${file}`).join('\n')}
`;
}

describe('pictures', () => {
  it('keeps a checksum and a size of every picture, and an even sample of pairs', async () => {
    const payload = (i: number) =>
      Uint8Array.of(0xff, 0xd8, i & 255, i >> 8, ...new Array<number>(100).fill(i % 7));
    const channels = [jsonChannel('/camera/image', 'foxglove.CompressedImage')];
    const messages = Array.from({ length: 1000 }, (_, i) => {
      const data = json({ format: 'jpeg', data: Buffer.from(payload(i)).toString('base64') });
      return { channel: 0, log_ns: start + BigInt(i) * 33_000_000n, data };
    });
    const episode = await readBytes(await mcapBytes({ channels, messages }));
    const camera = stream(episode, '/camera/image');
    expect([camera.role, camera.modality, camera.sample_count]).toEqual(['camera', 'image', 1000]);
    expect(camera.frames?.locator).toMatchObject({ type: 'embedded', path: 'x.mcap', encoding: 'jpeg' });
    expect(camera.frames?.payloads?.crc32[999]).toBe(crc32(payload(999)));
    const kept = camera.frames?.kept ?? [];
    expect(kept.length).toBeGreaterThanOrEqual(12);
    expect(kept.length).toBeLessThanOrEqual(24);
    for (let k = 0; k < kept.length; k += 2) expect(kept[k + 1].index).toBe(kept[k].index + 1);
    expect(kept.at(-1)?.index).toBeGreaterThan(800);
    expect(Buffer.from(kept[3].bytes).equals(payload(kept[3].index))).toBe(true);
    expect(kept[3].time_s).toBeCloseTo(kept[3].index * 0.033, 9);
  });
});

describe('long recordings', () => {
  it.each([
    ['in chunks', { chunkSize: 100_000 }],
    ['without chunks', { useChunks: false }],
  ])('closes an episode when it holds too much, and goes on in the next: %s', async (_, options) => {
    const wide = Array.from({ length: 3000 }, (_, i) => i);
    const data = json({ arm: wide });
    const messages = Array.from({ length: 4500 }, (_, i) => ({
      channel: 0,
      log_ns: start + BigInt(i) * 1_000_000n,
      data,
    }));
    const bytes = await mcapBytes({ channels: [jsonChannel('/arm')], messages, options });
    const read = await readEverything(join(folderWith({ 'long.mcap': bytes }), 'long.mcap'));
    const episodes = read.map((one) => {
      if ('unreadable' in one) throw new Error('unreadable');
      return one;
    });
    expect(episodes.map(({ id }) => id)).toEqual(['long#0001', 'long#0002', 'long#0003']);
    expect(episodes.reduce((sum, { streams }) => sum + streams[0].sample_count, 0)).toBe(4500);
    for (const [i, episode] of episodes.entries()) {
      expect(codes(episode)).toContain('recording_split');
      expect(episode.sources[0].sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(episode.locator.span?.to).toBe(episodes[i + 1]?.locator.span?.from ?? 4500);
    }
    expect(codes(episodes[2])).not.toContain('statistics_mismatch');
  });
});
