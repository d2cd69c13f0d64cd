import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/lerobot-set';
import { readEverything } from '#test/support/read-dataset';
import { codesOf, numbersOf, range, readBuffer, state, streamOf, T } from '#test/support/replay-buffers';
import { type ArrayInput, replayFiles, writeFiles } from '#test/support/zarr-files';
import { discover } from '../discovery/discover.ts';

/** numcodecs’ lz4 of literals alone: the plain length, then one sequence. */
const lz4 = (chunk: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(chunk.length);
  return Buffer.concat([length, Buffer.from([0xf0, chunk.length - 15]), chunk]);
};

describe('a replay buffer', () => {
  it('is cut into episodes where episode_ends says', async () => {
    const set = await readBuffer();
    expect(codesOf(set)).toEqual(['rate_unknown']);
    expect(
      set.episodes.map(({ id, index, locator, findings }) => [id, index, locator.span, findings]),
    ).toEqual([
      ['episode_000000', 0, { unit: 'row', from: 0, to: 4 }, []],
      ['episode_000001', 1, { unit: 'row', from: 4, to: 10 }, []],
    ]);
    expect(numbersOf(set.episodes[0], 'state')).toEqual(range(0, 12));
    expect(numbersOf(set.episodes[1], 'state')).toEqual(range(12, 30));
    expect(
      set.episodes[1].streams.map(({ id, role, sample_count, clock }) => [id, role, sample_count, clock]),
    ).toEqual([
      ['action', 'action', 6, null],
      ['state', 'state', 6, null],
    ]);
    expect(set.episodes[0].sources.map(({ path }) => path)).toEqual([
      'data/action/0.0',
      'data/state/0.0',
      'meta/episode_ends/.zarray',
      'data/action/.zarray',
      'data/state/.zarray',
    ]);
    expect(set.episodes[0].sources.every(({ sha256 }) => sha256 !== null)).toBe(true);
  });

  it.each<[string, Partial<ArrayInput>]>([
    ['cut across the row', { chunks: [3, 2] }],
    ['larger than the array', { chunks: [64, 5] }],
    ['of one row', { chunks: [1, 3] }],
    ['with the first index fastest', { chunks: [4, 3], order: 'F' }],
    ['with the first index fastest and cut', { chunks: [3, 2], order: 'F' }],
    ['in folders of their own', { chunks: [3, 2], separator: '/' }],
    ['of doubles', { dtype: '<f8' }],
    ['of integers of 64 bits', { dtype: '<i8' }],
    ['of bytes', { dtype: '|u1' }],
    ['of big-endian floats', { dtype: '>f4' }],
    ['packed by zlib', { compressor: { id: 'zlib', level: 1 }, pack: (chunk) => deflateSync(chunk) }],
    ['packed by gzip', { compressor: { id: 'gzip', level: 1 }, pack: (chunk) => gzipSync(chunk) }],
    ['packed by zstd', { compressor: { id: 'zstd', level: 1 }, pack: (chunk) => zstdCompressSync(chunk) }],
    ['packed by lz4', { compressor: { id: 'lz4', acceleration: 1 }, pack: lz4 }],
    [
      'of differences',
      {
        filters: [{ id: 'delta', dtype: '<f4' }],
        pack: (chunk) => {
          const plain = new Float32Array(Uint8Array.from(chunk).buffer);
          return new Uint8Array(plain.map((value, i) => (i === 0 ? value : value - plain[i - 1])).buffer);
        },
      },
    ],
  ])('is read from chunks %s', async (_, layout) => {
    const set = await readBuffer({ state: { ...state, ...layout } });
    expect(set.episodes.map((episode) => numbersOf(episode, 'state'))).toEqual([range(0, 12), range(12, 30)]);
    expect(codesOf(set)).toEqual(['rate_unknown']);
  });

  it('tells what a clock, a stage and a reward are', async () => {
    const set = await readBuffer({
      timestamp: { shape: [T], dtype: '<f8', values: (i) => 1.7e9 + i / 10 + (i % 3) / 100 },
      stage: { shape: [T] },
      state,
    });
    const [, second] = set.episodes;
    expect(second.streams.map(({ id, role }) => [id, role])).toEqual([
      ['stage', 'annotation'],
      ['state', 'state'],
    ]);
    expect(second.start_ns).toBe('1700000000410000000');
    const { clocks, clock } = streamOf(second, 'state');
    expect([clocks[0].name, clocks[0].provenance, clock?.reason]).toEqual([
      'timestamp',
      'log',
      expect.any(String),
    ]);
    expect(clocks[0].time_s[1]).toBeCloseTo(0.11, 6);
    const grid = await readBuffer({ timestamp: { shape: [T], dtype: '<f8', values: (i) => i / 10 }, state });
    expect(streamOf(grid.episodes[0], 'state').clocks[0].provenance).toBe('synthesised');
    expect(grid.episodes[0].duration_s).toBeCloseTo(0.4, 9);
  });

  it('says of no gripper which end is open', async () => {
    const set = await readBuffer({ robot_gripper: { shape: [T, 1] } });
    expect(set.episodes[0].grippers).toMatchObject([
      { open_value: null, evidence: 'unknown', range_observed: [0, 3] },
    ]);
    expect(streamOf(set.episodes[0], 'robot_gripper').unit.evidence).toBe('unknown');
  });

  it('takes the videos beside a real robot’s buffer for those of its episodes', async () => {
    const folder = await temporaryFolder();
    await writeFiles(join(folder, 'replay_buffer.zarr'), replayFiles({ state }, [4, T]));
    for (const episode of [0, 1]) {
      await mkdir(join(folder, `videos/${episode}`), { recursive: true });
      await writeFile(join(folder, `videos/${episode}/0.mp4`), 'no video at all');
    }
    const { sets } = await readEverything(folder);
    expect(sets.map(({ format, path }) => [format, path])).toEqual([['zarr', '']]);
    expect(streamOf(sets[0].episodes[1], 'videos/0').frames?.locator).toEqual({
      ...{ type: 'video', path: 'videos/1/0.mp4', from_s: 0, to_s: null, expected_frames: null },
    });
    expect(sets[0].episodes[1].sources.at(-1)).toMatchObject({ path: 'videos/1/0.mp4', role: 'video' });
  });
});

describe('pictures', () => {
  const side = 8;
  const frame = side * side * 3;
  const img: ArrayInput = {
    shape: [T, side, side, 3],
    chunks: [4, side, side, 3],
    dtype: '|u1',
    values: (i) => Math.floor(i / frame) * 20,
  };

  it('of bytes are raw pixels, of floats too, of distances depth', async () => {
    const set = await readBuffer({
      img,
      float_img: { ...img, dtype: '<f4' },
      unit_img: { ...img, dtype: '<f4', values: (i) => (Math.floor(i / frame) * 20) / 255 },
      cam_depth: { shape: [T, side, side], dtype: '<u2', values: (i) => i },
    });
    const [, second] = set.episodes;
    for (const id of ['img', 'float_img', 'unit_img']) {
      const { frames, role, sample_count } = streamOf(second, id);
      expect([role, sample_count, frames?.locator.type, frames?.declared_size_px]).toEqual([
        'camera',
        6,
        'embedded',
        [side, side],
      ]);
      expect(frames!.kept![2]).toMatchObject({
        index: 2,
        layout: { encoding: 'rgb8', width: side, height: side, step: side * 3 },
      });
      expect([...frames!.kept![2].bytes]).toEqual(new Array(frame).fill(120));
    }
    expect(streamOf(second, 'img').frames!.payloads!.crc32[0]).toBe(crc32(Buffer.alloc(frame, 80)));
    expect([
      streamOf(second, 'cam_depth').role,
      streamOf(second, 'cam_depth').frames!.kept![0].layout?.encoding,
    ]).toEqual(['depth', '16UC1']);
  });

  it('are found again by their row', async () => {
    const folder = await writeFiles(await temporaryFolder(), replayFiles({ img }, [4, T]));
    const [{ dataset }] = (await discover(folder)).datasets;
    const wanted = (row: number) => ({
      locator: { type: 'embedded', path: 'data/img/.zarray', channel: 'img', encoding: 'raw' } as const,
      ...{ episode_index: 1, start_ns: null, row, log_s: null },
    });
    const [picture] = await dataset.picturesAt!(wanted(3));
    expect([picture.bytes[0], picture.layout?.encoding]).toEqual([140, 'rgb8']);
    expect(await dataset.picturesAt!(wanted(6))).toEqual([]);
  });

  it('packed by a codec nobody here reads are counted and not assessed, the numbers beside them are', async () => {
    const jxl = Buffer.from([0xff, 0x0a, 1, 2, 3]);
    const packed = (id: string, rows: number): ArrayInput => ({
      ...img,
      chunks: [rows, side, side, 3],
      compressor: { id },
      pack: () => jxl,
    });
    const set = await readBuffer({
      state,
      camera0_rgb: packed('imagecodecs_jpegxl', 1),
      camera1_rgb: packed('imagecodecs_jpeg2k', 4),
    });
    const [first] = set.episodes;
    expect(first.findings.map(({ code, evidence }) => [code, evidence])).toEqual([
      ['codec_unread', { array: 'camera0_rgb', codec: 'imagecodecs_jpegxl' }],
      ['codec_unread', { array: 'camera1_rgb', codec: 'imagecodecs_jpeg2k' }],
    ]);
    const { frames } = streamOf(first, 'camera0_rgb');
    expect([frames?.declared_codec, frames?.kept, [...frames!.payloads!.bytes]]).toEqual([
      'imagecodecs_jpegxl',
      [],
      [5, 5, 5, 5],
    ]);
    expect(numbersOf(first, 'state')).toEqual(range(0, 12));
  });

  it('packed by a codec of pictures are the picture files they are', async () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
    const set = await readBuffer({
      img: { ...img, chunks: [1, side, side, 3], compressor: { id: 'imagecodecs_jpeg' }, pack: () => jpeg },
    });
    const { frames } = streamOf(set.episodes[0], 'img');
    expect([frames?.locator, frames?.kept?.[0].bytes]).toMatchObject([
      { encoding: 'jpeg' },
      Uint8Array.from(jpeg),
    ]);
    expect(codesOf(set.episodes[0])).toEqual([]);
  });
});
