import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Episode, timesOf } from '#core/episode';
import { createFeatures, deriveKind } from '#quality/readiness';
import { readEverything } from '#test/support/read-dataset';

const top = mkdtempSync(join(tmpdir(), 'assay-kitti-'));
afterAll(() => rmSync(top, { recursive: true }));

let png = Buffer.alloc(0);
beforeAll(async () => {
  png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#487' } })
    .png()
    .toBuffer();
});

type Files = Record<string, string | Uint8Array>;

const day = '2011_09_26';
const drive = `${day}_drive_0009_sync`;
const numbered = (i: number, extension: string) => `data/${String(i).padStart(10, '0')}.${extension}`;

/** Times ten a second, `offset_ms` after the first camera; empty lines where a frame is not there. */
const times = (count: number, offset_ms: number, without: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => {
    const ms = 25_900 + offset_ms + 100 * i;
    const second = `${Math.floor(ms / 1000)}`.padStart(2, '0');
    return without.includes(i)
      ? ''
      : `2011-09-26 13:02:${second}.${String(ms % 1000).padStart(3, '0')}000000`;
  }).join('\n');

const packet = Array.from({ length: 30 }, (_, i) => (i < 25 ? i + 0.5 : i)).join(' ');
const format = 'lat lon alt roll pitch yaw vn ve vf vl vu ax ay az af al au wx wy wz wf wl wu '
  .concat('pos_accuracy vel_accuracy navstat numsats posmode velmode orimode')
  .split(' ')
  .map((name) => `${name}:  what it is (unit)`)
  .join('\n');

function sensor(name: string, extension: string, count: number, body: string | Uint8Array): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`${name}/${numbered(i, extension)}`, body]),
  );
}

/** Twelve frames of two cameras, laser and OXTS. */
function driveFiles(): Files {
  return {
    ...sensor('image_00', 'png', 12, png),
    ...sensor('image_02', 'png', 12, png),
    ...sensor('velodyne_points', 'bin', 12, new Uint8Array(32)),
    ...sensor('oxts', 'txt', 12, packet),
    'image_00/timestamps.txt': times(12, 0),
    'image_02/timestamps.txt': times(12, 7),
    'velodyne_points/timestamps.txt': times(12, -20),
    'velodyne_points/timestamps_start.txt': times(12, -70),
    'velodyne_points/timestamps_end.txt': times(12, 30),
    'oxts/timestamps.txt': `${times(12, 3)}\n`,
    'oxts/dataformat.txt': format,
  };
}

const rectified = ['00', '01', '02', '03']
  .map((camera) => `R_rect_${camera}: 1 0 0 0 1 0 0 0 1\nP_rect_${camera}: 1 0 2 0 0 1 2 0 0 0 1 0\n`)
  .join('');
const calibration: Files = {
  'calib_cam_to_cam.txt': `calib_time: 09-Jan-2012 13:57:47\ncorner_dist: 9.95e-02\nS_00: 1.392e+03 5.12e+02\nK_00: 1 0 2 0 1 2 0 0 1\nD_00: 1 2 3 4 5\nS_rect_00: 6.4e+01 4.8e+01\n${rectified}`,
  'calib_velo_to_cam.txt': 'calib_time: 15-Mar-2012 11:37:16\nR: 1 0 0 0 1 0 0 0 1\nT: 1 2 3\n',
  'calib_imu_to_velo.txt': 'R: 1 0 0 0 1 0 0 0 1\nT: -8 3 -7\n',
};

const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, body]) => [`${folder}/${path}`, body]));

let made = 0;
function write(files: Files): string {
  const root = join(top, `set${made++}`);
  for (const [path, body] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), body);
  }
  return root;
}

const read = async (files: Files) => (await readEverything(write(files))).sets;
const streamOf = (episode: Episode, id: string) => episode.streams.find((stream) => stream.id === id)!;

async function onlyDrive(changes: Record<string, string | Uint8Array | null>) {
  const files = driveFiles();
  for (const [path, body] of Object.entries(changes)) {
    if (body === null) delete files[path];
    else files[path] = body;
  }
  const [set] = await read({ ...below(drive, files), ...calibration });
  return set.episodes[0];
}

describe('a drive of KITTI raw', () => {
  it('has every sensor at the times of its own file', async () => {
    const [set] = await read(below(day, { ...below(drive, driveFiles()), ...calibration }));
    expect(set).toMatchObject({ format: 'kitti-raw', path: day, findings: [] });
    const [episode] = set.episodes;
    expect(episode).toMatchObject({ id: drive, start_ns: null, findings: [], tasks: null });
    const firsts = ['image_00', 'image_02', 'velodyne_points', 'oxts/position'].map(
      (id) => timesOf(streamOf(episode, id))![0],
    );
    expect(firsts.map((first) => Math.round(1000 * first))).toEqual([20, 27, 0, 23]);
    expect(timesOf(streamOf(episode, 'image_00'))![11]).toBeCloseTo(1.12, 9);
    expect(streamOf(episode, 'velodyne_points').clocks.map(({ name }) => name)).toEqual([
      'timestamps.txt',
      'timestamps_start.txt',
      'timestamps_end.txt',
    ]);
    expect(deriveKind(episode).kind).toBe('drive-log');
  });

  it('has the fields of OXTS by their names, in units', async () => {
    const episode = await onlyDrive({});
    expect(streamOf(episode, 'oxts/attitude')).toMatchObject({
      role: 'attitude',
      names: ['roll', 'pitch', 'yaw'],
      unit: { unit: 'rad', evidence: 'known_format' },
    });
    expect([...streamOf(episode, 'oxts/velocity').series!.values.subarray(0, 5)]).toEqual([
      6.5, 7.5, 8.5, 9.5, 10.5,
    ]);
    expect(streamOf(episode, 'oxts/status').names).toEqual([
      'navstat',
      'numsats',
      'posmode',
      'velmode',
      'orimode',
    ]);
  });

  it('has pictures and scans in their files, with sizes of calibration and points by file size', async () => {
    const episode = await onlyDrive({ [`velodyne_points/${numbered(3, 'bin')}`]: new Uint8Array(160) });
    const camera = streamOf(episode, 'image_00');
    expect(camera.frames?.declared_size_px).toEqual([64, 48]);
    expect(camera.frames?.locator).toMatchObject({ type: 'image-files' });
    expect([...streamOf(episode, 'velodyne_points/count').series!.values.subarray(0, 5)]).toEqual([
      2, 2, 2, 10, 2,
    ]);
    expect(episode.calibrations.map(({ target }) => target)).toEqual([
      ...['image_00', 'image_01', 'image_02', 'image_03'],
      ...['velodyne_points', 'oxts'],
    ]);
    expect(episode.sources.filter(({ role }) => role === 'image')).toHaveLength(24);
  });

  it('with empty lines for lost scans keeps the rest at their own frames', async () => {
    const lost = [4, 5, 6];
    const scans = Object.fromEntries(lost.map((i) => [`velodyne_points/${numbered(i, 'bin')}`, null]));
    const episode = await onlyDrive({ ...scans, 'velodyne_points/timestamps.txt': times(12, -20, lost) });
    expect(episode.findings).toMatchObject([
      { code: 'timestamps_empty_lines', message: expect.stringContaining('frames 4 to 6') },
      { code: 'kitti_frames_shifted', evidence: { files: 9, frames: 12 } },
    ]);
    const lidar = streamOf(episode, 'velodyne_points');
    expect(lidar.sample_count).toBe(9);
    expect(timesOf(lidar)![4]).toBeCloseTo(0.7, 9);
    expect(createFeatures(episode).clock(lidar)?.missing).toBeCloseTo(3, 6);
  });

  it('as extract has different counts of its sensors', async () => {
    const files: Files = {
      ...driveFiles(),
      ...sensor('oxts', 'txt', 110, packet),
      'oxts/timestamps.txt': times(110, 3),
    };
    const [set] = await read({ ...below(drive.replace('sync', 'extract'), files), ...calibration });
    const [episode] = set.episodes;
    expect(streamOf(episode, 'oxts/position').sample_count).toBe(110);
    expect(streamOf(episode, 'image_00').sample_count).toBe(12);
    expect(streamOf(episode, 'image_00').frames?.declared_size_px).toEqual([1392, 512]);
  });

  it('says when labelled objects are first seen', async () => {
    const tracklet = (type: string, first: number) =>
      `<item><objectType>${type}</objectType><h>1</h><first_frame>${first}</first_frame><poses><count>2</count></poses></item>`;
    const xml = `<tracklets><count>3</count>${tracklet('Van', 5)}${tracklet('Car', 2)}${tracklet('Tram', 400)}</tracklets>`;
    const episode = await onlyDrive({ 'tracklet_labels.xml': xml });
    expect(episode.events.map(({ label }) => label)).toEqual(['Car', 'Van']);
    expect(episode.events[0].time_s).toBeCloseTo(0.22, 9);
  });

  it.each<[string, Record<string, string | Uint8Array | null>, string, RegExp]>([
    ['a picture lost', { [`image_00/${numbered(7, 'png')}`]: null }, 'frames_missing', /1 of 12 .*\(7\)/],
    [
      'a line that is no time',
      { 'oxts/timestamps.txt': times(12, 3).replace('2011', 'year') },
      'timestamps_unreadable',
      /frames 0$/,
    ],
    [
      'fewer lines than frames',
      { 'image_02/timestamps.txt': times(10, 7) },
      'frames_without_time',
      /frames 10 to 11/,
    ],
    ['no times of a sensor', { 'image_02/timestamps.txt': null }, 'timestamps_missing', /image_02 has no/],
    [
      'half a point',
      { [`velodyne_points/${numbered(2, 'bin')}`]: new Uint8Array(17) },
      'scans_damaged',
      /17 bytes/,
    ],
    ['an empty scan', { [`velodyne_points/${numbered(2, 'bin')}`]: '' }, 'scans_damaged', /: 0 bytes/],
    ['a cut packet', { [`oxts/${numbered(3, 'txt')}`]: '49.0 8.4' }, 'oxts_packet_unreadable', /1 of 12/],
    ['other fields', { 'oxts/dataformat.txt': 'lon: x\nlat: y' }, 'oxts_format_differs', /different fields/],
  ])('with %s says so', async (_, changes, code, words) => {
    const { findings } = await onlyDrive(changes);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(findings.find((finding) => finding.code === code)?.message).toMatch(words);
  });

  it('without times has no clock for that sensor, rather than that of another', async () => {
    const episode = await onlyDrive({ 'image_02/timestamps.txt': null });
    expect(streamOf(episode, 'image_02')).toMatchObject({ clock: null, clocks: [], sample_count: 12 });
  });
});

describe('a folder of KITTI raw', () => {
  it('is a dataset a day, and says which calibration is absent and what is not read', async () => {
    const sets = await read({
      ...below(`${day}/${drive}`, driveFiles()),
      [`${day}/notes.txt`]: 'x',
      ...below(`2011_09_28/2011_09_28_drive_0001_sync`, driveFiles()),
    });
    expect(sets.map(({ path }) => path)).toEqual([day, '2011_09_28']);
    expect(sets[0].findings.map(({ code }) => code)).toEqual(['calibration_missing', 'files_not_read']);
    expect(sets[1].findings.map(({ code }) => code)).toEqual(['calibration_missing']);
  });

  it('may be a drive alone, under any name', async () => {
    const [set] = await read(driveFiles());
    expect(set.episodes.map(({ id }) => id)).toEqual(['drive']);
  });

  it('is not taken for one when only names fit', async () => {
    const files = { [`${drive}/image_00/timestamps.txt`]: '1\n2\n', 'a.png': png };
    expect((await read(files)).map(({ format }) => format)).toEqual(['pictures']);
  });
});
