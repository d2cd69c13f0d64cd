import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportDataset, verifyExport } from '#engine/local/export';
import { proposeMapping } from '#formats';
import { gelloEpisode } from '#test/support/gello-episodes';
import { temporaryFolder } from '#test/support/lerobot-set';
import { json, jsonChannel, mcapBytes } from '#test/support/mcap-files';
import { npyBytes } from '#test/support/npy-file';
import { npzBytes } from '#test/support/npz-file';
import { lerobotPython, onLeRobot } from '#test/support/peers';
import { readEverything } from '#test/support/read-dataset';
import { addArray, type Files } from '#test/support/zarr-files';
import { askScript } from './python-worker.ts';

const cases = resolve('../shared/cases');

/** Numbers of all streams of a role side by side, as float32 widened to float64, hashed over all rows. */
async function hashOf(source: string, role: 'state' | 'action'): Promise<string> {
  const digest = createHash('sha256');
  const { sets } = await readEverything(source);
  for (const { streams } of sets[0].episodes) {
    const series = streams.flatMap((stream) => (stream.role === role ? (stream.series ?? []) : []));
    for (let row = 0; row < series[0].values.length / series[0].dims; row++) {
      const numbers = series.flatMap(({ values, dims }) => [
        ...values.subarray(row * dims, (row + 1) * dims),
      ]);
      digest.update(new Uint8Array(Float64Array.from(Float32Array.from(numbers)).buffer));
    }
  }
  return digest.digest('hex');
}

async function exported(source: string, rate_hz: number | null) {
  const folder = join(await temporaryFolder(), 'export');
  const rate = rate_hz === null ? {} : { rate_hz };
  await exportDataset(source, folder, { with_review: true, ...rate });
  expect((await verifyExport(folder)).problems).toEqual([]);
  return askScript('lerobot', 'export_recorded.py', folder);
}

describe.skipIf(!lerobotPython || !existsSync(cases))(
  onLeRobot('LeRobot sets of mapped layouts (needs ../shared/cases)'),
  () => {
    it('of HDF5 in an unknown layout give the loader the numbers and pictures', async () => {
      const source = join(await temporaryFolder(), 'hdf5');
      cpSync(join(cases, 'hdf5-unknown-layout'), source, { recursive: true, mode: 0 });
      const { name, text } = await proposeMapping(source);
      writeFileSync(join(source, name), text);
      const seen = await exported(source, 30);
      expect(seen).toMatchObject({ rows: 200, ends: [100, 200], batch: { action: [4, 2, 7] } });
      expect(seen.numbers).toMatchObject({
        'observation.state': await hashOf(source, 'state'),
        action: await hashOf(source, 'action'),
      });
      expect(seen.pictures['observation.images.camera_top']).toHaveLength(200);
    }, 240_000);

    it('of Unitree xr_teleoperate give the loader the numbers and pictures', async () => {
      const source = join(cases, 'unitree-json');
      const seen = await exported(source, null);
      expect(seen).toMatchObject({ rows: 180, ends: [90, 180], batch: { action: [4, 2, 20] } });
      expect(seen.numbers).toMatchObject({
        'observation.state': await hashOf(source, 'state'),
        action: await hashOf(source, 'action'),
      });
      expect(seen.pictures['observation.images.color_0']).toHaveLength(180);
    }, 240_000);
  },
);

/** Writes files below a new folder and returns it. */
async function folderOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = join(await temporaryFolder(), 'source');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const rows = 40;
const wave = (width: number, lag: number): Float64Array =>
  Float64Array.from({ length: rows * width }, (_, i) =>
    Math.sin((Math.floor(i / width) + lag) / 9 + (i % width)),
  );

describe.skipIf(!lerobotPython)(onLeRobot('LeRobot sets of mapped layouts'), () => {
  it('of NPZ files give the loader the numbers and pictures', async () => {
    const pixels = Uint8Array.from(
      { length: rows * 48 * 64 * 3 },
      (_, i) => (i * 7 + Math.floor(i / 9216) * 5) % 251,
    );
    const arrays = (phase: number) => ({
      follower: npyBytes([rows, 3], wave(3, phase)),
      leader: npyBytes([rows, 3], wave(3, phase + 2)),
      top: npyBytes(
        [rows, 48, 64, 3],
        pixels.map((value) => (value + phase) % 251),
        { descr: '|u1' },
      ),
    });
    const source = await folderOf({
      'ep_0.npz': npzBytes(arrays(0)),
      'ep_1.npz': npzBytes(arrays(40), { deflate: true }),
      'assay.map.yaml': `assay_map: 1
episodes: { files: "ep_{episode}.npz" }
rate_hz: 20
streams:
  - { id: follower, role: state, columns: [follower] }
  - { id: leader, role: action, columns: [leader] }
videos: [{ id: top, column: top }]
`,
    });
    await expectLoaded(source, 'observation.images.top', rows, 3);
  }, 240_000);

  it('of zarr in a layout of its own give the loader the numbers and pictures', async () => {
    const files: Files = new Map();
    for (const [name, lag] of [
      ['run_0.zarr', 0],
      ['run_1.zarr', 40],
    ] as const) {
      const values = wave(3, lag);
      const commands = wave(3, lag + 2);
      const pixel = (i: number) => (i * 7 + Math.floor(i / 9216) * 5 + lag) % 251;
      files.set(`${name}/.zgroup`, Buffer.from('{"zarr_format":2}'));
      files.set(`${name}/.zattrs`, Buffer.from('{"fps":20}'));
      addArray(files, `${name}/follower`, {
        ...{ shape: [rows, 3], chunks: [16, 3], dtype: '<f8', values: (i) => values[i] },
      });
      addArray(files, `${name}/leader`, {
        ...{ shape: [rows, 3], chunks: [16, 2], dtype: '<f8', values: (i) => commands[i] },
      });
      addArray(files, `${name}/top`, {
        ...{ shape: [rows, 48, 64, 3], chunks: [8, 48, 64, 3], dtype: '|u1', values: pixel },
      });
    }
    const source = await folderOf(Object.fromEntries(files));
    const { name, text } = await proposeMapping(source);
    writeFileSync(join(source, name), text);
    await expectLoaded(source, 'observation.images.top', rows, 3);
  }, 240_000);

  it('of GELLO give the loader the numbers and pictures', async () => {
    const source = await folderOf({
      ...gelloEpisode('0501_120000', rows, [64, 48]),
      ...gelloEpisode('0501_120500', rows, [64, 48], 40),
    });
    await expectLoaded(source, 'observation.images.wrist_rgb', rows, 7);
  }, 240_000);

  it('of topics with a role by a mapping give the loader the numbers', async () => {
    const messages = Array.from({ length: rows }, (_, i) => [
      { channel: 0, log_ns: BigInt(i) * 50_000_000n, data: json({ path: [{ positions: [i / 9, -i / 9] }] }) },
      { channel: 1, log_ns: BigInt(i) * 50_000_000n, data: json({ unit: { values: [i / 7, i / 5] } }) },
    ]).flat();
    const channels = [jsonChannel('/display_planned_path'), jsonChannel('/unit/values')];
    const source = await folderOf({
      'a.mcap': await mcapBytes({ channels, messages }),
      'assay.map.yaml': `assay_map: 1
streams:
  - { id: plan, topic: /display_planned_path, role: action, columns: ["path[0].positions"] }
  - { id: values, topic: /unit/values, role: state, columns: [unit.values] }
`,
    });
    const seen = await exported(source, null);
    expect(seen).toMatchObject({ rows, batch: { action: [4, 2, 2] } });
  }, 240_000);
});

async function expectLoaded(source: string, camera: string, steps: number, width: number): Promise<void> {
  const seen = await exported(source, null);
  expect(seen).toMatchObject({ rows: 2 * steps, ends: [steps, 2 * steps], batch: { action: [4, 2, width] } });
  expect(seen.numbers).toMatchObject({
    'observation.state': await hashOf(source, 'state'),
    action: await hashOf(source, 'action'),
  });
  expect(seen.pictures[camera]).toHaveLength(2 * steps);
}
