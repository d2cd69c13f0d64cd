import { significant } from '#core';
import type { Aspect } from '../../check.ts';
import type { CameraFacts, ServedFacts } from './facts.ts';

/** Exact, as the loader is: one row without its frame is one too many. */
export function servedAspects(facts: CameraFacts, served: ServedFacts): Aspect[] {
  const { absent, off, foreign, rows } = served;
  const aspects: Aspect[] = [];
  if (isPastFile(served)) aspects.push(pastFile(facts, served));
  else if (absent > 0) aspects.push(framesMissing(facts, served));
  if (foreign > 0) aspects.push(framesForeign(facts, served));
  if (off > 0) aspects.push(rowsRefused(facts, served));
  if (facts.frames !== null && facts.frames > rows) aspects.push(framesExtra(facts, facts.frames - rows));
  return aspects;
}

function isPastFile({ absent, rows, from_s, file_last_s }: ServedFacts): boolean {
  return absent === rows && file_last_s !== null && from_s > file_last_s;
}

function pastFile(
  { camera }: CameraFacts,
  { from_s, file_last_s, file_frames, rows, rate_hz }: ServedFacts,
): Aspect {
  return {
    ...broken('camera_window_past_file', rows),
    message: () =>
      `${camera} starts at ${from_s} s of its file, whose ${file_frames} frames end at ${file_last_s} s: no row has a picture`,
    marks: marksFrom(camera, 0, rows, rate_hz),
  };
}

function framesMissing({ camera, frames }: CameraFacts, served: ServedFacts): Aspect {
  const { absent, first_absent, rows, rate_hz } = served;
  const first = first_absent ?? 0;
  return {
    ...broken('camera_frames_missing', absent),
    message: () =>
      `${camera} has no frame for ${absent} of ${rows} rows, the first at row ${first} (${time(first, rate_hz)}): the video holds ${frames ?? 0} frames of the episode`,
    marks: marksFrom(camera, first, rows, rate_hz),
  };
}

function framesForeign({ camera, frames }: CameraFacts, served: ServedFacts): Aspect {
  const { foreign, first_foreign, rows, rate_hz } = served;
  const first = first_foreign ?? 0;
  return {
    ...broken('camera_frames_foreign', foreign),
    message: () =>
      `${camera}: ${foreign} of ${rows} rows, from row ${first} on (${time(first, rate_hz)}), show frames of another episode: the window holds ${frames ?? 0} frames`,
    marks: marksFrom(camera, first, rows, rate_hz),
  };
}

function rowsRefused(facts: CameraFacts, served: ServedFacts): Aspect {
  const { off, first_off, worst_off_s, tolerance_s, rows, rate_hz } = served;
  const { camera } = facts;
  const first = first_off ?? 0;
  return {
    ...broken('camera_rows_refused', worst_off_s),
    message: () =>
      `${camera}: ${off} of ${rows} rows, the first row ${first}, have their frame up to ${milliseconds(worst_off_s)} from the time asked for; ${milliseconds(tolerance_s)} is tolerated. ${causeWords(facts, served)}`,
    marks: marksFrom(camera, first, rows, rate_hz),
  };
}

export type OffCause = 'rate' | 'window' | 'stamps';

/** Why frames lie off: another rate, a window that starts off their grid, or stamps that are rounded or uneven. */
export function offCause(
  rate_hz: number | null,
  served: Pick<
    ServedFacts,
    'rate_hz' | 'rows' | 'absent' | 'off' | 'tolerance_s' | 'first_off_s' | 'worst_off_s'
  >,
): OffCause {
  const { tolerance_s, rows, absent, off, first_off_s, worst_off_s } = served;
  const slip_s = rate_hz === null ? 0 : Math.abs(1 / rate_hz - 1 / served.rate_hz) * rows;
  if (slip_s > 2 * tolerance_s && worst_off_s - first_off_s > tolerance_s) return 'rate';
  // At the edge of the tolerance rounding lets single rows through.
  const all = off + absent === rows || worst_off_s < 1.5 * tolerance_s;
  return all && worst_off_s - first_off_s < tolerance_s ? 'window' : 'stamps';
}

function causeWords({ rate_hz }: CameraFacts, served: ServedFacts): string {
  const cause = offCause(rate_hz, served);
  if (cause === 'rate') return `The video runs at ${rate_hz} Hz, the rows at ${served.rate_hz} Hz`;
  const what =
    cause === 'window'
      ? `The episode starts ${milliseconds(served.first_off_s)} off a frame of the file`
      : 'The stamps of the frames are rounded or uneven';
  const loads = toleranceThatLoads(served.worst_off_s);
  return loads * served.rate_hz >= 0.5 ? what : `${what}; it loads with tolerance_s of ${loads}`;
}

/** One significant digit, rounded up: what to pass as tolerance_s. */
export function toleranceThatLoads(worst_off_s: number): number {
  const unit = 10 ** Math.floor(Math.log10(worst_off_s));
  return significant(unit * Math.ceil((1.001 * worst_off_s) / unit));
}

function framesExtra({ camera, frames }: CameraFacts, more: number): Aspect {
  return {
    ...broken('camera_frames_extra', more),
    message: () =>
      `${camera} has ${frames} frames for ${Number(frames) - more} rows: ${more} frames belong to no row, as those of a discarded take`,
  };
}

function broken(flag: string, observed: number) {
  return { flag, score: 0, observed };
}

function marksFrom(camera: string, first: number, rows: number, rate_hz: number) {
  return [{ stream: camera, from_s: first / rate_hz, to_s: rows / rate_hz }];
}

function time(row: number, rate_hz: number): string {
  return `${(row / rate_hz).toFixed(2)} s`;
}

function milliseconds(seconds: number): string {
  return `${significant(1000 * seconds, 3)} ms`;
}
