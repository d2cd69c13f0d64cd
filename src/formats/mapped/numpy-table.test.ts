import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { openSourceTree } from '#io/sources';
import { npyBytes } from '#test/support/npy-file';
import { npzBytes } from '#test/support/npz-file';
import { readEverything } from '#test/support/read-dataset';
import { zipBytes } from '#test/support/zarr-files';
import { discover } from '../discovery/discover.ts';
import { proposeMapping } from '../discovery/map-folder.ts';
import { parseMapping } from './mapping.ts';
import { listNpzArrays } from './numpy-table.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mapped-numpy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const wave = (rows: number, width: number, lag = 0) =>
  npyBytes(
    [rows, width],
    Float64Array.from({ length: rows * width }, (_, i) =>
      Math.sin((Math.floor(i / width) - lag) / 9 + (i % width)),
    ),
  );
const pixels = (rows: number) =>
  npyBytes(
    [rows, 12, 16, 3],
    Uint8Array.from({ length: rows * 12 * 16 * 3 }, (_, i) => (i * 7 + (i >> 9)) % 251),
    {
      descr: '|u1',
    },
  );
const text = (words: string) => npyBytes([], Buffer.from(words), { descr: `|S${words.length}`, shape: '()' });
const objects = npyBytes([1], new Uint8Array(8), { descr: '|O' });

async function read(settings: string): Promise<Episode[]> {
  write('assay.map.yaml', `assay_map: 1\n${settings}`);
  const { sets } = await readEverything(folder);
  return [...sets[0].episodes];
}

const state = 'streams: [{ id: state, role: state, columns: [qpos] }]\n';
const oneFile = `episodes: { files: "{episode}.npz" }\n${state}`;
const codes = ({ findings }: Episode) => findings.map(({ code }) => code);
const valuesOf = ({ streams }: Episode) => [...(streams[0].series?.values ?? [])];

describe('an NPZ file with a mapping', () => {
  it('lists all of its arrays, however many they are', async () => {
    const one = text('a');
    write(
      'many.npz',
      npzBytes(Object.fromEntries(Array.from({ length: 10_002 }, (_, i) => [`ep_${i}/q`, one]))),
    );
    const names = await listNpzArrays(await openSourceTree(folder), 'many.npz');
    expect(names).toHaveLength(10_002);
  });

  it('has the numbers of its arrays, stored or deflated', async () => {
    const rows = 40_000;
    const arrays = { qpos: wave(rows, 3), task: text('open the drawer') };
    write('a.npz', npzBytes(arrays));
    write('b.npz', npzBytes(arrays, { deflate: true }));
    const [stored, deflated] = await read(`${oneFile}task: { path: task }\nrate_hz: 50\n`);
    expect(codes(stored)).toEqual([]);
    expect(stored).toMatchObject({ tasks: [{ text: 'open the drawer' }], streams: [{ sample_count: rows }] });
    expect(valuesOf(stored).slice(-3)).toEqual([0, 1, 2].map((i) => Math.sin((rows - 1) / 9 + i)));
    expect(valuesOf(deflated)).toEqual(valuesOf(stored));
  });

  it('has the numbers of arrays in Fortran order and in other byte orders and widths', async () => {
    const swapped = Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer).swap32();
    for (const deflate of [false, true]) {
      write(
        'a.npz',
        npzBytes(
          { qpos: npyBytes([3, 2], Float64Array.of(1, 2, 3, 10, 20, 30), { fortran: true }) },
          { deflate },
        ),
      );
      write('b.npz', npzBytes({ qpos: npyBytes([3, 2], swapped, { descr: '>f4' }) }, { deflate }));
      const [turned, bigEndian] = await read(oneFile);
      expect(valuesOf(turned)).toEqual([1, 10, 2, 20, 3, 30]);
      expect(valuesOf(bigEndian)).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('has cameras of raw pixels, and every picture of them again on request', async () => {
    for (const deflate of [false, true]) {
      write('a.npz', npzBytes({ qpos: wave(9, 3), top: pixels(9) }, { deflate }));
      const settings = `${oneFile}rate_hz: 10\nvideos: [{ id: top, column: top }]\n`;
      const [{ streams, index, start_ns }] = await read(settings);
      const camera = streams[1];
      expect(camera).toMatchObject({ role: 'camera', shape: [12, 16, 3], sample_count: 9 });
      const [{ dataset }] = (await discover(folder)).datasets;
      const locator = camera.frames?.locator;
      if (locator?.type !== 'embedded' || dataset.picturesAt === undefined) throw new Error('no pictures');
      const [picture] = await dataset.picturesAt({
        locator,
        episode_index: index,
        start_ns,
        row: 8,
        log_s: null,
      });
      await dataset.close();
      expect(picture).toMatchObject({ index: 8, layout: { encoding: 'rgb8', width: 16, height: 12 } });
      expect(picture.bytes).toEqual(Uint8Array.from(pixels(9).subarray(-576)));
    }
  });

  it('refuses Python objects by the name of their array, and reads the rest', async () => {
    write('a.npz', npzBytes({ qpos: wave(5, 3), meta: objects }));
    const [fine] = await read(oneFile);
    expect(codes(fine)).toEqual([]);
    const [refused] = await read(`${oneFile}task: { column: meta }\n`);
    expect(refused.findings).toMatchObject([{ code: 'array_unreadable', severity: 'error' }]);
    expect(refused.findings[0].message).toMatch(/meta.*pickle/);
  });

  it('reports changed bytes, arrays that are cut off, and sizes that are a lie', async () => {
    const npz = npzBytes({ qpos: wave(500, 3) });
    npz[2000] ^= 1;
    write('a.npz', npz);
    write('b.npz', npzBytes({ qpos: wave(500, 3).subarray(0, 900) }));
    const bomb = npyBytes([2 ** 20, 12], new Uint8Array(0));
    write(
      'c.npz',
      zipBytes([
        { name: 'qpos.npy', bytes: bomb, deflate: true, plain_bytes: 2 ** 20 * 12 * 8 + bomb.length },
      ]),
    );
    const [changed, cut, lie] = await read(oneFile);
    expect(changed.findings.map(({ message }) => message).join()).toMatch(/checksum/);
    expect(cut.findings.map(({ message }) => message).join()).toMatch(/truncated/);
    expect(lie.findings.map(({ message }) => message).join()).toMatch(/declares \d+ bytes, but only \d+/);
  });

  it('names a file that was cut off', async () => {
    write('a.npz', npzBytes({ qpos: wave(50, 3) }));
    write('b.npz', npzBytes({ qpos: wave(50, 3) }).subarray(0, 700));
    write('assay.map.yaml', `assay_map: 1\n${oneFile}`);
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes).toHaveLength(1);
    expect(sets[0].unreadable).toMatchObject([{ id: 'b', finding: { code: 'table_unreadable' } }]);
    expect(sets[0].unreadable[0].finding.message).toContain('truncated');
  });

  it('holds one episode per group of names', async () => {
    const arrays = Object.fromEntries(
      [10, 2].flatMap((ep) => [
        [`episode_${ep}_qpos`, wave(4 + ep, 3)],
        [`episode_${ep}_action`, wave(4 + ep, 3, 2)],
      ]),
    );
    write('all.npz', npzBytes(arrays));
    const episodes = await read(`episodes: { file: all.npz, group: "episode_{episode}" }\n${state}`);
    expect(episodes.map(({ id, streams }) => [id, streams[0].sample_count])).toEqual([
      ['2', 6],
      ['10', 14],
    ]);
    rmSync(join(folder, 'assay.map.yaml'));
    expect((await proposeMapping(folder)).text).toContain('group: "episode_{episode}"');
  });
});

describe('a folder of NPY files with a mapping', () => {
  it('is one episode, whose receipt names every file', async () => {
    for (const run of ['run_1', 'run_2']) {
      write(`${run}/qpos.npy`, wave(30, 3));
      write(`${run}/top.npy`, pixels(30));
    }
    const [first, second] = await read(
      `episodes: { folders: "run_{episode}" }\n${state}rate_hz: 10\nvideos: [{ id: top, column: top }]\n`,
    );
    expect([first.id, second.id]).toEqual(['1', '2']);
    expect(first.sources.map(({ path }) => path)).toEqual([
      'run_1/qpos.npy',
      'run_1/top.npy',
      'assay.map.yaml',
    ]);
    expect(first.streams.map(({ id, sample_count }) => [id, sample_count])).toEqual([
      ['state', 30],
      ['top', 30],
    ]);
    expect(first.streams[1].frames?.locator).toMatchObject({ path: 'run_1/top.npy', channel: 'top' });
  });

  it('is proposed with cameras and the action that moves first', async () => {
    for (const run of ['run_1', 'run_2']) {
      write(`${run}/follower.npy`, wave(100, 3, 3));
      write(`${run}/leader.npy`, wave(100, 3));
      write(`${run}/images.npy`, pixels(100));
    }
    const { text: mapping, summary } = await proposeMapping(folder);
    expect(parseMapping(mapping, 'a').episodes).toEqual({ folders: '{episode}' });
    expect(summary.join('\n')).toMatch(/action: leader/);
    expect(summary.join('\n')).toMatch(/camera: images \(100 rows of raw pixels/);
    write('assay.map.yaml', mapping);
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes.map(({ streams }) => streams.length)).toEqual([3, 3]);
  });

  it('can be the folder of the mapping itself', async () => {
    write('qpos.npy', wave(60, 3));
    write('action.npy', wave(60, 3));
    const { text: mapping } = await proposeMapping(folder);
    expect(parseMapping(mapping, 'a').episodes).toEqual({ folder: '.' });
    write('assay.map.yaml', mapping);
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes[0].streams.map(({ role }) => role).sort()).toEqual(['action', 'state']);
  });
});
