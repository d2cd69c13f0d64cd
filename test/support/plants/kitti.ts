import type { PlantedFormat } from './plant.ts';
import { greyPng } from './png.ts';

type Files = Record<string, string | Uint8Array>;

const frames = 6;
const day = '2011_09_26';
const times = Array.from({ length: frames }, (_, i) => `2011-09-26 13:02:25.${i}64389445\n`);
const packet = (i: number) => Array.from({ length: 30 }, (_, k) => (k < 25 ? k + i / 8 : k)).join(' ');
const name = (i: number) => String(i).padStart(10, '0');

const sensor = (folder: string, extension: string, body: (i: number) => string | Uint8Array): Files =>
  Object.fromEntries(
    Array.from({ length: frames }, (_, i) => [`${folder}/data/${name(i)}.${extension}`, body(i)]),
  );

const rigid = 'R: 1 0 0 0 1 0 0 0 1\nT: 1 2 3\n';
const calibration: Files = {
  'calib_cam_to_cam.txt': ['00', '01', '02', '03']
    .map((camera) => `R_rect_${camera}: 1 0 0 0 1 0 0 0 1\nP_rect_${camera}: 7 0 2 4 0 7 2 0 0 0 1 0\n`)
    .join(''),
  'calib_velo_to_cam.txt': `calib_time: 15-Mar-2012 11:37:16\n${rigid}`,
  'calib_imu_to_velo.txt': rigid,
};
// Every file of a sensor has another size or value, so that it shows which is served for which frame.
const drive: Files = {
  ...sensor('image_00', 'png', (i) => greyPng(16 + i, 12)),
  ...sensor('velodyne_points', 'bin', (i) => new Uint8Array(16 * (i + 1))),
  ...sensor('oxts', 'txt', packet),
  ...Object.fromEntries(
    ['image_00', 'velodyne_points', 'oxts'].map((folder) => [`${folder}/timestamps.txt`, times.join('')]),
  ),
};

type Changes = Readonly<Record<string, string | Uint8Array | null>>;
const changed = (files: Files, changes: Changes): Files =>
  Object.fromEntries(
    Object.entries({ ...files, ...changes }).flatMap(([path, body]) => (body === null ? [] : [[path, body]])),
  );
const below = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, body]) => [`${folder}/${path}`, body]));

/** A day of two drives, of which the second is changed. */
const set = (ofDrive: Changes, ofDay: Changes = {}): Files =>
  below(day, {
    ...changed(calibration, ofDay),
    ...below(`${day}_drive_0001_sync`, drive),
    ...below(`${day}_drive_0002_sync`, changed(drive, ofDrive)),
  });
const of = (rule: string, changes: Changes) => ({ rule, episode: 1, files: set(changes) });
const ofDay = (rule: string, changes: Changes) => ({ rule, episode: null, files: set({}, changes) });

const scan = (i: number) => `velodyne_points/data/${name(i)}.bin`;
const without = (lines: readonly string[]) => ({ 'oxts/timestamps.txt': lines.join('') });

export const kittiPlants: PlantedFormat = {
  title: 'KITTI raw',
  sound: set({}),
  plants: [
    ofDay('calibration_missing', { 'calib_imu_to_velo.txt': null }),
    ofDay('kitti_calibration_incomplete', { 'calib_velo_to_cam.txt': 'R: 1 0 0 0 1 0 0 0 1\n' }),
    ofDay('kitti_calibration_incomplete', {
      'calib_cam_to_cam.txt': String(calibration['calib_cam_to_cam.txt']).replace('P_rect_03', 'P_03'),
    }),
    ofDay('kitti_calibration_line', { 'calib_imu_to_velo.txt': `${rigid}\n` }),
    of('kitti_oxts_times_missing', { 'oxts/timestamps.txt': null }),
    of('kitti_oxts_time_malformed', without(times.with(2, '\n'))),
    of('kitti_oxts_time_malformed', without([...times, '\n'])),
    of('kitti_oxts_time_malformed', without(times.map((line) => line.replace('64389445', '')))),
    of('oxts_packet_unreadable', { [`oxts/data/${name(3)}.txt`]: '49.0 8.4' }),
    of('kitti_frames_shifted', { [scan(2)]: null }),
    of('kitti_frames_shifted', { [`image_00/data/${name(2)}.png`]: null }),
    of('kitti_frames_shifted', { [`oxts/data/${name(2)}.txt`]: null }),
    of('kitti_frames_shifted', { [`velodyne_points/data/${name(1)} (1).bin`]: new Uint8Array(32) }),
    of('kitti_frames_fewer', { [scan(frames - 1)]: null }),
    of('kitti_frames_fewer', { [`oxts/data/${name(frames - 1)}.txt`]: null }),
    of('kitti_frames_more', { [scan(frames)]: new Uint8Array(16) }),
    of('kitti_scan_cut', { [scan(2)]: new Uint8Array(52) }),
  ],
};
