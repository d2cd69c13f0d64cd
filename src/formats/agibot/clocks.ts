import { AssayError } from '#core';
import type { Clock, Finding, Stream } from '#core/episode';
import {
  assertStepCount,
  assertStored,
  createStepClock,
  type FileArrays,
  type StepArrayReader,
  type StepRate,
} from '../shared/arrays/step-arrays.ts';

/** Nominal frame rate of AgiBot World. */
export const frameRate: StepRate = { hz: 30, source: 'AgiBot World is recorded at 30 Hz' };

/** Time of each frame of an episode, why this clock was chosen, and its start. */
export interface FrameClock {
  readonly clock: Clock;
  readonly reason: string;
  readonly start_ns: string | null;
}

type ClockPart = Pick<Stream, 'clocks' | 'clock' | 'declared_rate_hz'>;

/**
 * Reads the frame times from /timestamp (ns since the UNIX epoch) as seconds since the first; if there are none,
 * returns times for `frames` frames at 30 Hz, with `start_ns` `null`. `unread` is called with the error of an
 * unreadable array.
 * @throws AssayError `limit_exceeded` for more frames than an episode may have
 */
export async function readFrameClock(
  { arrays }: FileArrays,
  path: string,
  frames: number,
  unread: (error: AssayError) => void,
): Promise<FrameClock> {
  const dataset = arrays.get('timestamp');
  if (dataset !== undefined && dataset.rows > 0 && dataset.isNumeric && dataset.rowElements === 1) {
    assertStepCount(dataset.rows, path);
    try {
      await assertStored(dataset, path);
      return clockOfStamps(await dataset.readNumbers());
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown;
      unread(thrown);
    }
  }
  assertStepCount(frames, path);
  const { clock, choice } = createStepClock(frames, frameRate);
  return { clock, reason: choice.reason, start_ns: null };
}

/** Differences are taken in whole nanoseconds: float64 resolves epoch nanoseconds to about 0.25 µs only. */
function clockOfStamps(stamps: ArrayLike<number> | ArrayLike<bigint>): FrameClock {
  const first = stamps[0];
  const origin =
    typeof first === 'bigint' ? first : BigInt(Number.isFinite(first) ? Math.round(first ?? 0) : 0);
  const time_s = new Float64Array(stamps.length);
  for (let frame = 0; frame < time_s.length; frame++) {
    const stamp = stamps[frame];
    time_s[frame] = Number(typeof stamp === 'bigint' ? stamp - origin : Number(stamp) - Number(origin)) / 1e9;
  }
  return {
    clock: { name: '/timestamp', provenance: 'log', time_s },
    reason:
      'frame timestamps to which all signals are aligned; the files do not say whether they mark capture or arrival',
    start_ns: origin > 0n ? origin.toString() : null,
  };
}

/**
 * Returns clock fields for a stream with one sample per frame; no clock if `samples` differs from the number of frames.
 */
export function clockOfEveryFrame({ clock, reason }: FrameClock, samples: number): ClockPart {
  const fits = samples === clock.time_s.length;
  return {
    clocks: fits ? [clock] : [],
    clock: fits ? { index: 0, reason } : null,
    declared_rate_hz: frameRate.hz,
  };
}

/**
 * Returns clock fields for a stream whose sample i belongs to frame `frames[i]`.
 * @param indexPath path of the index array, which the clock and its reason name
 */
function clockAtFrames({ clock }: FrameClock, frames: ArrayLike<number>, indexPath: string): ClockPart {
  const { time_s, provenance } = clock;
  const frameTimes = Float64Array.from({ length: frames.length }, (_, i) => time_s[frames[i] ?? 0] ?? 0);
  return {
    clocks: [{ name: `/timestamp at ${indexPath}`, provenance, time_s: frameTimes }],
    clock: { index: 0, reason: `each row is a command sent at the frame given in ${indexPath}` },
    declared_rate_hz: null,
  };
}

/** Frames at which the commands of one robot part were sent, and clocks of their times. */
interface SentPart {
  readonly count: number;
  /** Path of the index array: `action/joint/index`. */
  readonly index_path: string;
  readonly clocks: ReturnType<typeof clockAtFrames>;
}

/** Sent commands by robot part, such as `joint`. */
type SentFrames = ReadonlyMap<string, SentPart>;

/**
 * Reads the index arrays action/<part>/index, which list the frames of sent commands; an index with frames outside the
 * episode is ignored and becomes a finding. Without an index of its own, `end` takes that of `joint`.
 */
export async function readSentFrames(
  { arrays }: FileArrays,
  reading: StepArrayReader,
  frames: FrameClock,
): Promise<{ sent: SentFrames; findings: Finding[] }> {
  const total = frames.clock.time_s.length;
  const sent = new Map<string, SentPart>();
  const findings: Finding[] = [];
  for (const [id, dataset] of arrays) {
    const part = /^action\/(\w+)\/index$/.exec(id)?.[1];
    if (part === undefined || dataset.rows === 0 || dataset.rowElements !== 1) continue;
    const values = (await reading.readStream({ id, role: 'other', dataset })).series?.values;
    if (values === undefined) continue;
    if (values.every((frame) => Number.isInteger(frame) && frame >= 0 && frame < total)) {
      sent.set(part, { count: values.length, index_path: id, clocks: clockAtFrames(frames, values, id) });
      continue;
    }
    findings.push({
      ...{ code: 'command_index_wrong', severity: 'error', path: reading.path },
      message: `${id} refers to frames outside the ${total} frames of the episode; the index is ignored`,
      advice: 'copy the episode again, or exclude it',
    });
  }
  // Often absent for the end effectors, which move with their joints; converters use the index of the joints, too.
  const joint = sent.get('joint');
  if (!sent.has('end') && joint !== undefined) sent.set('end', joint);
  return { sent, findings };
}

/**
 * Returns a command stream with the clock of its rows, and a finding or null:
 * - as many rows as frames: one row per frame;
 * - fewer rows, with an index of that length: the times of the indexed frames, rows not filled up (info finding);
 * - otherwise: no clock, and an error finding.
 */
export function assignCommandClock(stream: Stream, frames: FrameClock, sent: SentFrames, path: string) {
  const total = frames.clock.time_s.length;
  const { sample_count, id } = stream;
  if (sample_count === total)
    return { stream: { ...stream, ...clockOfEveryFrame(frames, total) }, finding: null };
  const part = id.split('/')[1] ?? '';
  const sentPart = sent.get(part);
  if (sample_count < total && sentPart?.count === sample_count) {
    return {
      stream: { ...stream, ...sentPart.clocks },
      finding: fewerCommandsFinding(id, sample_count, total, sentPart.index_path, path),
    };
  }
  const untimed = { ...stream, ...clockOfEveryFrame(frames, sample_count) };
  return { stream: untimed, finding: mismatchFinding(id, sample_count, total, path) };
}

function fewerCommandsFinding(
  id: string,
  rows: number,
  total: number,
  listed: string,
  path: string,
): Finding {
  return {
    ...{ code: 'commands_fewer', severity: 'info', path },
    message: `${id} has ${rows} commands for ${total} frames; they are kept as they are, at the frames given in ${listed}`,
    advice: 'repeat each command until the next one if you need a command for every frame',
    evidence: { commands: rows, frames: total },
  };
}

function mismatchFinding(id: string, rows: number, total: number, path: string): Finding {
  const isLonger = rows > total;
  return {
    ...{ code: isLonger ? 'action_longer_than_state' : 'action_untimed', severity: 'error', path },
    message: `${id} has ${rows} rows for ${total} frames${isLonger ? '' : ' and no index array'}; it is kept without timestamps`,
    advice: 'exclude the episode: the commands cannot be matched to frames',
    evidence: { commands: rows, frames: total },
  };
}

/** Returns one finding if the index arrays mark fewer sent commands than a stream has rows; else none. */
export function sentFindings(
  sent: SentFrames,
  streams: readonly Stream[],
  total: number,
  path: string,
): Finding[] {
  const partly = [...sent].filter(
    ([part, { count }]) =>
      count < total &&
      streams.some(({ id, sample_count }) => id.startsWith(`action/${part}/`) && sample_count === total),
  );
  if (partly.length === 0) return [];
  const listed = partly.map(([part, { count }]) => `${part}: ${count}`);
  return [
    {
      ...{ code: 'commands_not_all_sent', severity: 'info', path },
      message: `frames at which commands were sent, of ${total}: ${listed.join(', ')} (action/…/index); the values in other rows were not sent`,
      advice: 'train only on the frames in action/…/index if you need commands that were really sent',
      evidence: {
        frames: total,
        sent: Object.fromEntries(partly.map(([part, { count }]) => [part, count])),
      },
    },
  ];
}
