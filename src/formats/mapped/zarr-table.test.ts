import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { readEverything } from '#test/support/read-dataset';
import { addArray, type Files } from '#test/support/zarr-files';
import { checkMapping, proposeMapping } from '../discovery/map-folder.ts';
import { parseMapping } from './mapping.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-zarr-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Iterable<readonly [string, string | Uint8Array]>): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

async function read(): Promise<readonly Episode[]> {
  const { sets } = await readEverything(folder);
  expect(sets.map(({ format, unreadable }) => [format, unreadable])).toEqual([['mapped', []]]);
  return sets[0].episodes;
}

const rows = 90;
const wave = (index: number, width: number, lag = 0): number =>
  Math.sin((Math.floor(index / width) + lag) / 9 + (index % width)) * 1.5;

/** An episode of two joints, their commands two rows earlier, stamps, and a camera whose chunks divide the pictures. */
function addEpisode(files: Files, at: string): void {
  addArray(files, `${at}/arm/qpos`, {
    ...{ shape: [rows, 2], chunks: [32, 2], dtype: '<f8', order: 'F', values: (i) => wave(i, 2) },
  });
  addArray(files, `${at}/leader`, {
    ...{ shape: [rows, 2], chunks: [64, 1], dtype: '<f4', values: (i) => wave(i, 2, 2) },
    ...{ compressor: { id: 'zstd' }, pack: zstdCompressSync, separator: '/' },
  });
  addArray(files, `${at}/stamp_ns`, {
    ...{
      shape: [rows],
      chunks: [50],
      dtype: '<i8',
      values: (i) => 1_700_000_000_000_000_000 + i * 20_000_256,
    },
  });
  addArray(files, `${at}/cam`, {
    ...{ shape: [rows, 16, 12, 3], chunks: [8, 9, 12, 3], dtype: '|u1', values: (i) => (i * 7) % 251 },
  });
}

const numbersOf = ({ streams }: Episode, id: string) => {
  const { values } = streams.find((stream) => stream.id === id)!.series!;
  return [values.length, values[0], values[3], values[values.length - 1]];
};

describe('a zarr in a layout of its own', () => {
  it('is proposed with state, action, clock and camera, one folder per episode', async () => {
    const files: Files = new Map();
    for (const name of ['run_1.zarr', 'run_2.zarr']) {
      files.set(`${name}/.zgroup`, Buffer.from('{"zarr_format":2}'));
      files.set(`${name}/.zattrs`, Buffer.from('{"instruction":"stack the cups"}'));
      addEpisode(files, name);
    }
    write(files);
    const { text, name } = await proposeMapping(folder);
    const mapping = parseMapping(text, name);
    expect(mapping).toMatchObject({
      episodes: { folders: expect.stringContaining('{episode}') },
      clocks: [{ column: 'stamp_ns', unit: 'ns', epoch: 'unix' }],
      videos: [{ id: 'cam', column: 'cam' }],
      task: { path: '@instruction' },
    });
    expect(mapping.streams.map(({ id, role, unit }) => [id, role, unit])).toEqual([
      ['arm/qpos', 'state', 'rad'],
      ['leader', 'action', undefined],
    ]);
    write([[name, text]]);
    const episodes = await read();
    expect(episodes).toHaveLength(2);
    const f32 = Math.fround;
    expect(numbersOf(episodes[0], 'arm/qpos')).toEqual([180, wave(0, 2), wave(3, 2), wave(179, 2)]);
    expect(numbersOf(episodes[0], 'leader')).toEqual(
      [180, wave(0, 2, 2), wave(3, 2, 2), wave(179, 2, 2)].map(f32),
    );
    expect(episodes[0].tasks?.[0].text).toBe('stack the cups');
    const camera = episodes[0].streams.find(({ id }) => id === 'cam')!;
    expect([camera.sample_count, camera.shape]).toEqual([rows, [16, 12, 3]]);
    // Of integers of 64 bits, which doubles would round to 256 ns.
    expect(camera.clocks[0].time_s[2]).toBeCloseTo(0.040000512, 9);
    expect((await checkMapping(folder, {})).ok).toBe(true);
  });

  it('has groups as episodes, whose pictures are found again', async () => {
    const files: Files = new Map([['all.zarr/.zgroup', Buffer.from('{"zarr_format":2}')]]);
    for (const name of ['demo_0', 'demo_1', 'demo_2']) addEpisode(files, `all.zarr/data/${name}`);
    write(files);
    const { text, name } = await proposeMapping(folder);
    expect(parseMapping(text, name).episodes).toEqual({
      folder: 'all.zarr',
      group: 'data/demo_{episode}',
    });
    write([[name, text]]);
    const episodes = await read();
    expect(episodes.map(({ id }) => id)).toEqual(['0', '1', '2']);
    const { locator } = episodes[1].streams.find(({ id }) => id === 'cam')!.frames!;
    expect(locator).toMatchObject({ type: 'embedded', path: 'all.zarr', channel: 'data/demo_1/cam' });
  });

  it('is read in version 3, and divided by a column', async () => {
    const meta = (shape: number[], data_type: string, codecs: unknown[]) =>
      JSON.stringify({
        ...{ zarr_format: 3, node_type: 'array', shape, data_type, fill_value: 'NaN', attributes: {} },
        chunk_grid: { name: 'regular', configuration: { chunk_shape: [4, ...shape.slice(1)] } },
        chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
        codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, ...codecs],
      });
    const floats = (...values: number[]) => new Uint8Array(Float64Array.from(values).buffer);
    const zstd = [{ name: 'zstd', configuration: { level: 0 } }];
    write([
      ['z/zarr.json', '{"zarr_format":3,"node_type":"group","attributes":{"fps":10}}'],
      ['z/q/zarr.json', meta([6, 2], 'float64', zstd)],
      ['z/q/c/0/0', zstdCompressSync(floats(1, 2, 3, 4, 5, 6, 7, 8))],
      ['z/ep/zarr.json', meta([6], 'uint8', [])],
      ['z/ep/c/0', Uint8Array.of(0, 0, 0, 1)],
      ['z/ep/c/1', Uint8Array.of(1, 1, 0, 0)],
      ['z/sharded/zarr.json', meta([6], 'uint8', [{ name: 'sharding_indexed' }])],
      [
        'assay.map.yaml',
        `assay_map: 1
episodes: { folder: z, column: ep }
rate_hz: { path: "@fps" }
streams: [{ id: q, role: state, columns: [q] }]
`,
      ],
    ]);
    const episodes = await read();
    const series = episodes.map(({ streams }) => [...streams[0].series!.values]);
    // The second chunk was never written, so its rows have the fill value.
    expect(series).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8, Number.NaN, Number.NaN, Number.NaN, Number.NaN],
    ]);
    expect(episodes[0].streams[0].clocks[0].time_s[2]).toBeCloseTo(0.2);
  });

  it('names damaged and unsupported arrays, and reads the others', async () => {
    const files: Files = new Map([['a.zarr/.zgroup', Buffer.from('{"zarr_format":2}')]]);
    addEpisode(files, 'a.zarr');
    files.set('a.zarr/leader/0/0', Buffer.from('damaged'));
    addArray(files, 'a.zarr/lz', { shape: [rows], compressor: { id: 'lzma' } });
    files.set(
      'a.zarr/bomb/.zarray',
      Buffer.from(
        JSON.stringify({
          zarr_format: 2,
          shape: [1e9, 8],
          chunks: [1, 8],
          dtype: '<f8',
          compressor: null,
          fill_value: 0,
          order: 'C',
          filters: null,
        }),
      ),
    );
    write(files);
    const stream = (id: string) => `{ id: ${id}, role: state, columns: [${id}] }`;
    write([
      [
        'assay.map.yaml',
        `assay_map: 1
episodes: { folder: a.zarr }
streams: [${['arm/qpos', 'leader', 'lz', 'bomb'].map(stream).join(', ')}]
`,
      ],
    ]);
    const [episode] = await read();
    expect(numbersOf(episode, 'arm/qpos')[0]).toBe(180);
    const faults = episode.findings
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message);
    expect(faults).toEqual(
      expect.arrayContaining([
        expect.stringContaining('leader'),
        expect.stringContaining('unsupported codec: lzma'),
        expect.stringContaining('bomb'),
      ]),
    );
  });
});
