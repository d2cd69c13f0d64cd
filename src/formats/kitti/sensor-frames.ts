import { counted } from '#core';
import type { Finding } from '#core/episode';
import { rangesOf } from '../shared/number-ranges.ts';
import type { NumberedFile } from './layout.ts';
import type { Timestamps } from './timestamps.ts';

/** The frames of one sensor that have both a file and a time. */
export interface SensorFrames {
  readonly sensor: string;
  readonly files: readonly NumberedFile[];
  readonly times: Timestamps | null;
  readonly findings: readonly Finding[];
}

/** Pairs files with times by frame number; what has no partner becomes a finding. */
export function pairFrames(
  sensor: string,
  files: readonly NumberedFile[],
  times: Timestamps | null,
): SensorFrames {
  if (times === null) {
    const findings = files.length === 0 ? [] : [untimedFinding(sensor, files[0].path)];
    return { sensor, files, times, findings };
  }
  const isTimed = ({ number }: NumberedFile) => Number.isFinite(times.whole_s[number] ?? Number.NaN);
  const timed = files.filter(isTimed);
  const findings = [...times.findings];
  if (timed.length < files.length)
    findings.push(
      timelessFinding(
        sensor,
        files.filter((file) => !isTimed(file)),
      ),
    );
  const there = new Set(timed.map(({ number }) => number));
  const absent: number[] = [];
  for (let i = 0; i < times.whole_s.length; i++)
    if (Number.isFinite(times.whole_s[i]) && !there.has(i)) absent.push(i);
  if (absent.length > 0) findings.push(absentFinding(sensor, times, absent));
  return { sensor, files: timed, times, findings };
}

function untimedFinding(sensor: string, path: string): Finding {
  return {
    code: 'timestamps_missing',
    severity: 'error',
    path: `${path.slice(0, path.lastIndexOf('/data/'))}/timestamps.txt`,
    message: `${sensor} has no timestamps.txt; its frames are listed without times`,
    advice: 'copy timestamps.txt of this sensor; the times of another sensor are not its own',
  };
}

function timelessFinding(sensor: string, files: readonly NumberedFile[]): Finding {
  return {
    code: 'frames_without_time',
    severity: 'error',
    path: files[0].path,
    message: `${sensor}: ${counted(files.length, 'files have')} no time and had to be left out (frames ${rangesOf(files.map(({ number }) => number))})`,
    advice: 'restore timestamps.txt: it has a line for every frame',
    evidence: { files: files.length },
  };
}

function absentFinding(sensor: string, { path, whole_s }: Timestamps, absent: readonly number[]): Finding {
  return {
    code: 'frames_missing',
    severity: 'error',
    path,
    message: `${sensor}: ${counted(absent.length, 'frames have', whole_s.length)} a time and no file (${rangesOf(absent)})`,
    advice: 'unpack the archive of this drive again',
    evidence: { listed: whole_s.length, absent: absent.length },
  };
}
