import { countPhrase } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { formatRanges } from '../shared/numbers.ts';
import { type Drive, drivePath, type NumberedFile } from './layout.ts';
import { kittiViolation } from './rules.ts';

const maxTimestampBytes = 256 * 1024 * 1024;
/** Times that pykitti parses. It cuts four characters off each line: the newline and three of nine digits. */
const pykittiTime = /^\d{4}-\d\d?-\d\d? \d\d?:\d\d?:\d\d?\.\d{4,9}$/;

const sensors: readonly (readonly [name: string, extension: RegExp])[] = [
  ...['image_00', 'image_01', 'image_02', 'image_03'].map((name) => [name, /^(png|jpe?g)$/] as const),
  ['velodyne_points', /^bin$/],
  ['oxts', /^txt$/],
];

/**
 * Returns findings on whatever makes pykitti fail on a drive or return other frames than requested; empty if nothing
 * does.
 */
export async function loadingFindings(tree: SourceTree, drive: Drive): Promise<Finding[]> {
  const path = drivePath(drive, 'oxts/timestamps.txt');
  const exists = tree.has(path);
  const lines = exists ? splitLines(await tree.text(path, maxTimestampBytes)) : [];
  const findings: Finding[] = [];
  if (!exists) findings.push(kittiViolation('kitti_oxts_times_missing', path, `${path} is missing`));
  const malformed = [...lines.keys()].filter((i) => !pykittiTime.test(lines[i]));
  if (malformed.length > 0) {
    const message = `${path}: ${countPhrase(malformed.length, 'lines are')} empty or not a time that pykitti can parse: frames ${formatRanges(malformed)}`;
    findings.push(kittiViolation('kitti_oxts_time_malformed', path, message, { lines: malformed.length }));
  }
  for (const [sensor, extension] of sensors)
    findings.push(...orderFindings(drive, sensor, extension, exists ? lines.length : null));
  return findings;
}

/** Splits text into lines as Python's readlines does: a final newline adds no empty line. */
function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Compares the files of a sensor, sorted by name, with the frames.
 * @param frames number of lines of times; `null` if there are none
 */
function orderFindings(drive: Drive, sensor: string, extension: RegExp, frames: number | null): Finding[] {
  const names = listNames(drive, sensor, extension);
  const folder = drivePath(drive, `${sensor}/data`);
  const isServed = names.length > 0 || sensor === 'oxts';
  const at = names.findIndex((name, i) => Number(/^\d+(?=\.)/.exec(name)?.[0] ?? Number.NaN) !== i);
  const evidence = { files: names.length, frames };
  if (at >= 0 && at < (frames ?? names.length)) {
    const message = `${sensor}: file ${at} by name is ${names[at]}; from there on, pykitti returns different frames than requested`;
    return [kittiViolation('kitti_frames_shifted', folder, message, evidence)];
  }
  if (frames === null || !isServed || drive.kind === 'extract' || names.length === frames) return [];
  const message = `${sensor} has ${names.length} files, but oxts/timestamps.txt has ${frames} lines`;
  const id = names.length < frames ? 'kitti_frames_fewer' : 'kitti_frames_more';
  return [kittiViolation(id, folder, message, evidence)];
}

/**
 * Returns the names of `<sensor>/data/*.<extension>`, sorted as by glob; if there are several extensions, those of the
 * most common one.
 */
function listNames(drive: Drive, sensor: string, extension: RegExp): string[] {
  const start = drivePath(drive, `${sensor}/data/`);
  const byExtension = new Map<string, string[]>();
  for (const { path } of drive.files) {
    if (!path.startsWith(start)) continue;
    const name = path.slice(start.length);
    const end = /^[^./][^/]*\.(\w+)$/.exec(name)?.[1];
    if (end !== undefined && extension.test(end))
      byExtension.set(end, [...(byExtension.get(end) ?? []), name]);
  }
  const [mostCommon] = [...byExtension.values()].sort((a, b) => b.length - a.length);
  return (mostCommon ?? []).sort();
}

const floatBytes = 4;

/**
 * Returns findings on the invalid scans out of a total of `scans`: one for those cut within a point, one for other
 * damage.
 */
export function scanFindings(invalid: readonly NumberedFile[], scans: number): Finding[] {
  const isCut = ({ bytes }: NumberedFile) => Math.floor(bytes / floatBytes) % 4 !== 0;
  const [cut, damaged] = [invalid.filter(isCut), invalid.filter((file) => !isCut(file))];
  const describeScans = (group: typeof invalid) =>
    group.slice(0, 3).map(({ path, bytes }) => `${path}: ${bytes} bytes`);
  const findings: Finding[] = [];
  if (cut.length > 0) {
    const message = `${cut.length} of ${scans} laser scans are truncated within a point (${describeScans(cut).join(', ')}) and were left out`;
    findings.push(kittiViolation('kitti_scan_cut', cut[0].path, message, { scans, cut: cut.length }));
  }
  if (damaged.length > 0)
    findings.push({
      code: 'scans_damaged',
      severity: 'error',
      path: damaged[0].path,
      message: `${damaged.length} of ${scans} laser scans are empty or not a whole number of points (${describeScans(damaged).join(', ')}) and were left out`,
      advice: 'unpack the archive of this drive again',
      evidence: { scans, damaged: damaged.length },
    });
  return findings;
}
