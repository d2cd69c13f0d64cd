import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openSourceTree, type SourceTree } from '#io/sources';
import { bagBytes, bagMetadata, levels, levelTime, storedBag } from '#test/support/db3-files';
import { folderWith, removeFolders } from '#test/support/mcap-files';
import { codes, lone, onlyEpisode, readFolder, said, upTo, values } from '#test/support/read-bags';
import { discover } from '../discovery/discover.ts';
import { rosbag2Reader } from './index.ts';

afterAll(removeFolders);

describe('a bag folder', () => {
  const parts = (count: number, files: (i: number) => string) =>
    Object.fromEntries(upTo(count).map((i) => [`bag/${files(i)}`, bagBytes(levels(10, i * 10))]));

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('is read with metadata of version %i', async (version) => {
    const metadata = bagMetadata({ version, files: ['bag_0.db3', 'bag_1.db3'], messages: 20 });
    const episode = await onlyEpisode({ ...parts(2, (i) => `bag_${i}.db3`), 'bag/metadata.yaml': metadata });
    expect([episode.id, episode.sources.length]).toEqual(['bag', 3]);
    expect(values(episode)).toEqual(upTo(20));
    expect(codes(episode)).not.toContain('metadata_count_mismatch');
  });

  it('is one episode with its parts in the order of their numbers, whatever the list says', async () => {
    const files = ['bag_0.db3', 'bag_1.db3', 'bag_10.db3', ...upTo(8).map((i) => `bag_${i + 2}.db3`)];
    const metadata = bagMetadata({ version: 5, files, messages: 110 });
    const episode = await onlyEpisode({ ...parts(11, (i) => `bag_${i}.db3`), 'bag/metadata.yaml': metadata });
    expect(episode.sources.map(({ path }) => path).slice(0, 3)).toEqual([
      'bag/bag_0.db3',
      'bag/bag_1.db3',
      'bag/bag_2.db3',
    ]);
    expect(codes(episode)).not.toContain('chunks_out_of_time_order');
    expect(values(episode)).toEqual(upTo(110));
  });

  it('whose list puts the folder in front of the files is read', async () => {
    const metadata = bagMetadata({ version: 2, files: ['old/bag_0.db3'], messages: 10 });
    const { items, findings } = await readFolder({
      ...parts(1, (i) => `bag_${i}.db3`),
      'bag/metadata.yaml': metadata,
    });
    expect(items).toHaveLength(1);
    expect(codes({ findings })).not.toContain('bag_file_unlisted');
  });

  it('that names no storage, or another, is read by its bytes', async () => {
    const withStorage = (storage: string) =>
      readFolder({
        ...parts(1, (i) => `bag_${i}.db3`),
        'bag/metadata.yaml': bagMetadata({ version: 5, files: ['bag_0.db3'], messages: 10, storage }),
      });
    const [empty, wrong] = [await withStorage('""'), await withStorage('mcap')];
    expect([empty.items.length, wrong.items.length]).toEqual([1, 1]);
    expect(empty.findings.find(({ code }) => code === 'storage_misnamed')?.severity).toBe('info');
    expect(said(wrong, 'storage_misnamed')).toContain('declares storage mcap, but the files are sqlite3');
  });

  it('without metadata.yaml is read file by file, and the parts are pointed out', async () => {
    const { items, findings } = await readFolder(parts(3, (i) => `bag_${i}.db3`));
    expect(items.map(({ id }) => id)).toEqual(['bag_0', 'bag_1', 'bag_2']);
    expect(said({ findings }, 'metadata_absent')).toContain('3 files are named bag_…');
  });

  it('with parts missing says which, and that the count is off', async () => {
    const metadata = bagMetadata({ version: 5, files: ['bag_0.db3', 'bag_1.db3'], messages: 20 });
    const episode = await onlyEpisode({ ...parts(1, (i) => `bag_${i}.db3`), 'bag/metadata.yaml': metadata });
    expect(said(episode, 'bag_file_missing')).toContain('bag_1.db3');
    expect(said(episode, 'metadata_count_mismatch')).toBe(
      'metadata.yaml declares 20 messages, but 10 were found',
    );
  });

  it.each([['bag_0.db3'], ['bag_0.db3.zstd']])(
    'compressed by file is read where the list says %s',
    async (listed) => {
      const stored = zstdCompressSync(bagBytes(levels(3000)));
      const metadata = bagMetadata({ version: 5, files: [listed], messages: 3000, compression: 'file' });
      const episode = await onlyEpisode({ 'bag/bag_0.db3.zstd': stored, 'bag/metadata.yaml': metadata });
      expect(values(episode)).toEqual(upTo(3000));
      expect(codes(episode)).not.toContain('metadata_count_mismatch');
      expect(episode.sources[0].bytes).toBe(stored.length);
    },
  );

  it('compressed by file a thousandfold is told by its first pages and read', async () => {
    const stored = zstdCompressSync(Buffer.concat([bagBytes(levels(50)), Buffer.alloc(100_000_000)]));
    expect(values(await onlyEpisode({ 'bag_0.db3.zstd': stored }))).toEqual(upTo(50));
  });

  it('compressed by file and cut short is unreadable, in words', async () => {
    const stored = zstdCompressSync(bagBytes(levels(30_000)));
    const { items } = await readFolder({ 'bag_0.db3.zstd': stored.subarray(0, stored.length - 5000) });
    expect(items).toMatchObject([{ unreadable: true, finding: { path: 'bag_0.db3.zstd' } }]);
  });

  it('keeps what the recorder was told to write down: task and robot', async () => {
    const custom = { task: 'stack the cups', robot: 'so101' };
    const metadata = bagMetadata({ version: 6, files: ['bag_0.db3'], messages: 10, custom });
    const episode = await onlyEpisode({ ...parts(1, (i) => `bag_${i}.db3`), 'bag/metadata.yaml': metadata });
    expect(episode.tasks).toEqual([{ text: 'stack the cups', source: 'metadata.yaml, custom_data, task' }]);
    expect(episode.robot).toBe('so101');
  });

  it('of a version to come, or packed otherwise than with zstd, says so', async () => {
    const metadata = bagMetadata({ version: 12, files: ['bag_0.db3'], messages: 10, compression: 'message' });
    const { findings } = await readFolder({
      ...parts(1, (i) => `bag_${i}.db3`),
      'bag/metadata.yaml': metadata.replace('"zstd"', '"lz4"'),
    });
    expect(codes({ findings })).toEqual(
      expect.arrayContaining(['metadata_version_unknown', 'compression_unsupported']),
    );
  });
});

describe('a bag whose recorder was killed', () => {
  const logging = 'PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0';

  it('is read with what is in its write-ahead log, the tables themselves too', async () => {
    const { main, wal } = storedBag(levels(40, 0, { before: logging }), 'open');
    expect(wal.length).toBeGreaterThan(main.length);
    const files = {
      'bag/bag_0.db3': main,
      'bag/bag_0.db3-wal': wal,
      'bag/bag_0.db3-shm': new Uint8Array(32_768),
    };
    const episode = await onlyEpisode(files);
    expect(values(episode)).toEqual(upTo(40));
    expect(codes(episode)).toContain('wal_applied');
    expect(episode.sources.map(({ path }) => path)).toEqual(
      ['bag_0.db3', 'bag_0.db3-wal'].map((name) => `bag/${name}`),
    );
    expect((await readFolder(files)).findings).toEqual([]);
  });

  it('says where the log would be that it lacks', async () => {
    const before = 'PRAGMA journal_mode = WAL';
    const episode = await lone(levels(10, 0, { before }));
    expect(said(episode, 'wal_absent')).toContain('level.db3-wal');
  });

  it('in the middle of a transaction is rolled back', async () => {
    const before = 'PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL; PRAGMA cache_size = 2';
    const after = 'BEGIN; INSERT INTO messages SELECT NULL, 1, timestamp, zeroblob(5000) FROM messages';
    const { main, journal } = storedBag(levels(40, 0, { before, after }), 'open');
    const episode = await onlyEpisode({ 'a.db3': main, 'a.db3-journal': journal });
    expect(values(episode)).toEqual(upTo(40));
    expect(codes(episode)).toContain('journal_applied');
  });
});

describe('what only looks like a bag', () => {
  const beside = { 'good.db3': bagBytes(levels(5)) };

  it.each([
    ['a text', 'this is no database', 'file_misnamed'],
    ['nothing', '', 'file_empty'],
  ])('holding %s costs one finding, and the rest is read', async (_, bytes, code) => {
    const { items, findings } = await readFolder({ ...beside, 'bad.db3': bytes });
    expect(items).toHaveLength(1);
    expect(findings.filter(({ path }) => path === 'bad.db3').map((finding) => finding.code)).toEqual([code]);
  });

  it.each([
    ['pages of an absurd size', (view: DataView) => view.setUint16(16, 3)],
    ['a tree that is none', (view: DataView) => view.setUint8(100, 77)],
  ])('with %s is unreadable, in words, and the rest is read', async (_, spoil) => {
    const bytes = bagBytes(levels(5));
    spoil(new DataView(bytes.buffer));
    const { items } = await readFolder({ ...beside, 'bad.db3': bytes });
    expect(items.map((item) => ('unreadable' in item ? item.finding.code : item.id)).sort()).toEqual([
      'file_unreadable',
      'good',
    ]);
  });

  it('cut short is read as far as it goes, and says so', async () => {
    const bytes = bagBytes(levels(5000));
    const episode = await onlyEpisode({ 'cut.db3': bytes.slice(0, bytes.length / 2) });
    expect(values(episode).length).toBeGreaterThan(100);
    expect(codes(episode)).toContain('file_truncated');
  });
});

describe('what is said of why files are taken', () => {
  const broken = 'SQLite format 3\0garbage';
  const evidence = async (files: Readonly<Record<string, Uint8Array | string>>) =>
    (await discover(folderWith(files), { readers: [rosbag2Reader] })).datasets.map(({ path, dataset }) => [
      path,
      dataset.recognition.evidence,
    ]);

  it('names tables where they were seen, and the name alone where they were not', async () => {
    const tables = 'is an SQLite database with the tables topics and messages';
    const named = 'starts like an SQLite database and has a bag file name';
    const found = await evidence({
      'good.db3': bagBytes(levels(5)),
      'bad.db3': broken,
      'in/a.db3': broken,
      'in/b.db3': bagBytes(levels(5)),
    });
    expect(found).toEqual([
      ['', [`good.db3 ${tables}`, expect.stringContaining(`bad.db3 ${named}`)]],
      ['in', [`b.db3 ${tables}`, expect.stringContaining(`a.db3 ${named}`)]],
    ]);
  });

  it('takes no broken file whose name promises no bag', async () => {
    await expect(evidence({ 'x.sqlite': broken })).rejects.toThrow('no supported recording');
  });
});

describe('a disk that fails', () => {
  it('makes the file unreadable and says which', async () => {
    const tree = await openSourceTree(folderWith({ 'level.db3': bagBytes(levels(5000)) }));
    const recognition = await rosbag2Reader.recognise(tree);
    if (recognition === null) throw new Error('not recognised');
    let reads = 0;
    const failing: SourceTree = {
      ...tree,
      openFile: async (path) => {
        const file = await tree.openFile(path);
        const read: typeof file.read = (...place) =>
          ++reads > 6 ? Promise.reject(new Error('EIO: i/o error')) : file.read(...place);
        return { read, close: () => file.close(), [Symbol.asyncDispose]: () => file.close() };
      },
    };
    const dataset = await rosbag2Reader.open(failing, recognition);
    for await (const item of dataset.read(dataset.units[0], {})) {
      const findings = 'unreadable' in item ? [item.finding] : item.findings;
      expect(findings).toContainEqual(
        expect.objectContaining({ code: 'file_unreadable', path: 'level.db3' }),
      );
    }
  });
});

describe('pictures in a bag', () => {
  it('stay where they are and are found again', async () => {
    const picture = (i: number): Uint8Array => {
      const jpeg = Uint8Array.from({ length: 9000 + i }, (_, j) =>
        j < 3 ? [0xff, 0xd8, 0xff][j] : i * 7 + j,
      );
      const head = [
        0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 106, 112, 101, 103, 0, 0, 0,
        0,
      ];
      const length = new Uint8Array(Uint32Array.of(jpeg.length).buffer);
      return Uint8Array.from([...head, ...length, ...jpeg]);
    };
    const topics = [{ name: '/camera/compressed', type: 'sensor_msgs/msg/CompressedImage' }];
    const messages = upTo(30).map((i) => [0, levelTime(i), picture(i)] as const);
    const root = folderWith({ 'level.db3': bagBytes({ topics, messages }) });
    const [{ dataset }] = (await discover(join(root, 'level.db3'), { readers: [rosbag2Reader] })).datasets;
    for await (const episode of dataset.read(dataset.units[0], {})) {
      if ('unreadable' in episode) throw new Error(episode.finding.message);
      const [{ frames, clocks }] = episode.streams;
      const locator = frames?.locator;
      expect(locator).toMatchObject({ type: 'embedded', path: 'level.db3', encoding: 'jpeg' });
      if (locator?.type !== 'embedded') return;
      const { index: episode_index, start_ns } = episode;
      const log_s = clocks.at(-1)?.time_s[17] ?? null;
      const found = await dataset.picturesAt?.({ locator, episode_index, start_ns, row: 17, log_s });
      expect(found?.map(({ bytes }) => crc32(bytes))).toEqual([frames?.payloads?.crc32[17]]);
    }
  });
});
