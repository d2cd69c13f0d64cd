import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hdf5File } from '@assay/hdf5/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { moving, pixels } from '#test/support/hdf5-recordings';
import { unitreeEpisode } from '#test/support/unitree-episodes';
import { checkMapping } from './check-mapping.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-check-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const csv = (rows: number, stamp: (row: number) => number) =>
  `t,joint_1,joint_2,note\n${Array.from({ length: rows }, (_, row) => `${stamp(row)},${row / 9},1,x`).join('\n')}\n`;

const mapping = (settings: string) => `assay_map: 1\nepisodes: { files: "{episode}.csv" }\n${settings}`;
const streams = 'streams: [{ id: joints, role: state, columns: ["joint_*"], unit: rad }]\n';

describe('checking a mapping', () => {
  it('tells shapes, rows, rates and units of what it names, and what it does not use', async () => {
    write(
      'a.csv',
      csv(40, (row) => (row * 1.001) / 20),
    );
    write(
      'b.csv',
      csv(60, (row) => (row * 1.001) / 20),
    );
    write('assay.map.yaml', mapping(`clocks: [{ column: t, unit: s }]\n${streams}`));
    expect(await checkMapping(folder, {})).toMatchObject({
      ok: true,
      recordings: 2,
      episodes: 2,
      rows: 100,
      streams: [
        {
          id: 'joints',
          unit: 'rad',
          episodes: 2,
          shapes: [{ shape: [2], episodes: 2 }],
          rows: { min: 40, max: 60 },
        },
      ],
      clocks: [{ name: 't', episodes: 2, not_increasing: 0 }],
      unused: ['note'],
      findings: [],
    });
  });

  it('names absent columns with the nearest name', async () => {
    write('a.hdf5', hdf5File({ groups: { arm: { arrays: { joint_position: moving(10, 3) } } } }));
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { files: "{episode}.hdf5" }\nrate_hz: 10\nstreams: [{ id: q, role: state, columns: [arm/joint_positions] }]\n',
    );
    const { ok, streams, findings } = await checkMapping(folder, {});
    expect(ok).toBe(false);
    expect(streams).toMatchObject([{ id: 'q', episodes: 0, shapes: [] }]);
    expect(findings).toMatchObject([
      { code: 'column_missing', evidence: { column: 'arm/joint_positions', nearest: 'arm/joint_position' } },
    ]);
  });

  it('names paths without a value with the nearest path', async () => {
    write('a.hdf5', hdf5File({ attributes: { fps: 20 }, arrays: { q: moving(10, 3) } }));
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { files: "{episode}.hdf5" }\nrate_hz: { path: "@fbs" }\nstreams: [{ id: q, role: state, columns: [q] }]\n',
    );
    const { findings } = await checkMapping(folder, {});
    expect(findings).toMatchObject([{ code: 'value_missing', evidence: { value: '@fbs', nearest: '@fps' } }]);
  });

  it('finds clocks that do not increase, other rates and different shapes', async () => {
    write(
      'a.csv',
      csv(40, (row) => Math.floor(row / 2)),
    );
    write('b.csv', csv(40, (row) => row / 20).replace('joint_2', 'other'));
    write('assay.map.yaml', mapping(`rate_hz: 30\nclocks: [{ column: t, unit: s }]\n${streams}`));
    const { ok, clocks, findings } = await checkMapping(folder, {});
    expect(ok).toBe(false);
    expect(clocks).toMatchObject([{ not_increasing: 20, episodes_not_increasing: 1 }]);
    expect(findings.map(({ code }) => code)).toEqual([
      'clock_not_increasing',
      'rate_differs',
      'shapes_differ',
    ]);
  });

  it('counts stored pictures without reading them, and names files that cannot be read', async () => {
    write('a.hdf5', hdf5File({ arrays: { q: moving(10, 3), top: pixels(10) } }));
    write('b.hdf5', hdf5File({ arrays: { q: moving(10, 3), top: pixels(10) } }).subarray(0, 500));
    write(
      'assay.map.yaml',
      'assay_map: 1\nepisodes: { files: "{episode}.hdf5" }\nrate_hz: 10\nstreams: [{ id: q, role: state, columns: [q], names: [x, y] }]\nvideos: [{ id: top, column: top }]\n',
    );
    const { episodes, unreadable, cameras, findings } = await checkMapping(folder, {});
    expect({ episodes, unreadable }).toEqual({ episodes: 1, unreadable: 1 });
    expect(cameras).toMatchObject([{ id: 'top', shapes: [{ shape: [12, 16, 3] }], rows: { median: 10 } }]);
    expect(findings.map(({ code }) => code).sort()).toEqual(['names_mismatch', 'table_unreadable']);
  });

  it('uses the named mapping before the file of the folder, and that before a built-in one', async () => {
    for (const [path, content] of Object.entries(unitreeEpisode('episode_0000', 6, []))) write(path, content);
    expect((await checkMapping(folder, {})).mapping).toContain('Unitree');
    const text =
      'assay_map: 1\nepisodes: { files: "{episode}/data.json" }\nrows: data\nrate_hz: 30\nstreams: [{ id: arm, role: state, columns: [states.left_arm.qpos] }]\n';
    const { mapping, ok } = await checkMapping(folder, { mapping: { path: 'draft.yaml', text } });
    expect({ mapping, ok }).toEqual({ mapping: 'draft.yaml', ok: true });
  });

  it('is refused without a mapping', async () => {
    write(
      'a.csv',
      csv(4, (row) => row),
    );
    await expect(checkMapping(folder, {})).rejects.toMatchObject({ code: 'not_found' });
  });
});
