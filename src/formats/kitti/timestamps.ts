import type { Finding } from '#core/episode';
import type { SourceTree } from '#io/sources';
import { rangesOf } from '../shared/number-ranges.ts';

/** Times of a sensor, by frame number: whole seconds of the local calendar, and what is beyond them. */
export interface Timestamps {
  readonly path: string;
  /** NaN where the line is empty or no time. */
  readonly whole_s: Float64Array;
  readonly fraction_s: Float64Array;
  readonly findings: readonly Finding[];
}

const mostBytes = 256 * 1024 * 1024;
const written = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;

/** Whether a text starts with a time as KITTI writes it. */
export function startsWithTime(text: string): boolean {
  return text.split('\n', 64).some((line) => written.test(line.trim()));
}

/**
 * Reads a timestamps file. The line number is the number of the frame: an empty line stands for a frame that is not
 * there, and leaving it out would shift all that follow. Null: there is no such file.
 */
export async function readTimestamps(tree: SourceTree, path: string): Promise<Timestamps | null> {
  if (!tree.has(path)) return null;
  const lines = (await tree.text(path, mostBytes)).split('\n');
  while (lines.length > 0 && lines[lines.length - 1].trim() === '') lines.pop();
  const whole_s = new Float64Array(lines.length).fill(Number.NaN);
  const fraction_s = new Float64Array(lines.length);
  const empty: number[] = [];
  const odd: number[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i].trim();
    const time = written.exec(line);
    if (time === null) (line === '' ? empty : odd).push(i);
    else {
      const [year, month, day, hour, minute, second] = time.slice(1, 7).map(Number);
      whole_s[i] = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
      fraction_s[i] = time[7] === undefined ? 0 : Number(`0.${time[7]}`);
    }
  }
  return { path, whole_s, fraction_s, findings: [...emptyFinding(path, empty), ...oddFinding(path, odd)] };
}

/** Seconds since a whole second, of the given frames. */
export function secondsOf(
  { whole_s, fraction_s }: Timestamps,
  frames: readonly number[],
  zero: { readonly whole_s: number; readonly fraction_s: number },
): Float64Array {
  return Float64Array.from(
    frames,
    (frame) => whole_s[frame] - zero.whole_s + (fraction_s[frame] - zero.fraction_s),
  );
}

function emptyFinding(path: string, lines: readonly number[]): Finding[] {
  if (lines.length === 0) return [];
  return [
    {
      code: 'timestamps_empty_lines',
      severity: 'warning',
      path,
      message: `${path} has ${lines.length} empty lines: frames ${rangesOf(lines)} have no time`,
      advice:
        'count the lines when pairing frames with times; skipping the empty ones shifts all that follow',
      evidence: { lines: lines.length },
    },
  ];
}

function oddFinding(path: string, lines: readonly number[]): Finding[] {
  if (lines.length === 0) return [];
  return [
    {
      code: 'timestamps_unreadable',
      severity: 'error',
      path,
      message: `${path} has ${lines.length} lines that are no time: frames ${rangesOf(lines)}`,
      advice: 'restore the file from its source; times are written 2011-09-26 13:02:25.964389445',
      evidence: { lines: lines.length },
    },
  ];
}
