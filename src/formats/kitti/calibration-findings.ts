import { counted } from '#core';
import type { Finding } from '#core/episode';
import { kittiBreach } from './rules.ts';

const cameras = ['00', '01', '02', '03'];
/** Numbers of each entry that pykitti takes, by file. */
const needed: Readonly<Record<string, readonly (readonly [name: string, numbers: number])[]>> = {
  'calib_cam_to_cam.txt': cameras.flatMap((camera) => [
    [`P_rect_${camera}`, 12] as const,
    [`R_rect_${camera}`, 9] as const,
  ]),
  'calib_velo_to_cam.txt': [
    ['R', 9],
    ['T', 3],
  ],
  'calib_imu_to_velo.txt': [
    ['R', 9],
    ['T', 3],
  ],
};

/** What keeps pykitti from reading a calibration file. */
export function calibrationFindings(
  path: string,
  text: string,
  values: ReadonlyMap<string, readonly number[]>,
): Finding[] {
  const findings: Finding[] = [];
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const odd = lines.flatMap((line, i) => (line.includes(':') ? [] : [i + 1]));
  if (odd.length > 0) {
    const message = `${path}: ${counted(odd.length, 'lines have')} no colon: line ${odd.slice(0, 4).join(', ')}`;
    findings.push(kittiBreach('kitti_calibration_line', path, message));
  }
  const lacking = (needed[path] ?? []).filter(([name, numbers]) => values.get(name)?.length !== numbers);
  if (lacking.length > 0) {
    const said = lacking.slice(0, 8).map(([name, numbers]) => `${name} (${numbers})`);
    const message = `${path} lacks entries, or has another number of values in them: ${said.join(', ')}`;
    findings.push(kittiBreach('kitti_calibration_incomplete', path, message));
  }
  return findings;
}
