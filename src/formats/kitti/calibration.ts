import { counted } from '#core';
import type { Calibration, Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { kittiBreach } from './rules.ts';

/** Calibration of the day, and what is wrong with its files. */
export interface DayCalibration {
  readonly calibrations: readonly Calibration[];
  readonly findings: readonly Finding[];
}

const files = ['calib_cam_to_cam.txt', 'calib_velo_to_cam.txt', 'calib_imu_to_velo.txt'] as const;
const mostBytes = 1024 * 1024;

/** Reads the three calibration files of a day, which lie beside its drives. */
export async function readCalibration(tree: SourceTree): Promise<DayCalibration> {
  const calibrations: Calibration[] = [];
  const absent: string[] = [];
  const findings: Finding[] = [];
  for (const path of files) {
    if (!tree.has(path)) {
      absent.push(path);
      continue;
    }
    const text = await tree.text(path, mostBytes);
    const values = parseCalibration(text);
    findings.push(...calibrationFindings(path, text, values));
    if (values.size === 0) findings.push(unreadFinding(path));
    else if (path === 'calib_cam_to_cam.txt') calibrations.push(...cameraCalibrations(path, values));
    else
      calibrations.push(rigid(path, path === 'calib_velo_to_cam.txt' ? 'velodyne_points' : 'oxts', values));
  }
  if (absent.length > 0) findings.push(absentFinding(absent));
  return { calibrations, findings };
}

/** `K_00: 9.8e+02 0 …`: lists of numbers by their names; what is no number (calib_time) is left out. */
function parseCalibration(text: string): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const numbers = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/)
      .map(Number);
    if (numbers.length > 0 && numbers.every(Number.isFinite))
      values.set(line.slice(0, colon).trim(), numbers);
  }
  return values;
}

/** `K_02` belongs to image_02; `S_rect`, `R_rect` and `P_rect` are of its rectified pictures. */
function cameraCalibrations(path: string, values: ReadonlyMap<string, number[]>): Calibration[] {
  const cameras = new Map<string, Record<string, readonly number[]>>();
  for (const [name, numbers] of values) {
    const found = /^(\w+)_(\d\d)$/.exec(name);
    if (found === null) continue;
    const own = cameras.get(found[2]) ?? {};
    own[found[1]] = numbers;
    cameras.set(found[2], own);
  }
  return [...cameras].map(([number, own]) => ({
    target: `image_${number}`,
    model: 'pinhole',
    source: path,
    values: own,
  }));
}

function rigid(path: string, target: string, values: ReadonlyMap<string, number[]>): Calibration {
  return { target, model: 'rigid', source: path, values: Object.fromEntries(values) };
}

function absentFinding(absent: readonly string[]): Finding {
  const message = `${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} not in the folder of the day`;
  return kittiBreach('calibration_missing', null, message);
}

function unreadFinding(path: string): Finding {
  return {
    code: 'calibration_unreadable',
    severity: 'error',
    path,
    message: `${path} holds no line of a name and numbers`,
    advice: 'unpack the calibration archive of this day again',
  };
}

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
function calibrationFindings(
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
