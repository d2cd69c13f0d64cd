import { countPhrase } from '#core';
import type { Calibration, Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { kittiViolation } from './rules.ts';

/** Calibration of a day, with findings about its files. */
export interface DayCalibration {
  readonly calibrations: readonly Calibration[];
  readonly findings: readonly Finding[];
}

const calibrationFiles = ['calib_cam_to_cam.txt', 'calib_velo_to_cam.txt', 'calib_imu_to_velo.txt'] as const;
const maxCalibrationBytes = 1024 * 1024;

/**
 * Reads the three calibration files of a day, which lie beside its drives; missing and unreadable files become
 * findings.
 */
export async function readCalibration(tree: SourceTree): Promise<DayCalibration> {
  const calibrations: Calibration[] = [];
  const missing: string[] = [];
  const findings: Finding[] = [];
  for (const path of calibrationFiles) {
    if (!tree.has(path)) {
      missing.push(path);
      continue;
    }
    const text = await tree.text(path, maxCalibrationBytes);
    const values = parseCalibration(text);
    findings.push(...calibrationFindings(path, text, values));
    if (values.size === 0) findings.push(unreadFinding(path));
    else if (path === 'calib_cam_to_cam.txt') calibrations.push(...cameraCalibrations(path, values));
    else
      calibrations.push(
        rigidCalibration(path, path === 'calib_velo_to_cam.txt' ? 'velodyne_points' : 'oxts', values),
      );
  }
  if (missing.length > 0) findings.push(missingFinding(missing));
  return { calibrations, findings };
}

/**
 * Parses lines such as `K_00: 9.8e+02 0 …` to lists of numbers by name. Lines that are not numeric (calib_time) are
 * skipped.
 */
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

/**
 * Groups camera entries by camera: `K_02` belongs to image_02. `S_rect`, `R_rect` and `P_rect` apply to rectified
 * images.
 */
function cameraCalibrations(path: string, values: ReadonlyMap<string, number[]>): Calibration[] {
  const cameras = new Map<string, Record<string, readonly number[]>>();
  for (const [name, numbers] of values) {
    const found = /^(\w+)_(\d\d)$/.exec(name);
    if (found === null) continue;
    const entries = cameras.get(found[2]) ?? {};
    entries[found[1]] = numbers;
    cameras.set(found[2], entries);
  }
  return [...cameras].map(([number, entries]) => ({
    target: `image_${number}`,
    model: 'pinhole',
    source: path,
    values: entries,
  }));
}

function rigidCalibration(path: string, target: string, values: ReadonlyMap<string, number[]>): Calibration {
  return { target, model: 'rigid', source: path, values: Object.fromEntries(values) };
}

function missingFinding(missing: readonly string[]): Finding {
  const message = `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing in the date folder`;
  return kittiViolation('calibration_missing', null, message);
}

function unreadFinding(path: string): Finding {
  return {
    code: 'calibration_unreadable',
    severity: 'error',
    path,
    message: `${path} has no line with a name and numbers`,
    advice: 'unpack the calibration archive of this date again',
  };
}

const cameras = ['00', '01', '02', '03'];
/** Entries that pykitti reads from each file, with the number of values in each. */
const requiredEntries: Readonly<Record<string, readonly (readonly [name: string, numbers: number])[]>> = {
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

/** Reports lines and entries for which pykitti fails to read a calibration file. */
function calibrationFindings(
  path: string,
  text: string,
  values: ReadonlyMap<string, readonly number[]>,
): Finding[] {
  const findings: Finding[] = [];
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n');
  const withoutColon = lines.flatMap((line, i) => (line.includes(':') ? [] : [i + 1]));
  if (withoutColon.length > 0) {
    const message = `${path}: ${countPhrase(withoutColon.length, 'lines have')} no colon: line ${withoutColon.slice(0, 4).join(', ')}`;
    findings.push(kittiViolation('kitti_calibration_line', path, message));
  }
  const incomplete = (requiredEntries[path] ?? []).filter(
    ([name, numbers]) => values.get(name)?.length !== numbers,
  );
  if (incomplete.length > 0) {
    const listed = incomplete.slice(0, 8).map(([name, numbers]) => `${name} (${numbers})`);
    const message = `${path} lacks entries or has the wrong number of values in them; expected: ${listed.join(', ')}`;
    findings.push(kittiViolation('kitti_calibration_incomplete', path, message));
  }
  return findings;
}
