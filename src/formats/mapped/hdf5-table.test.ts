import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hdf5File, type WrittenGroup } from '@assay/hdf5/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Episode } from '#core/episode';
import { jpegLike, moving, pixels } from '#test/support/hdf5-recordings';
import { readEverything } from '#test/support/read-dataset';
import { discover } from '../discovery/discover.ts';
import { proposeMapping } from '../discovery/map-folder.ts';
import { parseMapping } from './mapping.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mapped-hdf5-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

async function read(recording: WrittenGroup, settings: string): Promise<Episode> {
  write('run.h5', hdf5File(recording));
  write('assay.map.yaml', `assay_map: 1\nepisodes: { files: "{episode}.h5" }\n${settings}`);
  const { sets } = await readEverything(folder);
  const [episode] = sets[0].episodes;
  return episode;
}

const codes = ({ findings }: Episode) => findings.map(({ code }) => code);
const state = 'streams: [{ id: state, role: state, columns: [q] }]\n';

describe('an HDF5 file with a mapping', () => {
  it('has the numbers of its arrays, in chunks of the file or in one piece', async () => {
    const q = moving(5000, 3);
    const packed = await read({ arrays: { q: { ...q, gzip_rows: 777 } } }, state);
    expect(packed.streams[0].series?.values).toEqual(q.values);
    const plain = await read({ arrays: { q } }, state);
    expect(plain.streams[0].series?.values).toEqual(q.values);
  });

  it('joins arrays to one stream and takes scalars, attributes and texts of the whole file', async () => {
    const recording = {
      attributes: { ok: 1 },
      texts: { words: ['stack the blocks'] },
      arrays: { q: moving(6, 2), grip: { ...moving(6, 1), shape: [6] } },
      groups: { info: { attributes: { fps: 25 } } },
    };
    const settings = `streams: [{ id: state, role: state, columns: [q, grip] }]
rate_hz: { path: "info@fps" }
task: { path: words }
outcome: { path: "@ok", success: 1 }
`;
    const episode = await read(recording, settings);
    expect(episode.streams[0].series?.dims).toBe(3);
    expect(episode.streams[0]).toMatchObject({ declared_rate_hz: 25 });
    expect(episode.tasks).toEqual([{ text: 'stack the blocks', source: 'words' }]);
    expect(episode.outcome).toMatchObject({ value: 'success', evidence: 'declared' });
    expect(episode.duration_s).toBeCloseTo(5 / 25);
  });

  it('says which value is not there, and reads the rest', async () => {
    const episode = await read({ arrays: { q: moving(6, 2) } }, `${state}task: { path: "@task" }\n`);
    expect(episode.tasks).toEqual([]);
    expect(episode.findings).toMatchObject([{ code: 'value_missing', severity: 'warning' }]);
    expect(episode.findings[0].message).toContain('@task');
  });

  it('keeps stamps in nanoseconds exact, and divides rows by an episode column', async () => {
    const stamps = BigInt64Array.from(
      [0n, 7n, 1_000_000_011n, 5n],
      (step) => 1_700_000_000_123_456_789n + step,
    );
    write(
      'all.h5',
      hdf5File({
        arrays: {
          q: moving(4, 2),
          t: { values: stamps, shape: [4] },
          ep: { values: Int32Array.from([3, 3, 3, 8]), shape: [4] },
        },
      }),
    );
    write(
      'assay.map.yaml',
      `assay_map: 1\nepisodes: { file: all.h5, column: ep }\n${state}clocks: [{ column: t, unit: ns, epoch: unix }]\n`,
    );
    const { sets } = await readEverything(folder);
    expect(sets[0].episodes.map(({ id, start_ns }) => [id, start_ns])).toEqual([
      ['3', '1700000000123456789'],
      ['8', '1700000000123456794'],
    ]);
    expect([...sets[0].episodes[0].streams[0].clocks[0].time_s]).toEqual([0, 7e-9, 1.000000011]);
  });

  it('reports arrays of another length, and counts their absent rows as missing', async () => {
    const settings = 'streams: [{ id: state, role: state, columns: [a, b, c] }]\n';
    const arrays = { a: moving(6, 1), b: moving(6, 1), c: moving(4, 1) };
    const episode = await read({ arrays }, settings);
    expect(codes(episode)).toEqual(['array_length_mismatch']);
    const { values } = episode.streams[0].series!;
    expect([values[3 * 3 + 2], values[4 * 3 + 2], values[5 * 3 + 1]]).toEqual([
      expect.any(Number),
      Number.NaN,
      expect.any(Number),
    ]);
  });

  it('reads what is whole of a file whose arrays are damaged, and names them', async () => {
    const bytes = hdf5File({ arrays: { a: moving(60, 2), q: { ...moving(60, 2), gzip_rows: 60 } } });
    const damaged = Buffer.from(bytes);
    const packed = damaged.indexOf(Buffer.from([0x78, 0x9c]));
    damaged.fill(0xff, packed + 4, packed + 40);
    write('run.h5', damaged);
    write('assay.map.yaml', `assay_map: 1\nepisodes: { files: "{episode}.h5" }\n${state}`);
    const { sets } = await readEverything(folder);
    const [episode] = sets[0].episodes;
    expect(codes(episode)).toEqual(['array_unreadable']);
    expect(episode.findings[0].message).toContain('/q');
  });

  it('gives back every picture that it stores, raw or encoded', async () => {
    const rows = 5;
    const sequences = { wrist: Array.from({ length: rows }, (_, row) => jpegLike(row)) };
    write('run.h5', hdf5File({ arrays: { q: moving(rows, 2), top: pixels(rows) }, sequences }));
    write(
      'assay.map.yaml',
      `assay_map: 1\nepisodes: { files: "{episode}.h5" }\n${state}videos: [{ id: w, column: wrist }, { id: t, column: top }]\n`,
    );
    const { datasets } = await discover(folder);
    const [{ dataset }] = datasets;
    const found: unknown[] = [];
    for await (const item of dataset.read(dataset.units[0], {}))
      for (const stream of 'unreadable' in item ? [] : item.streams) {
        const locator = stream.frames?.locator;
        if (locator?.type !== 'embedded') continue;
        const request = { locator, episode_index: 0, start_ns: null };
        for await (const { index, bytes, layout } of dataset.pictures!({ ...request, rows, log_s: null }))
          found.push([stream.id, index, bytes.length, layout?.encoding]);
        expect(await dataset.picturesAt!({ ...request, row: 9, log_s: null })).toEqual([]);
      }
    await dataset.close();
    expect(found).toEqual([
      ...sequences.wrist.map(({ length }, row) => ['w', row, length, undefined]),
      ...Array.from({ length: rows }, (_, row) => ['t', row, 576, 'rgb8']),
    ]);
  });

  it('says so if a camera column holds no pictures or a group is not there', async () => {
    const episode = await read({ arrays: { q: moving(6, 2) } }, `${state}videos: [{ id: c, column: q }]\n`);
    expect(codes(episode)).toEqual(['pictures_missing']);
    write('assay.map.yaml', `assay_map: 1\nepisodes: { file: run.h5, group: "data/{episode}" }\n${state}`);
    await expect(discover(folder)).rejects.toMatchObject({
      message: expect.stringContaining('run.h5 with groups data/{episode}'),
    });
  });
});

describe('a mapping proposed for HDF5', () => {
  const lab = (rows: number, lead: number): WrittenGroup => {
    const values = Float32Array.from({ length: rows * 4 }, (_, at) =>
      Math.sin((Math.floor(at / 4) + lead) / 7 + (at % 4)),
    );
    return { arrays: { one: moving(rows, 4), two: { values, shape: [rows, 4] } } };
  };

  it('takes the array that moves first as the action if no name tells', async () => {
    write('a/run_1.h5', hdf5File(lab(200, 5)));
    write('a/run_2.h5', hdf5File(lab(150, 5)));
    const { text, name, checks } = await proposeMapping(folder);
    const mapping = parseMapping(text, name);
    expect(mapping.episodes).toEqual({ files: 'a/{episode}.h5' });
    expect(mapping.streams.map(({ id, role }) => [id, role])).toEqual([
      ['one', 'state'],
      ['two', 'action'],
    ]);
    expect(text).toContain('moves like one, 5 rows earlier');
    expect(checks).toBeGreaterThan(0);
  });

  it('knows flat arrays of transitions, and samples the longest recording', async () => {
    const flat = (rows: number): WrittenGroup => ({
      attributes: { llm_description: 'push the box' },
      arrays: {
        actions: moving(rows, 2),
        observations: moving(rows, 3),
        next_observations: moving(rows, 3),
        rewards: { ...moving(rows, 1), shape: [rows] },
        dones: { values: new Uint8Array(rows), shape: [rows] },
        intrinsics: moving(3, 3),
        timestamp: {
          values: Float64Array.from({ length: rows }, (_, row) => 1.7e9 + row * 0.0501),
          shape: [rows, 1],
        },
      },
    });
    write('a.h5', hdf5File(flat(0)));
    write('b.h5', hdf5File(flat(80)));
    const { text, name } = await proposeMapping(folder);
    const mapping = parseMapping(text, name);
    expect(mapping).toMatchObject({
      clocks: [{ column: 'timestamp', unit: 's', epoch: 'unix' }],
      task: { path: '@llm_description' },
    });
    expect(mapping.streams.map(({ id, role }) => [id, role])).toEqual([
      ['actions', 'action'],
      ['observations', 'state'],
      ['rewards', 'reward'],
      ['dones', 'annotation'],
    ]);
    expect(text).toContain('intrinsics (3 rows, unlike most)');
  });

  it('takes neither if both move at once', async () => {
    write('run.h5', hdf5File(lab(200, 0)));
    const { text, name } = await proposeMapping(folder);
    expect(parseMapping(text, name).streams.map(({ role }) => role)).toEqual(['other', 'other']);
  });

  it('finds groups that are episodes, cameras, texts, rate and radians, and is read as it stands', async () => {
    const demo = (rows: number): WrittenGroup => ({
      attributes: { language_instruction: 'open the drawer' },
      groups: {
        follower: { arrays: { joint_position: moving(rows, 7) } },
        leader: { arrays: { joint_position: moving(rows, 7) } },
        camera_0: { arrays: { rgb: pixels(rows) } },
      },
    });
    write(
      'all.hdf5',
      hdf5File({
        groups: {
          trials: {
            attributes: {},
            groups: { trial_0: demo(20), trial_1: demo(16), trial_10: demo(16), trial_2: demo(12) },
          },
        },
        attributes: { fps: 20 },
      }),
    );
    const { text, name } = await proposeMapping(folder);
    const mapping = parseMapping(text, name);
    expect(mapping).toMatchObject({
      episodes: { file: 'all.hdf5', group: 'trials/trial_{episode}' },
      rate_hz: { path: '/@fps' },
      task: { path: '@language_instruction' },
      videos: [{ column: 'camera_0/rgb', id: 'camera_0', colours: 'rgb' }],
    });
    expect(mapping.streams.map(({ id, role, unit }) => [id, role, unit])).toEqual([
      ['follower/joint_position', 'state', 'rad'],
      ['leader/joint_position', 'action', 'rad'],
    ]);
    write(name, text);
    const { sets } = await readEverything(folder);
    expect(
      sets[0].episodes.map(({ id, streams, findings }) => [id, streams[0].sample_count, findings]),
    ).toEqual([
      ['0', 20, []],
      ['1', 16, []],
      ['2', 12, []],
      ['10', 16, []],
    ]);
    expect(sets[0].episodes[0].tasks).toMatchObject([{ text: 'open the drawer' }]);
  });
});
