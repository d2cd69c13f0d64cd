/** Writes the inputs of the cases beside it: `node test/conformance/kitti-raw/generate.ts`. */
import { join } from 'node:path';
import { type CaseFiles, tinyPng, writeCase } from '../../support/case-files.ts';

const frames = 6;
/** Frames without a laser scan: their lines are empty. */
const lost = [2, 3];

const times = (offset_ms: number, without: readonly number[] = []): string =>
  Array.from({ length: frames }, (_, i) => {
    const ms = String(offset_ms + 100 * i).padStart(3, '0');
    return without.includes(i) ? '\n' : `2011-09-26 13:02:25.${ms}000000\n`;
  }).join('');

const numbered = (sensor: string, extension: string, body: (i: number) => string | Uint8Array): CaseFiles =>
  Object.fromEntries(
    Array.from({ length: frames }, (_, i) => [
      `${sensor}/data/${String(i).padStart(10, '0')}.${extension}`,
      body(i),
    ]),
  );

const packet = (i: number): string => Array.from({ length: 30 }, (_, k) => (k + i / 10).toFixed(4)).join(' ');
const scans = numbered('velodyne_points', 'bin', (i) => new Uint8Array(16 * (i + 1)));
const drive: CaseFiles = {
  ...numbered('image_00', 'png', () => tinyPng),
  ...numbered('image_02', 'png', () => tinyPng),
  ...numbered('oxts', 'txt', packet),
  ...Object.fromEntries(Object.entries(scans).filter((_, i) => !lost.includes(i))),
  'image_00/timestamps.txt': times(20),
  'image_02/timestamps.txt': times(27),
  'oxts/timestamps.txt': times(23),
  'velodyne_points/timestamps.txt': times(0, lost),
  'velodyne_points/timestamps_start.txt': times(0, lost),
  'velodyne_points/timestamps_end.txt': times(50, lost),
  'tracklet_labels.xml': '<item><objectType>Car</objectType><first_frame>1</first_frame></item>\n',
};
const calibration: CaseFiles = {
  'calib_cam_to_cam.txt': 'calib_time: 09-Jan-2012\nS_rect_00: 1 1\nK_00: 1 0 2 0 1 2 0 0 1\n',
  'calib_velo_to_cam.txt': 'R: 1 0 0 0 1 0 0 0 1\nT: 1 2 3\n',
};
const day = '2011_09_26';
const inDrive = Object.entries(drive).map(([path, body]) => [`${day}_drive_0009_sync/${path}`, body]);
await writeCase(join(import.meta.dirname, 'lost-scans', 'input', day), {
  ...Object.fromEntries(inDrive),
  ...calibration,
});
