import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Episode, timesOf } from '#core/episode';
import { deriveKind } from '#quality/readiness';
import { keyframes, nuScenesTables, type Tables, token } from '#test/support/nuscenes-tables';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-nuscenes-'));
afterAll(() => rmSync(top, { recursive: true }));

let jpeg = Buffer.alloc(0);
beforeAll(async () => {
  jpeg = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#487' } })
    .jpeg()
    .toBuffer();
});

const version = (scenes: readonly string[]) => nuScenesTables(scenes, jpeg);

let made = 0;
function write(
  { tables, files }: ReturnType<typeof version>,
  name = 'v1.0-mini',
  texts: Readonly<Record<string, string>> = {},
): string {
  const root = join(top, `set${made++}`);
  const all: Record<string, string | Uint8Array> = { ...files };
  for (const [table, rows] of Object.entries(tables))
    all[`${name}/${table}.json`] = JSON.stringify(rows, null, 0);
  for (const [path, body] of Object.entries({ ...all, ...texts })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), body);
  }
  return root;
}

const streamOf = (episode: Episode, id: string) => episode.streams.find((stream) => stream.id === id)!;

async function read(...args: Parameters<typeof write>) {
  const [set] = (await readEverything(write(...args))).sets;
  return set;
}

describe('a scene of nuScenes', () => {
  it('has every sensor at its own times, since the first of them', async () => {
    const set = await read(version(['scene-0061', 'scene-0103']));
    expect(set).toMatchObject({ format: 'nuscenes', findings: [], declared_episodes: 2 });
    const [first, second] = set.episodes;
    expect(first).toMatchObject({
      id: 'v1.0-mini/scene-0061',
      start_ns: '1532402927612460000',
      robot: 'n015',
      tasks: null,
      findings: [],
    });
    expect(second.start_ns).toBe('1532402987612460000');
    const counts = Object.fromEntries(first.streams.map((stream) => [stream.id, stream.sample_count]));
    expect(counts).toEqual({
      CAM_FRONT: 24,
      LIDAR_TOP: 40,
      'LIDAR_TOP/count': 40,
      RADAR_FRONT: 26,
      ego_pose: 40,
      keyframes: 5,
    });
    expect(timesOf(streamOf(first, 'CAM_FRONT'))![23]).toBeCloseTo(23 / 12, 5);
    expect(timesOf(streamOf(first, 'LIDAR_TOP'))![39]).toBeCloseTo(39 / 20, 5);
    expect(deriveKind(first).kind).toBe('drive-log');
  });

  it('has the pose of the car and calibrations with quaternions as w, x, y, z', async () => {
    const [episode] = (await read(version(['scene-0061']))).episodes;
    const pose = streamOf(episode, 'ego_pose');
    expect(pose.names).toEqual(['x', 'y', 'z', 'qw', 'qx', 'qy', 'qz']);
    expect([...pose.series!.values.subarray(7, 14)]).toEqual([401, 1100, 0, 0.6, 0, 0, 0.8]);
    expect(episode.calibrations[0]).toEqual({
      target: 'CAM_FRONT',
      model: 'pinhole',
      source: 'v1.0-mini/calibrated_sensor.json',
      values: {
        translation_m: [1.7, 0, 1.5],
        rotation_wxyz: [0.5, -0.5, 0.5, -0.5],
        camera_intrinsic: [1266, 0, 816, 0, 1266, 491, 0, 0, 1],
      },
    });
  });

  it('has pictures in their files, points by file size, boxes a keyframe and its description', async () => {
    const [episode] = (await read(version(['scene-0061']))).episodes;
    const camera = streamOf(episode, 'CAM_FRONT').frames!;
    expect(camera.declared_size_px).toEqual([64, 36]);
    expect(camera.locator.type === 'image-files' && camera.locator.paths).toHaveLength(24);
    expect(streamOf(episode, 'LIDAR_TOP/count').series?.values[0]).toBe(2);
    expect([...streamOf(episode, 'keyframes').series!.values]).toEqual([0, 1, 2, 3, 4]);
    expect(timesOf(streamOf(episode, 'keyframes'))![4]).toBeCloseTo(2, 9);
    expect(episode.events).toMatchObject([{ time_s: 0, label: 'Parked truck, "construction" {site}' }]);
    expect(episode.sources.filter(({ role }) => role === 'image')).toHaveLength(24);
    expect(episode.sources.every(({ sha256 }) => sha256 !== null)).toBe(true);
  });

  it('with files lost keeps those that are there at their own times', async () => {
    const { tables, files } = version(['scene-0061']);
    const lost = Object.keys(files)
      .filter((path) => path.includes('CAM_FRONT'))
      .slice(1, 4);
    for (const path of [...lost, ...Object.keys(files).filter((name) => name.includes('RADAR'))])
      delete files[path];
    const set = await read({ tables, files });
    expect(set.findings).toMatchObject([
      {
        code: 'files_missing',
        evidence: {
          named: 90,
          absent: 29,
          folders: { 'sweeps/RADAR_FRONT': 26, 'sweeps/CAM_FRONT': 3 },
        },
      },
    ]);
    const times = timesOf(streamOf(set.episodes[0], 'CAM_FRONT'))!;
    expect(times).toHaveLength(21);
    expect(times[1]).toBeCloseTo(4 / 12, 5);
    expect(streamOf(set.episodes[0], 'RADAR_FRONT')).toMatchObject({ sample_count: 0, clock: null });
  });

  it('without any picture says that the camera is missing', async () => {
    const { tables } = version(['scene-0061']);
    const [episode] = (await read({ tables, files: {} })).episodes;
    expect(streamOf(episode, 'CAM_FRONT').frames?.locator.type).toBe('missing');
  });

  it.each<[string, (tables: Tables) => void, string]>([
    ['fewer keyframes than declared', ({ sample }) => sample.pop(), 'metadata_count_mismatch'],
    ['poses that are not there', ({ ego_pose }) => ego_pose.splice(0, 80), 'poses_missing'],
    [
      'rotations of another length',
      ({ ego_pose }) => {
        for (const row of ego_pose) row.rotation = [1, 1, 0, 0];
      },
      'quaternion_not_unit',
    ],
  ])('with %s says so', async (_, change, code) => {
    const { tables, files } = version(['scene-0061']);
    change(tables);
    const [episode] = (await read({ tables, files })).episodes;
    expect(episode.findings.map((finding) => finding.code)).toContain(code);
  });

  it('with a scan cut says so', async () => {
    const { tables, files } = version(['scene-0061']);
    const [lidar, other] = Object.keys(files).filter((path) => path.includes('LIDAR'));
    files[lidar] = new Uint8Array(39);
    const [episode] = (await read({ tables, files })).episodes;
    expect(episode.findings).toMatchObject([{ code: 'nuscenes_scan_cut', evidence: { scans: 40, cut: 1 } }]);
    files[lidar] = files[other];
    files[other] = new Uint8Array(0);
    const [empty] = (await read({ tables, files })).episodes;
    expect(empty.findings).toMatchObject([{ code: 'scans_damaged', evidence: { scans: 40, damaged: 1 } }]);
  });

  it('that nothing was measured of costs itself and not the others', async () => {
    const { tables, files } = version(['scene-0061', 'scene-0103']);
    const lost = new Set(tables.sample.slice(0, keyframes).map((row) => row.token));
    tables.sample_data = tables.sample_data.filter((row) => !lost.has(row.sample_token));
    const set = await read({ tables, files });
    expect(set.unreadable).toMatchObject([{ id: 'v1.0-mini/scene-0061', finding: { code: 'scene_empty' } }]);
    expect(set.episodes.map(({ index }) => index)).toEqual([1]);
  });
});

describe('tables of nuScenes', () => {
  it('that are absent, cut or damaged are named', async () => {
    const { tables, files } = version(['scene-0061']);
    const text = JSON.stringify(tables.sample_data);
    delete tables.map;
    delete tables.sample_annotation;
    const cut = `${text.slice(0, 2000).replace('"is_key_frame":', '"is_key_frame"')}`;
    const set = await read({ tables, files }, 'v1.0-mini', { 'v1.0-mini/sample_data.json': cut });
    expect(set.findings.map(({ code }) => code)).toEqual([
      'file_truncated',
      'records_broken',
      'tables_missing',
    ]);
    expect(streamOf(set.episodes[0], 'keyframes')).toBeUndefined();
  });

  it('of boxes that end in the middle leave counts in doubt, and every scene says so', async () => {
    const { tables, files } = version(['scene-0061', 'scene-0103']);
    const text = JSON.stringify(tables.sample_annotation);
    const path = 'v1.0-mini/sample_annotation.json';
    const set = await read({ tables, files }, 'v1.0-mini', { [path]: text.slice(0, text.length / 2) });
    for (const { findings } of set.episodes)
      expect(findings).toMatchObject([{ code: 'file_truncated', path }]);
  });

  it('that name what no other table holds are counted', async () => {
    const { tables, files } = version(['scene-0061']);
    for (const row of tables.sample_data.slice(0, 7)) row.sample_token = token('elsewhere');
    const set = await read({ tables, files });
    const keyframes = tables.sample_data.slice(0, 7).filter((row) => row.is_key_frame).length;
    expect(keyframes).toBeGreaterThan(0);
    expect(set.findings).toMatchObject([
      { code: 'nuscenes_reference_broken', evidence: { mounts: 0, keyframes } },
      { code: 'records_without_scene', evidence: { records: 7 } },
    ]);
  });

  it('of measurements without a time are counted and left out', async () => {
    const { tables, files } = version(['scene-0061']);
    const text = JSON.stringify(tables.sample_data).replace(/"timestamp":\d+/, '"timestamp":1e999');
    const set = await read({ tables, files }, 'v1.0-mini', { 'v1.0-mini/sample_data.json': text });
    expect(set.findings).toMatchObject([{ code: 'records_without_time', evidence: { records: 1 } }]);
    expect(set.episodes[0].duration_s).toBeCloseTo(2, 6);
  });

  it('that name files outside the folder open none', async () => {
    const { tables, files } = version(['scene-0061']);
    for (const row of tables.sample_data) row.filename = '../../../etc/passwd';
    const set = await read({ tables, files });
    expect(set.findings).toMatchObject([{ code: 'files_missing', evidence: { absent: 90 } }]);
    expect(set.episodes[0].sources.every(({ path }) => path.startsWith('v1.0-mini/'))).toBe(true);
  });

  it('of the test split keep their labels back: no keyframe has none', async () => {
    const { tables, files } = version(['scene-0061']);
    tables.sample_annotation = [];
    const set = await read({ tables, files }, 'v1.0-test');
    expect(streamOf(set.episodes[0], 'keyframes')).toBeUndefined();
  });

  it('are not taken for it by their names alone', async () => {
    const root = write({ tables: {}, files: { 'a.jpg': jpeg } }, 'v1.0-mini', {
      ...Object.fromEntries(
        ['scene', 'sample', 'sample_data', 'sensor', 'calibrated_sensor'].map((name) => [
          `v1.0-mini/${name}.json`,
          '[]',
        ]),
      ),
    });
    expect((await readEverything(root)).sets.map(({ format }) => format)).toEqual(['pictures']);
  });
});
