import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Episode } from '#episode';
import { temporaryFolder } from '../../../../test/support/lerobot-set.ts';
import { type ReadSet, readEverything } from '../../../../test/support/read-dataset.ts';
import {
  type ArrayInput,
  addArray,
  type Files,
  replayFiles,
  writeFiles,
  type ZipInput,
  zipBytes,
} from '../../../../test/support/zarr-files.ts';
import { discover } from '../../discover.ts';

const T = 10;
const state: ArrayInput = { shape: [T, 3], chunks: [4, 3] };
const action: ArrayInput = { shape: [T, 2], chunks: [4, 2] };

async function read(files: Files, below = 'replay.zarr'): Promise<ReadSet> {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, below), files);
  const { sets } = await readEverything(folder);
  expect(sets).toHaveLength(1);
  return sets[0];
}

const buffer = (
  arrays: Readonly<Record<string, ArrayInput>> = { state, action },
  ends: readonly number[] = [4, T],
) => read(replayFiles(arrays, ends));
const stream = ({ streams }: Episode, id: string) => streams.find((candidate) => candidate.id === id)!;
const codes = (found: { readonly findings: readonly { readonly code: string }[] }) =>
  found.findings.map(({ code }) => code);
const finding = (found: { readonly findings: Episode['findings'] }, code: string) =>
  found.findings.find((candidate) => candidate.code === code);
const numbers = (episode: Episode, id: string) => [...stream(episode, id).series!.values];
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
/** numcodecs’ lz4 of literals alone: the plain length, then one sequence. */
const lz4 = (chunk: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(chunk.length);
  return Buffer.concat([length, Buffer.from([0xf0, chunk.length - 15]), chunk]);
};

describe('a replay buffer', () => {
  it('is cut into episodes where episode_ends says', async () => {
    const set = await buffer();
    expect(codes(set)).toEqual(['rate_unknown']);
    expect(
      set.episodes.map(({ id, index, locator, findings }) => [id, index, locator.span, findings]),
    ).toEqual([
      ['episode_000000', 0, { unit: 'row', from: 0, to: 4 }, []],
      ['episode_000001', 1, { unit: 'row', from: 4, to: 10 }, []],
    ]);
    expect(numbers(set.episodes[0], 'state')).toEqual(range(0, 12));
    expect(numbers(set.episodes[1], 'state')).toEqual(range(12, 30));
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
    const set = await buffer({ state: { ...state, ...layout } });
    expect(set.episodes.map((episode) => numbers(episode, 'state'))).toEqual([range(0, 12), range(12, 30)]);
    expect(codes(set)).toEqual(['rate_unknown']);
  });

  it('tells what a clock, a stage and a reward are', async () => {
    const set = await buffer({
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
    const { clocks, clock } = stream(second, 'state');
    expect([clocks[0].name, clocks[0].provenance, clock?.reason]).toEqual([
      'timestamp',
      'log',
      expect.any(String),
    ]);
    expect(clocks[0].time_s[1]).toBeCloseTo(0.11, 6);
    const grid = await buffer({ timestamp: { shape: [T], dtype: '<f8', values: (i) => i / 10 }, state });
    expect(stream(grid.episodes[0], 'state').clocks[0].provenance).toBe('synthesised');
    expect(grid.episodes[0].duration_s).toBeCloseTo(0.4, 9);
  });

  it('says of no gripper which end is open', async () => {
    const set = await buffer({ robot_gripper: { shape: [T, 1] } });
    expect(set.episodes[0].grippers).toMatchObject([
      { open_value: null, evidence: 'unknown', range_observed: [0, 3] },
    ]);
    expect(stream(set.episodes[0], 'robot_gripper').unit.evidence).toBe('unknown');
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
    expect(stream(sets[0].episodes[1], 'videos/0').frames?.locator).toEqual({
      ...{ type: 'video', path: 'videos/1/0.mp4', from_s: 0, to_s: null, expected_frames: null },
    });
    expect(sets[0].episodes[1].sources.at(-1)).toMatchObject({ path: 'videos/1/0.mp4', role: 'video' });
  });
});

describe('what a buffer gets wrong', () => {
  it('a chunk that is not there reads as the fill value, and is counted', async () => {
    const files = replayFiles({ state: { ...state, fill: 7 }, action }, [4, T]);
    files.delete('data/state/1.0');
    const set = await read(files);
    expect(finding(set, 'chunks_missing')).toMatchObject({
      evidence: { array: 'state', expected: 3, present: 2 },
    });
    expect(codes(set.episodes[0])).toEqual([]);
    expect(finding(set.episodes[1], 'chunks_missing')?.evidence).toEqual({
      array: 'state',
      missing: 1,
      of: 2,
    });
    expect(numbers(set.episodes[1], 'state')).toEqual([...new Array(12).fill(7), ...range(24, 30)]);
  });

  it('a chunk that does not decode costs its own rows', async () => {
    const zlib: ArrayInput = { ...state, compressor: { id: 'zlib' }, pack: (chunk) => deflateSync(chunk) };
    for (const spoiled of [
      Buffer.from('no zlib'),
      deflateSync(Buffer.alloc(1e6)),
      deflateSync(Buffer.alloc(3)),
      Buffer.alloc(0),
    ]) {
      const files = replayFiles({ state: zlib }, [4, T]);
      files.set('data/state/2.0', spoiled);
      const [first, second] = (await read(files)).episodes;
      expect(codes(first)).toEqual([]);
      expect(finding(second, 'chunk_damaged')?.evidence).toEqual({
        array: 'state',
        chunks: ['data/state/2.0'],
      });
      expect(numbers(second, 'state').slice(0, 12)).toEqual(range(12, 24));
      expect(numbers(second, 'state').slice(12).every(Number.isNaN)).toBe(true);
    }
  });

  it.each<[string, number[], string[], number[][]]>([
    [
      'do not grow',
      [4, 4, T],
      ['episode_ends_not_increasing'],
      [
        [0, 4],
        [4, 10],
      ],
    ],
    [
      'run backwards',
      [6, 4, T],
      ['episode_ends_not_increasing'],
      [
        [0, 6],
        [4, 10],
      ],
    ],
    [
      'end early',
      [4, 8],
      ['episode_ends_mismatch'],
      [
        [0, 4],
        [4, 8],
      ],
    ],
    [
      'end late',
      [4, 12],
      ['episode_ends_mismatch'],
      [
        [0, 4],
        [4, 10],
      ],
    ],
    [
      'begin past the end',
      [4, 10, 14],
      ['episode_ends_mismatch'],
      [
        [0, 4],
        [4, 10],
      ],
    ],
  ])('ends that %s', async (_, ends, wanted, spans) => {
    const set = await buffer(undefined, ends);
    expect(codes(set)).toEqual([...wanted, 'rate_unknown']);
    expect(set.episodes.map(({ locator }) => [locator.span?.from, locator.span?.to])).toEqual(spans);
    expect(set.episodes.length + set.unreadable.length).toBe(ends.length);
    for (const { finding } of set.unreadable) expect(finding.code).toBe('episode_without_rows');
    if (ends.at(-1) === 12) expect(codes(set.episodes[1])).toEqual(['length_mismatch']);
  });

  it('arrays of other lengths are named', async () => {
    const set = await buffer({ state, action, late: { shape: [7, 1] } });
    expect(finding(set, 'array_length_differs')?.evidence).toEqual({ array: 'late', found: 7, usual: 10 });
    expect(stream(set.episodes[1], 'late').sample_count).toBe(3);
  });

  it('consolidated metadata that is stale hides arrays', async () => {
    const files = replayFiles({ state, action }, [4, T]);
    const meta = (key: string) =>
      JSON.parse(Buffer.from(files.get(key)!).toString()) as Record<string, unknown>;
    const listed = (metadata: unknown) =>
      files.set('.zmetadata', Buffer.from(JSON.stringify({ zarr_consolidated_format: 1, metadata })));
    const all = Object.fromEntries(
      [...files.keys()].filter((key) => key.endsWith('/.zarray')).map((key) => [key, meta(key)]),
    );
    listed(all);
    expect(codes(await read(files))).toEqual(['rate_unknown']);
    const { 'data/action/.zarray': _, ...without } = all;
    listed({
      ...without,
      'data/gone/.zarray': {},
      'data/state/.zarray': { ...all['data/state/.zarray'], shape: [9, 3] },
    });
    const set = await read(files);
    expect(codes(set)).toEqual(['zmetadata_stale', 'zmetadata_stale', 'zmetadata_stale', 'rate_unknown']);
    expect(finding(set, 'zmetadata_stale')?.evidence).toEqual({ hidden: ['action'] });
    expect(set.episodes[0].streams.map(({ id }) => id)).toEqual(['action', 'state']);
  });

  it('groups that zarr demands are named where they are missing', async () => {
    const files = replayFiles({ state }, [4, T]);
    files.delete('data/.zgroup');
    expect(codes(await read(files))).toContain('zgroup_missing');
  });

  it.each<[string, unknown]>([
    ['objects', { dtype: '|O', filters: [{ id: 'pickle' }] }],
    ['records', { dtype: [['a', '<f4']] }],
    ['texts', { dtype: '<U8' }],
  ])('%s are kept unread: no pickle is ever loaded', async (_, change) => {
    const files = replayFiles({ state, odd: { shape: [T], dtype: '|u1' } }, [4, T]);
    const meta = JSON.parse(Buffer.from(files.get('data/odd/.zarray')!).toString()) as object;
    files.set('data/odd/.zarray', Buffer.from(JSON.stringify({ ...meta, ...(change as object) })));
    const set = await read(files);
    expect(stream(set.episodes[0], 'odd').modality).toBe('opaque');
    expect(numbers(set.episodes[0], 'state')).toEqual(range(0, 12));
  });

  it.each<[string, unknown]>([
    ['a shape of the wrong length', { shape: [T] }],
    ['chunks of no size', { chunks: [0, 3] }],
    ['chunks beyond all memory', { chunks: [2 ** 31, 3] }],
    ['dimensions beyond all numbers', { shape: [2 ** 40, 2 ** 40], chunks: [1, 1] }],
    ['rows in millions of chunks', { shape: [T, 1e7], chunks: [4, 1] }],
    ['text in place of metadata', 'x'],
  ])('an array with %s is left out', async (_, change) => {
    const files = replayFiles({ state, odd: { shape: [T, 3] } }, [4, T]);
    const meta = JSON.parse(Buffer.from(files.get('data/odd/.zarray')!).toString()) as object;
    files.set(
      'data/odd/.zarray',
      Buffer.from(typeof change === 'string' ? change : JSON.stringify({ ...meta, ...(change as object) })),
    );
    const set = await read(files);
    expect(finding(set, 'array_unreadable')?.message).toContain('odd');
    expect(set.episodes[0].streams.map(({ id }) => id)).toEqual(['state']);
  });

  it('an array that says it is endless costs only what episodes ask of it', async () => {
    const files = replayFiles({ state, odd: { shape: [T, 3] } }, [4, T]);
    const meta = JSON.parse(Buffer.from(files.get('data/odd/.zarray')!).toString()) as object;
    files.set('data/odd/.zarray', Buffer.from(JSON.stringify({ ...meta, shape: [2 ** 45, 3] })));
    const set = await read(files);
    expect(finding(set, 'chunks_missing')?.evidence).toMatchObject({ array: 'odd', present: 1 });
    expect(stream(set.episodes[0], 'odd').sample_count).toBe(4);
  });

  it('without ends no episode can be told', async () => {
    const files = replayFiles({ state }, [4, T]);
    files.set('meta/episode_ends/.zarray', Buffer.from('{}'));
    const folder = await writeFiles(await temporaryFolder(), files);
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unreadable_input',
      path: 'meta/episode_ends/.zarray',
    });
    const lost = replayFiles({ state }, [4, T]);
    lost.delete('meta/episode_ends/0');
    await expect(discover(await writeFiles(await temporaryFolder(), lost))).rejects.toThrow(
      /chunks are not there/,
    );
  });

  it('in version 3 is refused with what to do', async () => {
    const files: Files = new Map();
    const node = (type: string) => Buffer.from(JSON.stringify({ zarr_format: 3, node_type: type }));
    for (const key of ['', 'data/', 'meta/']) files.set(`${key}zarr.json`, node('group'));
    files.set('meta/episode_ends/zarr.json', node('array'));
    const folder = await writeFiles(await temporaryFolder(), files);
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unsupported_version',
      advice: expect.stringContaining('zarr_format=2'),
    });
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
    const set = await buffer({
      img,
      float_img: { ...img, dtype: '<f4' },
      unit_img: { ...img, dtype: '<f4', values: (i) => (Math.floor(i / frame) * 20) / 255 },
      cam_depth: { shape: [T, side, side], dtype: '<u2', values: (i) => i },
    });
    const [, second] = set.episodes;
    for (const id of ['img', 'float_img', 'unit_img']) {
      const { frames, role, sample_count } = stream(second, id);
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
    expect(stream(second, 'img').frames!.payloads!.crc32[0]).toBe(crc32(Buffer.alloc(frame, 80)));
    expect([
      stream(second, 'cam_depth').role,
      stream(second, 'cam_depth').frames!.kept![0].layout?.encoding,
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
    const set = await buffer({
      state,
      camera0_rgb: packed('imagecodecs_jpegxl', 1),
      camera1_rgb: packed('imagecodecs_jpeg2k', 4),
    });
    const [first] = set.episodes;
    expect(first.findings.map(({ code, evidence }) => [code, evidence])).toEqual([
      ['codec_unread', { array: 'camera0_rgb', codec: 'imagecodecs_jpegxl' }],
      ['codec_unread', { array: 'camera1_rgb', codec: 'imagecodecs_jpeg2k' }],
    ]);
    const { frames } = stream(first, 'camera0_rgb');
    expect([frames?.declared_codec, frames?.kept, [...frames!.payloads!.bytes]]).toEqual([
      'imagecodecs_jpegxl',
      [],
      [5, 5, 5, 5],
    ]);
    expect(numbers(first, 'state')).toEqual(range(0, 12));
  });

  it('packed by a codec of pictures are the picture files they are', async () => {
    const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
    const set = await buffer({
      img: { ...img, chunks: [1, side, side, 3], compressor: { id: 'imagecodecs_jpeg' }, pack: () => jpeg },
    });
    const { frames } = stream(set.episodes[0], 'img');
    expect([frames?.locator, frames?.kept?.[0].bytes]).toMatchObject([
      { encoding: 'jpeg' },
      Uint8Array.from(jpeg),
    ]);
    expect(codes(set.episodes[0])).toEqual([]);
  });
});

describe('zips', () => {
  const umi: Readonly<Record<string, ArrayInput>> = {
    robot0_eef_pos: { shape: [T, 3] },
    robot0_eef_rot_axis_angle: { shape: [T, 3] },
    robot0_gripper_width: { shape: [T, 1], values: (i) => i / 200 },
    robot0_demo_start_pose: { shape: [T, 6], dtype: '<f8' },
  };
  const members = (files = replayFiles(umi, [4, T])): ZipInput[] =>
    [...files].map(([name, bytes]) => ({ name, bytes }));
  const zipped = async (bytes: Uint8Array): Promise<ReadSet> => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'dataset.zarr.zip'), bytes);
    const { sets } = await readEverything(folder);
    return sets[0];
  };
  const whole = ({ episodes }: ReadSet) => episodes.map((episode) => numbers(episode, 'robot0_eef_pos'));
  const truth = [range(0, 12), range(12, 30)];

  it('of UMI: 59.94 Hz by its making, metres, no action, a width whose larger end is open', async () => {
    const set = await zipped(zipBytes(members()));
    expect(whole(set)).toEqual(truth);
    expect(codes(set)).toEqual(['rate_known_format', 'action_derived']);
    const [first] = set.episodes;
    expect(first.duration_s).toBeCloseTo(4 * (1001 / 60_000), 12);
    expect(stream(first, 'robot0_eef_pos')).toMatchObject({
      role: 'state',
      unit: { unit: 'm', evidence: 'known_format' },
    });
    expect(stream(first, 'robot0_eef_pos').clocks[0].provenance).toBe('synthesised');
    expect(stream(first, 'robot0_demo_start_pose').role).toBe('annotation');
    expect(first.grippers).toMatchObject([
      {
        stream: 'robot0_gripper_width',
        unit: 'm between the fingers, larger is open',
        open_value: null,
        evidence: 'known_format',
      },
    ]);
    expect(first.sources).toMatchObject([
      { path: 'dataset.zarr.zip', role: 'data', sha256: expect.any(String) },
    ]);
  });

  it('are read deflated, with one folder on top, and as zip64', async () => {
    expect(whole(await zipped(zipBytes(members().map((one) => ({ ...one, deflate: true })))))).toEqual(truth);
    expect(
      whole(await zipped(zipBytes(members().map((one) => ({ ...one, name: `top/${one.name}` }))))),
    ).toEqual(truth);
    expect(whole(await zipped(zipBytes(members(), true)))).toEqual(truth);
  });

  it('with a name twice: the last counts, and it is said', async () => {
    const old = { name: 'data/robot0_eef_pos/0.0', bytes: Buffer.alloc(120) };
    const set = await zipped(zipBytes([old, ...members()]));
    expect(whole(set)).toEqual(truth);
    expect(finding(set, 'zip_member_repeated')?.evidence).toEqual({ members: ['data/robot0_eef_pos/0.0'] });
  });

  it('with names that leave the folder: passed over, and it is said', async () => {
    const away = ['../../etc/cron.d/x', '/etc/passwd', 'a\\..\\b', 'C:/x'].map((name) => ({
      name,
      bytes: Buffer.from('x'),
    }));
    const set = await zipped(zipBytes([...away, ...members()]));
    expect(finding(set, 'zip_member_outside')?.message).toContain('4 members');
    expect(whole(set)).toEqual(truth);
  });

  const chunk = 'data/robot0_eef_pos/0.0';
  const change = (edit: Partial<ZipInput>) =>
    members().map((one) => (one.name === chunk ? { ...one, ...edit } : one));
  it.each<[string, Partial<ZipInput>]>([
    ['that inflates without end', { bytes: Buffer.alloc(5e7), deflate: true, plain_bytes: 120 }],
    ['that says it is huge', { deflate: true, plain_bytes: 0xfffffff0 }],
    ['that says it is larger than it is', { plain_bytes: 130, deflate: true }],
    ['that is encrypted', { encrypted: true }],
  ])('with a member %s: its chunk is damaged, the rest is read', async (_, edit) => {
    const set = await zipped(zipBytes(change(edit)));
    expect(finding(set.episodes[0], 'chunk_damaged')?.evidence).toEqual({
      array: 'robot0_eef_pos',
      chunks: [chunk],
    });
    expect(numbers(set.episodes[0], 'robot0_gripper_width')).toHaveLength(4);
  });

  it('with a member that does not fit its checksum', async () => {
    const bytes = zipBytes(members());
    const at = bytes.indexOf(chunk) + chunk.length + 20;
    bytes[at] ^= 1;
    const set = await zipped(bytes);
    expect(finding(set.episodes[0], 'chunk_damaged')?.message).toContain('checksum');
  });

  it('cut off, or of anything else, end in an error or are left alone', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'dataset.zarr.zip'), zipBytes(members()).subarray(0, -60));
    await expect(discover(folder)).rejects.toMatchObject({
      code: 'unreadable_input',
      path: 'dataset.zarr.zip',
    });
    const other = await temporaryFolder();
    await writeFile(join(other, 'photos.zip'), zipBytes([{ name: 'a.txt', bytes: Buffer.from('a') }]));
    await expect(discover(other)).rejects.toMatchObject({ code: 'not_recognised' });
  });

  it('holding version 3 are refused', async () => {
    const folder = await temporaryFolder();
    const node = Buffer.from('{"zarr_format":3}');
    await writeFile(
      join(folder, 'x.zarr.zip'),
      zipBytes([{ name: 'meta/episode_ends/zarr.json', bytes: node }]),
    );
    await expect(discover(folder)).rejects.toMatchObject({ code: 'unsupported_version' });
  });

  it('beside folders are data sets of their own', async () => {
    const folder = await temporaryFolder();
    const files: Files = replayFiles({ state }, [4, T]);
    addArray(files, 'data/action', action);
    await writeFiles(join(folder, 'a'), files);
    await writeFile(join(folder, 'b.zip'), zipBytes(members()));
    const { sets } = await readEverything(folder);
    expect(sets.map(({ path, evidence, episodes }) => [path, evidence, episodes.length])).toEqual([
      ['a', ['meta/episode_ends/.zarray says where episodes end'], 2],
      ['', ['b.zip holds meta/episode_ends/.zarray'], 2],
    ]);
  });
});
