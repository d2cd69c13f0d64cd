import type { Finding } from '#core/episode';
import { FileWindow, type SourceTree } from '#io/sources';
import { parseRecord } from '../shared/text/json-list.ts';
import type { Measurement } from './measurements.ts';
import { numberOf, numbersOf, textOf } from './records.ts';
import { nuScenesBreach } from './rules.ts';
import type { TokenIndex } from './token-index.ts';

/** Poses of the car in the frame of the map: x, y, z, then w, x, y, z of the rotation. */
export interface EgoPoses {
  readonly time_us: Float64Array;
  readonly values: Float64Array;
  readonly findings: readonly Finding[];
}

const width = 7;
/** How far a quaternion may be from length 1. */
const unitSlack = 1e-3;

/** The poses that measurements refer to, in their order. */
export async function readPoses(
  tree: SourceTree,
  path: string,
  index: TokenIndex,
  measurements: readonly Measurement[],
): Promise<EgoPoses> {
  const times: number[] = [];
  const values: number[] = [];
  let absent = 0;
  let skewed = 0;
  await using file = await tree.openFile(path);
  const window = new FileWindow(file, tree.entry(path)?.bytes ?? 0);
  for (const { pose_token } of measurements) {
    const pose = await readPose(window, path, index, pose_token);
    if (pose === null) {
      absent++;
      continue;
    }
    if (Math.abs(Math.hypot(...pose.rotation) - 1) > unitSlack) skewed++;
    times.push(pose.time_us);
    values.push(...pose.translation, ...pose.rotation);
  }
  return {
    time_us: Float64Array.from(times),
    values: Float64Array.from(values),
    findings: [...absentFinding(path, absent, measurements.length), ...skewFinding(path, skewed)],
  };
}

async function readPose(window: FileWindow, path: string, index: TokenIndex, token: string) {
  for (const { offset, bytes } of index.find(token)) {
    const record = parseRecord(await window.read(offset, bytes), path);
    if (record === null || textOf(record, 'token') !== token) continue;
    const [translation, rotation] = [numbersOf(record.translation), numbersOf(record.rotation)];
    if (translation?.length !== 3 || rotation?.length !== width - 3) return null;
    const time_us = numberOf(record, 'timestamp');
    return Number.isFinite(time_us) ? { time_us, translation, rotation } : null;
  }
  return null;
}

function absentFinding(path: string, absent: number, asked: number): Finding[] {
  if (absent === 0) return [];
  const message = `${absent} of ${asked} poses of the car that the scene refers to are not in ${path}`;
  return [nuScenesBreach('poses_missing', path, message, { asked, absent })];
}

function skewFinding(path: string, skewed: number): Finding[] {
  if (skewed === 0) return [];
  return [
    {
      code: 'quaternion_not_unit',
      severity: 'warning',
      path,
      message: `${skewed} rotations of the car are no unit quaternions`,
      advice: 'write them as w, x, y, z of length 1',
      evidence: { rotations: skewed },
    },
  ];
}
