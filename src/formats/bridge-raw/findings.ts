import type { Finding } from '#core/episode';
import { rangesOf } from '../shared/number-ranges.ts';
import type { StepPicture, Trajectory } from './layout.ts';

export function incomplete({ folder, language }: Trajectory, lacks: readonly string[]): Finding {
  return {
    ...{ code: 'episode_incomplete', severity: 'error', path: folder === '' ? language : folder },
    message: `the trajectory lacks ${lacks.join(', ')}`,
    advice: 'copy the folder again, or leave the trajectory out',
    evidence: { lacks: [...lacks] },
  };
}

export function latencyFinding({ folder }: Trajectory, day: string): Finding {
  return {
    ...{ code: 'camera_latency', severity: 'warning', path: folder },
    message: `recorded on ${day}, before 2021-07-23, when pictures still came one step late`,
    advice:
      'drop the first observation and the last action before training, as the converter of BridgeData V2 does',
    evidence: { late_steps: 1 },
  };
}

/** Steps that have no picture, and cameras that stop before others. */
export function stepFindings({ folder, cameras }: Trajectory): Finding[] {
  const findings: Finding[] = [];
  const ends = new Map([...cameras].map(([id, pictures]) => [id, pictures[pictures.length - 1].step + 1]));
  for (const [id, pictures] of cameras) {
    const absent = absentSteps(pictures);
    if (absent.length === 0) continue;
    findings.push({
      ...{ code: 'frames_missing', severity: 'error', path: pictures[0].path },
      message: `${id} has no picture of the steps ${rangesOf(absent)}`,
      advice: 'copy the folder again; do not pair pictures with steps by their order',
      evidence: { pictures: pictures.length, steps: ends.get(id) ?? 0 },
    });
  }
  if (new Set(ends.values()).size > 1) {
    findings.push({
      ...{ code: 'camera_lengths_differ', severity: 'error', path: folder === '' ? null : folder },
      message: `cameras end at different steps: ${[...ends].map(([id, end]) => `${id} ${end}`).join(', ')}`,
      advice: 'copy the folder again, or cut the trajectory to the steps that all cameras have',
      evidence: { steps: Object.fromEntries(ends) },
    });
  }
  return findings;
}

/** Numbers of steps have six digits at most, so that one wild number costs little. */
function absentSteps(pictures: readonly StepPicture[]): number[] {
  const absent: number[] = [];
  let next = 0;
  for (const { step } of pictures) {
    for (; next < step; next++) absent.push(next);
    next = step + 1;
  }
  return absent;
}
