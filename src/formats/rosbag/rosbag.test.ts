import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parse } from '@foxglove/rosmsg';
import { MessageWriter } from '@foxglove/rosmsg-serialization';
import { afterAll, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { openSourceTree, type SourceTree } from '#io/sources';
import { codes, folderWith, mcapBytes, removeFolders } from '#test/support/mcap-files';
import {
  bagBytes,
  bagHeader,
  bagRecord,
  makeBag,
  type TestBag,
  type TestBagMessage,
  type TestConnection,
  u32,
  unindexed,
} from '#test/support/rosbag-files';
import { discover } from '../discovery/discover.ts';
import type { Dataset, Unreadable } from '../shared/reader.ts';
import { rosbagReader } from './index.ts';

afterAll(removeFolders);

const separator = `\n${'='.repeat(80)}\n`;
const stamped = `Header header${separator}MSG: std_msgs/Header\nuint32 seq\ntime stamp\nstring frame_id`;
const jointsText = stamped.replace('Header header', 'Header header\nstring[] name\nfloat64[] position');
const imageText = stamped.replace(
  'Header header',
  'Header header\nuint32 height\nuint32 width\nstring encoding\nuint8 is_bigendian\nuint32 step\nuint8[] data',
);
const vectorText = 'float64 x\nfloat64 y\nfloat64 z';
const writers = {
  joints: new MessageWriter(parse(jointsText)),
  image: new MessageWriter(parse(imageText)),
  vector: new MessageWriter(parse(vectorText)),
};

const joints = (topic = '/joint_states', more: Partial<TestConnection> = {}): TestConnection => ({
  topic,
  type: 'sensor_msgs/JointState',
  definition: jointsText,
  md5: '3066dcd76a6cfaef579bd0f34173e9fd',
  ...more,
});

const start = 1_700_000_000;

/** A joint state recorded at `at` s after the start and captured `age` s before that. */
function jointState(at: number, connection = 0, age = 0.002): TestBagMessage {
  const time = (seconds: number) => {
    const whole = Math.floor(seconds);
    return { sec: start + whole, nsec: Math.round((seconds - whole) * 1e9) };
  };
  const header = { seq: 0, stamp: time(at - age), frame_id: 'base' };
  const message = { header, name: ['shoulder', 'elbow'], position: [at, -at] };
  return { connection, ...time(at), data: writers.joints.writeMessage(message) };
}

/** `count` joint states, 10 ms apart. */
const simple = (count: number, more: Partial<TestBag> = {}): TestBag => ({
  connections: [joints()],
  messages: Array.from({ length: count }, (_, i) => jointState(i / 100)),
  ...more,
});

async function open(path: string): Promise<Dataset> {
  const { datasets } = await discover(path);
  expect(datasets.map(({ recognition }) => recognition.format)).toEqual(['rosbag']);
  return datasets[0].dataset;
}

async function readAll(path: string): Promise<(Episode | Unreadable)[]> {
  const dataset = await open(path);
  const read: (Episode | Unreadable)[] = [];
  for (const unit of dataset.units) for await (const item of dataset.read(unit, {})) read.push(item);
  await dataset.close();
  return read;
}

/** The only episode of a lone bag with these bytes. */
async function readBytes(bytes: Uint8Array, name = 'x.bag'): Promise<Episode> {
  const [only, more] = await readAll(join(folderWith({ [name]: bytes }), name));
  if (only === undefined || more !== undefined || 'unreadable' in only)
    throw new Error('expected one episode');
  return only;
}

async function refusalOf(bytes: Uint8Array): Promise<string> {
  const [only] = await readAll(join(folderWith({ 'x.bag': bytes }), 'x.bag'));
  if (!('unreadable' in only)) throw new Error('expected a refusal');
  return `${only.finding.message}; ${only.finding.advice}`;
}

const stream = (episode: Episode, id: string) => {
  const found = episode.streams.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`no stream ${id} among ${episode.streams.map((s) => s.id)}`);
  return found;
};
const messageOf = (episode: Episode, code: string): string | undefined =>
  episode.findings.find((finding) => finding.code === code)?.message;
const positions = (episode: Episode) => Array.from(stream(episode, '/joint_states').series?.values ?? []);

describe('reading ROS 1 bags', () => {
  it.each(['none', 'lz4', 'bz2'] as const)(
    'reads every message of chunks packed with %s',
    async (compression) => {
      const episode = await readBytes(bagBytes(simple(200, { compression })));
      const read = stream(episode, '/joint_states');
      expect([read.sample_count, read.names, read.role]).toEqual([200, ['shoulder', 'elbow'], 'state']);
      expect(Array.from(read.series?.values ?? []).slice(-2)).toEqual([1.99, -1.99]);
      expect([episode.start_ns, episode.duration_s]).toEqual([`${start}000000000`, 1.99]);
      expect(episode.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
      const plain = await readBytes(bagBytes(simple(200)));
      expect(episode.streams).toEqual(plain.streams);
    },
  );

  it('keeps the record time and the capture time, and says which it uses and why', async () => {
    const read = stream(await readBytes(bagBytes(simple(50))), '/joint_states');
    expect(read.clocks.map(({ name, provenance }) => [name, provenance])).toEqual([
      ['header.stamp', 'header'],
      ['log_time', 'log'],
    ]);
    expect([read.clock?.index, read.clock?.reason]).toEqual([
      0,
      'header.stamp increases steadily, -2 ms from the log time (standard deviation 0 ms)',
    ]);
    expect([read.clocks[0].time_s[1], read.clocks[1].time_s[1]]).toEqual([0.008, 0.01]);
  });

  it('says that the format stores no publish time and no checksum', async () => {
    const episode = await readBytes(bagBytes(simple(5)));
    expect(messageOf(episode, 'publish_time_absent')).toContain('the format stores no publish time');
    expect(messageOf(episode, 'crc_absent')).toContain('no checksums over messages');
  });

  it('names and hashes the file', async () => {
    const bytes = bagBytes(simple(5));
    const episode = await readBytes(bytes, 'run_1.bag');
    expect([episode.id, episode.locator]).toEqual(['run_1', { format: 'rosbag', path: 'run_1.bag' }]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(episode.sources).toEqual([{ path: 'run_1.bag', bytes: bytes.length, sha256, role: 'data' }]);
  });

  it.each([0.002, 12.5])(
    'gives the streams that an MCAP of the same messages gives, the latched one %f s old',
    async (age) => {
      const latched = [joints('/joint_states', { latched: true })];
      const bag = simple(60, { connections: latched });
      const old = jointState(0, 0, age);
      const twins = { ...bag, messages: [old, ...bag.messages.slice(1)] };
      const messages = twins.messages.map(({ sec, nsec = 0, data }) => ({
        channel: 0,
        log_ns: BigInt(sec) * 1_000_000_000n + BigInt(nsec),
        data,
      }));
      const data = new TextEncoder().encode(jointsText);
      const schema = { name: 'sensor_msgs/JointState', encoding: 'ros1msg', data };
      const channels = [{ topic: '/joint_states', encoding: 'ros1', schema, metadata: { latching: '1' } }];
      const folder = folderWith({ 'x.mcap': await mcapBytes({ channels, messages }) });
      const [{ dataset }] = (await discover(folder)).datasets;
      for await (const twin of dataset.read(dataset.units[0], {})) {
        if ('unreadable' in twin) throw new Error(twin.finding.message);
        const episode = await readBytes(bagBytes(twins));
        expect(episode.streams[0].clock?.index).toBe(age > 1 ? 1 : 0);
        expect(episode.streams).toEqual(twin.streams);
        expect([episode.start_ns, episode.duration_s]).toEqual([twin.start_ns, twin.duration_s]);
      }
    },
  );

  it('finds pictures again where they lie', async () => {
    const connection = { topic: '/camera', type: 'sensor_msgs/Image', definition: imageText };
    const messages = Array.from({ length: 12 }, (_, i): TestBagMessage => {
      const header = { seq: i, stamp: { sec: start, nsec: i * 1e6 }, frame_id: '' };
      const pixels = new Uint8Array(12).fill(i);
      const image = { header, height: 2, width: 2, encoding: 'rgb8', is_bigendian: 0, step: 6, data: pixels };
      return { connection: 0, sec: start, nsec: i * 1e6, data: writers.image.writeMessage(image) };
    });
    const folder = folderWith({
      'x.bag': bagBytes({ connections: [connection], messages, compression: 'lz4' }),
    });
    const dataset = await open(folder);
    for await (const episode of dataset.read(dataset.units[0], {})) {
      if ('unreadable' in episode) throw new Error(episode.finding.message);
      const [camera] = episode.streams;
      expect([camera.role, camera.frames?.declared_size_px, camera.sample_count]).toEqual([
        'camera',
        [2, 2],
        12,
      ]);
      const locator = camera.frames?.locator;
      if (locator?.type !== 'embedded') throw new Error('expected embedded pictures');
      const log_s = camera.clocks.find(({ provenance }) => provenance === 'log')?.time_s[7] ?? null;
      const wanted = { locator, episode_index: 0, start_ns: episode.start_ns, row: 7, log_s };
      const [picture] = (await dataset.picturesAt?.(wanted)) ?? [];
      expect(Array.from(picture.bytes)).toEqual(new Array(12).fill(7));
      expect(picture.layout).toEqual({ encoding: 'rgb8', width: 2, height: 2, step: 6 });
    }
  });

  it('takes each folder for a dataset, and two bags of one name for two episodes', async () => {
    const bytes = bagBytes(simple(3));
    const { datasets } = await discover(
      folderWith({ 'a/1.bag': bytes, 'a/1.bag.active': bytes, 'b/1.bag': bytes, 'b/2.bag': bytes }),
    );
    const ids = datasets.map(({ path, dataset }) => [path, dataset.units.map(({ id }) => id)]);
    expect(ids).toEqual([
      ['a', ['1.bag', '1.bag.active']],
      ['b', ['1', '2']],
    ]);
  });

  it('says of a long bag that a look reads only its beginning', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024);
    bytes.set(bagBytes(simple(3)));
    const [{ dataset }] = (await discover(folderWith({ 'a.bag': bytes }))).datasets;
    expect(dataset.units[0]).toMatchObject({ bytes: bytes.length, look_bytes: 4 * 1024 * 1024 });
  });

  it('closes an episode between chunks when it holds too much, whatever the compression', async () => {
    const data = Buffer.concat([u32(3000), new Uint8Array(24_000)]);
    const messages = Array.from({ length: 2500 }, (_, i) => ({ connection: 0, sec: start + i, data }));
    const connections = [{ topic: '/arm', type: 'p/Wide', definition: 'float64[] values' }];
    const spans: unknown[] = [];
    for (const compression of ['none', 'lz4'] as const) {
      const bytes = bagBytes({ connections, messages, compression, chunk: 100 });
      const read = await readAll(folderWith({ 'x.bag': bytes }));
      expect(read.map(({ id }) => id)).toEqual(['x#0001', 'x#0002']);
      spans.push(read.map((item) => ('unreadable' in item ? null : item.locator.span)));
    }
    expect(spans[0]).toEqual([
      { unit: 'record', from: 0, to: 2100 },
      { unit: 'record', from: 2100, to: 2500 },
    ]);
    expect(spans[1]).toEqual(spans[0]);
  });
});

describe('connections of a bag', () => {
  it('reads several publishers of a topic as one stream, though their definitions differ in comments', async () => {
    const connections = [joints(), joints('/joint_states', { definition: `# arm\n${jointsText}` })];
    const messages = Array.from({ length: 20 }, (_, i) => jointState(i / 100, i % 2));
    const episode = await readBytes(bagBytes({ connections, messages }));
    expect(episode.streams.map(({ id, sample_count }) => [id, sample_count])).toEqual([
      ['/joint_states', 20],
    ]);
    expect(messageOf(episode, 'topic_shared')).toContain('/joint_states has 2 connections');
  });

  it('says nothing of topics that many nodes are meant to write to', async () => {
    const connections = [joints('/tf'), joints('/tf')];
    const messages = Array.from({ length: 20 }, (_, i) => jointState(i / 100, i % 2));
    expect(codes(await readBytes(bagBytes({ connections, messages })))).not.toContain('topic_shared');
  });

  it('makes a stream of each type that is written to one topic', async () => {
    const vector = { topic: '/joint_states', type: 'geometry_msgs/Vector3', definition: vectorText };
    const messages = Array.from({ length: 20 }, (_, i) => {
      const data = writers.vector.writeMessage({ x: i, y: 0, z: 0 });
      return i % 2 === 0 ? jointState(i / 100) : { ...jointState(i / 100), connection: 1, data };
    });
    const episode = await readBytes(bagBytes({ connections: [joints(), vector], messages }));
    expect(episode.streams.map(({ id, sample_count }) => [id, sample_count])).toEqual([
      ['/joint_states', 10],
      ['/joint_states~2', 10],
    ]);
    expect(messageOf(episode, 'topic_shared')).toContain('each message type is read as a separate stream');
  });

  it('does not take for a clock what a latched topic said before the recording began', async () => {
    const messages = [
      jointState(0, 0, 12.5),
      ...Array.from({ length: 99 }, (_, i) => jointState((i + 1) / 100)),
    ];
    const latched = await readBytes(bagBytes({ connections: [joints('/map', { latched: true })], messages }));
    const read = stream(latched, '/map');
    expect([read.clock?.index, read.clock?.reason]).toEqual([
      1,
      'latched message, published 12.5 s before the recording started; no publish time besides the log time',
    ]);
    expect(read.clocks[0].time_s[0]).toBe(-12.5);
    const other = await readBytes(bagBytes({ connections: [joints('/map')], messages }));
    expect(stream(other, '/map').clock?.index).toBe(0);
  });

  it('is not stretched by what was said once, long before the robot was recorded', async () => {
    const map = { ...jointState(0), connection: 1 };
    const messages = [map, ...Array.from({ length: 99 }, (_, i) => jointState(40 + i / 100))];
    const episode = await readBytes(bagBytes({ connections: [joints(), joints('/map')], messages }));
    expect([episode.start_ns, episode.duration_s]).toEqual([`${start + 40}000000000`, 0.98]);
    expect(stream(episode, '/map').clocks[1].time_s[0]).toBe(-40);
    expect(stream(episode, '/joint_states').clocks[1].time_s[0]).toBe(0);
  });

  it('does not take for a clock what a topic said once before the recording, latched or not', async () => {
    const messages = [jointState(0, 0, 12.5)];
    const episode = await readBytes(bagBytes({ connections: [joints('/map')], messages }));
    expect(stream(episode, '/map').clock?.reason).toContain('published 12.5 s before');
  });

  it('keeps the capture time of a latched topic that said nothing old', async () => {
    const episode = await readBytes(bagBytes(simple(50, { connections: [joints('/j', { latched: true })] })));
    expect(stream(episode, '/j').clock?.index).toBe(0);
  });

  it('counts and times messages whose definition is missing, and says so', async () => {
    const connections = [joints('/joint_states', { definition: '' })];
    const episode = await readBytes(bagBytes(simple(10, { connections })));
    const read = stream(episode, '/joint_states');
    expect([read.modality, read.sample_count]).toEqual(['opaque', 10]);
    expect(codes(episode)).toContain('definition_missing');
  });

  it('leaves out messages of a connection that nobody declares', async () => {
    const episode = await readBytes(bagBytes(simple(10)));
    const { bytes, chunks } = makeBag(simple(10));
    const stray = Uint8Array.from(bytes);
    const time = Buffer.from(stray).indexOf('time=', chunks[0] + 900);
    stray.set(u32(77), time - 8);
    const spoiled = await readBytes(stray);
    expect(episode.streams[0].sample_count).toBe(10);
    expect(messageOf(spoiled, 'connection_unknown')).toContain('connection 77, which is not declared');
    expect(codes(spoiled)).toContain('index_mismatch');
  });
});

describe('what is left of a bag', () => {
  const whole = simple(100);
  const made = makeBag(whole);

  it('puts chunks that are out of time order in the order of the record time', async () => {
    const late = simple(100).messages;
    const messages = [...late.slice(50, 60), ...late.slice(0, 50), ...late.slice(60)];
    const episode = await readBytes(bagBytes({ ...whole, messages }));
    expect(positions(episode)).toEqual(positions(await readBytes(made.bytes)));
    expect([episode.start_ns, episode.duration_s]).toEqual([`${start}000000000`, 0.99]);
    expect(codes(episode)).toContain('chunks_out_of_time_order');
  });

  it('reads a bag without index, and says that it was never closed', async () => {
    for (const compression of ['none', 'lz4', 'bz2'] as const) {
      const bytes = unindexed(makeBag(simple(100, { compression })));
      const episode = await readBytes(bytes, 'x.bag.active');
      expect([episode.id, episode.streams[0].sample_count]).toEqual(['x', 100]);
      expect(messageOf(episode, 'bag_unindexed')).toContain('never closed');
      expect(codes(episode)).not.toContain('file_truncated');
    }
  });

  it.each(['none', 'lz4', 'bz2'] as const)(
    'reads the chunk that the recorder never finished (%s) as far as it goes',
    async (compression) => {
      const bag = makeBag(simple(100, { compression, chunk: 20 }));
      const bytes = Uint8Array.from(unindexed(bag));
      const last = bag.chunks[4];
      const view = new DataView(bytes.buffer);
      const headLength = view.getUint32(last, true);
      const dataLength = view.getUint32(last + 4 + headLength, true);
      view.setUint32(last + 4 + headLength, 0, true);
      bytes.set(u32(0), Buffer.from(bytes).indexOf('size=', last) + 5);
      const data = last + 8 + headLength;
      const cut = compression === 'bz2' ? dataLength : Math.floor(dataLength * 0.9);
      const episode = await readBytes(bytes.subarray(0, data + cut), 'x.bag.active');
      const { sample_count } = episode.streams[0];
      expect(sample_count).toBeGreaterThan(80);
      expect(positions(episode)).toEqual(positions(await readBytes(made.bytes)).slice(0, sample_count * 2));
      expect(messageOf(episode, 'file_truncated')).toContain(
        `the chunk at byte ${last} was never completed; ${sample_count - 80} of its messages were read`,
      );
    },
  );

  it.each(['none', 'lz4', 'bz2'] as const)(
    'reads a truncated bag (%s) as far as it goes, wherever it was cut, and says what is missing',
    async (compression) => {
      const bag = makeBag(simple(100, { compression }));
      const expected = positions(await readBytes(made.bytes));
      for (let length = 4200; length < bag.index; length += 611) {
        const episode = await readBytes(bag.bytes.subarray(0, length));
        const samples = episode.streams[0]?.sample_count ?? 0;
        const chunk = bag.chunks.findLastIndex((place) => place < length);
        expect(samples).toBeGreaterThanOrEqual(chunk * 10);
        if (samples > 0) expect(positions(episode)).toEqual(expected.slice(0, samples * 2));
        const said = messageOf(episode, 'file_truncated');
        expect(said).toContain(`the file is truncated at byte ${length}`);
        expect(said).toContain(`its header declares 10 chunks and an index at byte ${bag.index}`);
      }
    },
  );

  it('reads every whole message before the cut of a plain chunk', async () => {
    const second = Buffer.from(made.bytes).indexOf('time=', made.chunks[0] + 1200);
    const episode = await readBytes(made.bytes.subarray(0, second));
    const samples = episode.streams[0].sample_count;
    expect(samples).toBeGreaterThan(1);
    expect(messageOf(episode, 'file_truncated')).toMatch(
      new RegExp(
        `the chunk at byte 4117 is truncated: the last \\d+ of \\d+ bytes are missing; ${samples} of its messages`,
      ),
    );
  });

  it('passes over what rosbag reindex left behind the index', async () => {
    const junk = Buffer.concat([made.bytes, made.bytes.subarray(5000, 5777)]);
    const episode = await readBytes(junk);
    expect(episode.streams[0].sample_count).toBe(100);
    expect(messageOf(episode, 'bytes_after_end')).toBe(
      `777 extra bytes after the end of the bag at byte ${made.bytes.length}`,
    );
  });

  it('reads a bag whose index is broken, and says so', async () => {
    const bytes = Uint8Array.from(made.bytes);
    bytes[made.index + 9] = 0xff;
    const episode = await readBytes(bytes);
    expect(episode.streams[0].sample_count).toBe(100);
    expect(messageOf(episode, 'index_unreadable')).toContain(`the index at byte ${made.index} is incomplete`);
  });

  it('leaves out a packed chunk that is spoiled, and reads the others by what the index declares', async () => {
    for (const compression of ['lz4', 'bz2'] as const) {
      const bag = makeBag(simple(100, { compression }));
      const bytes = Uint8Array.from(bag.bytes);
      bytes.fill(0xaa, bag.chunks[0] + 60, bag.chunks[0] + 90);
      const episode = await readBytes(bytes);
      expect(episode.streams[0].sample_count).toBe(90);
      expect(messageOf(episode, 'chunk_unreadable')).toContain('the chunk at byte 4117 was skipped');
      expect(messageOf(episode, 'index_mismatch')).toContain('100 messages in 10 chunks; found 90 in 10');
    }
  });

  it('goes on with the next chunk where a plain one is spoiled in the middle', async () => {
    const bytes = Uint8Array.from(made.bytes);
    const third = made.chunks[3];
    const record = Buffer.from(bytes).indexOf('time=', third + 700) - 30;
    bytes.fill(0xff, record, record + 40);
    const episode = await readBytes(bytes);
    expect(episode.streams[0].sample_count).toBeGreaterThan(90);
    expect(messageOf(episode, 'chunk_unreadable')).toContain(
      `the chunk at byte ${third} was skipped from byte`,
    );
  });

  it('finds the next chunk by the index where a length is nonsense', async () => {
    const bytes = Uint8Array.from(made.bytes);
    bytes.set(u32(0xfffffff0), made.chunks[4]);
    const episode = await readBytes(bytes);
    expect(episode.streams[0].sample_count).toBe(90);
    expect(messageOf(episode, 'file_corrupt')).toContain(`expected a record at byte ${made.chunks[4]}`);
    expect(messageOf(episode, 'index_mismatch')).toContain('found 90 in 9');
  });

  it('stops at the first impossible length where there is no index', async () => {
    const bytes = Uint8Array.from(unindexed(made));
    bytes.set(u32(0xfffffff0), made.chunks[4]);
    const episode = await readBytes(bytes);
    expect(episode.streams[0].sample_count).toBe(40);
    expect(messageOf(episode, 'file_corrupt')).toContain(
      'invalid record header length of 4294967280 bytes; the remaining',
    );
  });

  it('passes over records of kinds that the format does not have', async () => {
    const strange = bagRecord({ op: Uint8Array.of(0x2a), what: 'x' }, new Uint8Array(100));
    const at = made.chunks[1];
    const bag = unindexed(made);
    const bytes = Buffer.concat([bag.subarray(0, at), strange, bag.subarray(at)]);
    const episode = await readBytes(bytes);
    expect(episode.streams[0].sample_count).toBe(100);
    expect(messageOf(episode, 'records_unknown')).toContain('1 records of unknown types');
  });

  it('does not unpack a chunk that says it is larger than is held at once', async () => {
    const bag = makeBag(simple(100, { compression: 'lz4' }));
    const bytes = Uint8Array.from(bag.bytes);
    bytes.set(u32(0xfffffff0), Buffer.from(bytes).indexOf('size=', bag.chunks[2]) + 5);
    const episode = await readBytes(bytes);
    expect(episode.streams[0].sample_count).toBe(90);
    expect(messageOf(episode, 'chunk_unreadable')).toContain('decompressed size 4294967280 bytes');
  });

  it('names a compression that it does not know', async () => {
    const bytes = Buffer.from(makeBag(simple(20, { compression: 'lz4' })).bytes);
    bytes.write('xz9', bytes.indexOf('compression=lz4') + 'compression='.length);
    const episode = await readBytes(bytes);
    expect(messageOf(episode, 'chunk_unreadable')).toContain("unknown compression 'xz9'");
  });
});

describe('bags that are not read', () => {
  it('refuses other versions, naming the way to 2.0', async () => {
    for (const version of ['1.2', '3.0']) {
      const said = await refusalOf(bagBytes(simple(5, { version })));
      expect(said).toContain(`x.bag is a bag of version ${version}; only 2.0 is supported; convert it`);
    }
  });

  it('refuses an encrypted bag, naming the way to decrypt it', async () => {
    const said = await refusalOf(bagBytes(simple(5, { header: { encryptor: 'rosbag/AesCbcEncryptor' } })));
    expect(said).toBe('x.bag is encrypted (rosbag/AesCbcEncryptor); decrypt it first: rosbag decrypt');
  });

  it('refuses a bag that ends within its header', async () => {
    const bytes = bagBytes(simple(5));
    for (const length of [13, 16, 40]) {
      expect(await refusalOf(bytes.subarray(0, length))).toContain('with an invalid header');
    }
  });

  it('ends in a finding for a bag without messages', async () => {
    const empty = bagBytes({ connections: [], messages: [] });
    const episode = await readBytes(empty);
    expect([episode.streams, codes(episode)]).toEqual([[], ['crc_absent', 'no_messages']]);
  });

  it('says of an empty file and of text that they are no bags', async () => {
    const folder = folderWith({ 'good.bag': bagBytes(simple(5)), 'empty.bag': '', 'text.bag': 'hello\n' });
    const { findings } = await discover(folder);
    expect(findings.map(({ code, path }) => [code, path])).toEqual([
      ['file_empty', 'empty.bag'],
      ['file_misnamed', 'text.bag'],
    ]);
  });

  it('lets one bad bag among good ones cost one episode', async () => {
    const good = bagBytes(simple(5));
    const old = bagBytes(simple(5, { version: '1.2' }));
    const read = await readAll(folderWith({ 'a.bag': good, 'b.bag': old, 'c.bag': good }));
    expect(read.map((item) => 'unreadable' in item)).toEqual([false, true, false]);
  });

  it('makes a bag unreadable whose disk fails where its index lies', async () => {
    const tree = await openSourceTree(folderWith({ 'a.bag': bagBytes(simple(50)) }));
    const failing: SourceTree = {
      ...tree,
      openFile: async (path) => {
        const file = await tree.openFile(path);
        const read = () => Promise.reject(new Error('EIO: i/o error'));
        return { read, close: () => file.close(), [Symbol.asyncDispose]: () => file.close() };
      },
    };
    const recognition = { format: 'rosbag', evidence: [], files: ['a.bag'] };
    const dataset = await rosbagReader.open(failing, recognition);
    const items: unknown[] = [];
    for await (const item of dataset.read(dataset.units[0], {})) items.push(item);
    expect(items).toMatchObject([{ unreadable: true, finding: { code: 'file_unreadable', path: 'a.bag' } }]);
  });

  it('says of a bag that ends within its header that it does', async () => {
    const episode = await readBytes(bagBytes(simple(3)).subarray(0, 2000));
    expect(messageOf(episode, 'file_truncated')).toContain(
      'the file is truncated at byte 2000: its first record is incomplete',
    );
  });

  it('reads the header of a bag that holds nothing else', async () => {
    const magic = new TextEncoder().encode('#ROSBAG V2.0\n');
    const episode = await readBytes(Buffer.concat([magic, bagHeader(4117, 0, 600)]));
    expect(messageOf(episode, 'file_truncated')).toContain('declares 600 chunks and an index at byte 4117');
    expect(codes(episode)).toContain('no_messages');
  });
});
