import { counted } from '#core';
import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { rangesOf } from '../shared/number-ranges.ts';
import { type Drive, inDrive, type NumberedFile } from './layout.ts';
import { kittiBreach } from './rules.ts';

const mostBytes = 256 * 1024 * 1024;
/** Of a line, four characters are cut off before it is parsed: the newline and three of nine digits. */
const parsed = /^\d{4}-\d\d?-\d\d? \d\d?:\d\d?:\d\d?\.\d{4,9}$/;

const sensors: readonly (readonly [name: string, extension: RegExp])[] = [
  ...['image_00', 'image_01', 'image_02', 'image_03'].map((name) => [name, /^(png|jpe?g)$/] as const),
  ['velodyne_points', /^bin$/],
  ['oxts', /^txt$/],
];

/** What keeps pykitti from opening a drive, or makes it serve other frames than those asked for. */
export async function loadingFindings(tree: SourceTree, drive: Drive): Promise<Finding[]> {
  const path = inDrive(drive, 'oxts/timestamps.txt');
  const isThere = tree.has(path);
  const lines = isThere ? linesOf(await tree.text(path, mostBytes)) : [];
  const findings: Finding[] = [];
  if (!isThere) findings.push(kittiBreach('kitti_oxts_times_missing', path, `${path} is not there`));
  const odd = [...lines.keys()].filter((i) => !parsed.test(lines[i]));
  if (odd.length > 0) {
    const message = `${path}: ${counted(odd.length, 'lines are')} no time that pykitti parses, or empty: frames ${rangesOf(odd)}`;
    findings.push(kittiBreach('kitti_oxts_time_malformed', path, message, { lines: odd.length }));
  }
  for (const [sensor, extension] of sensors)
    findings.push(...orderFindings(drive, sensor, extension, isThere ? lines.length : null));
  return findings;
}

/** As Python's readlines has them: what ends in a newline has no empty line behind it. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Files by name against frames. `frames`: lines of times; null: there are none. */
function orderFindings(drive: Drive, sensor: string, extension: RegExp, frames: number | null): Finding[] {
  const names = namesOf(drive, sensor, extension);
  const folder = inDrive(drive, `${sensor}/data`);
  const isServed = names.length > 0 || sensor === 'oxts';
  const at = names.findIndex((name, i) => Number(/^\d+(?=\.)/.exec(name)?.[0] ?? Number.NaN) !== i);
  const evidence = { files: names.length, frames };
  if (at >= 0 && at < (frames ?? names.length)) {
    const message = `${sensor}: file ${at} by name is ${names[at]}; from there on pykitti serves other frames than those asked for`;
    return [kittiBreach('kitti_frames_shifted', folder, message, evidence)];
  }
  if (frames === null || !isServed || drive.kind === 'extract' || names.length === frames) return [];
  const message = `${sensor} has ${names.length} files, oxts/timestamps.txt ${frames} lines`;
  const id = names.length < frames ? 'kitti_frames_fewer' : 'kitti_frames_more';
  return [kittiBreach(id, folder, message, evidence)];
}

/** Names of `<sensor>/data/*.<extension>` in the order of glob and sorted; of several extensions the most usual. */
function namesOf(drive: Drive, sensor: string, extension: RegExp): string[] {
  const start = inDrive(drive, `${sensor}/data/`);
  const byExtension = new Map<string, string[]>();
  for (const { path } of drive.files) {
    if (!path.startsWith(start)) continue;
    const name = path.slice(start.length);
    const end = /^[^./][^/]*\.(\w+)$/.exec(name)?.[1];
    if (end !== undefined && extension.test(end))
      byExtension.set(end, [...(byExtension.get(end) ?? []), name]);
  }
  const [most] = [...byExtension.values()].sort((a, b) => b.length - a.length);
  return (most ?? []).sort();
}

const numberBytes = 4;

/** Scans that are no list of points: `odd` of `scans`. */
export function scanFindings(odd: readonly NumberedFile[], scans: number): Finding[] {
  const isCut = ({ bytes }: NumberedFile) => Math.floor(bytes / numberBytes) % 4 !== 0;
  const [cut, damaged] = [odd.filter(isCut), odd.filter((file) => !isCut(file))];
  const named = (some: typeof odd) => some.slice(0, 3).map(({ path, bytes }) => `${path}: ${bytes} bytes`);
  const findings: Finding[] = [];
  if (cut.length > 0) {
    const message = `${cut.length} of ${scans} laser scans end within a point (${named(cut).join(', ')}); they are left out`;
    findings.push(kittiBreach('kitti_scan_cut', cut[0].path, message, { scans, cut: cut.length }));
  }
  if (damaged.length > 0)
    findings.push({
      code: 'scans_damaged',
      severity: 'error',
      path: damaged[0].path,
      message: `${damaged.length} of ${scans} laser scans are empty or not a whole number of points (${named(damaged).join(', ')}); they are left out`,
      advice: 'unpack the archive of this drive again',
      evidence: { scans, damaged: damaged.length },
    });
  return findings;
}
