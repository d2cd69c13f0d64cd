import type { Finding, Stream } from '#core/episode';
import type { FileArrays } from '../shared/step-arrays/file-arrays.ts';
import type { StepReading } from '../shared/step-arrays/numeric-stream.ts';
import { atFrames, everyFrame, type FrameClock } from './frame-clock.ts';

/** Frames at which commands were really sent, and their times. */
interface Sent {
  readonly count: number;
  /** `action/joint/index`. */
  readonly named: string;
  readonly clocks: ReturnType<typeof atFrames>;
}

/** By part of the robot: `joint`. */
export type SentFrames = ReadonlyMap<string, Sent>;

/** Reads action/…/index; one that names frames which are not there counts as absent, with a finding. */
export async function sentFrames(
  { arrays }: FileArrays,
  reading: StepReading,
  frames: FrameClock,
): Promise<{ sent: SentFrames; findings: Finding[] }> {
  const total = frames.clock.time_s.length;
  const sent = new Map<string, Sent>();
  const findings: Finding[] = [];
  for (const [id, dataset] of arrays) {
    const part = /^action\/(\w+)\/index$/.exec(id)?.[1];
    if (part === undefined || dataset.rows === 0 || dataset.rowElements !== 1) continue;
    const values = (await reading.numeric({ id, role: 'other', dataset })).series?.values;
    if (values === undefined) continue;
    if (values.every((frame) => Number.isInteger(frame) && frame >= 0 && frame < total)) {
      sent.set(part, { count: values.length, named: id, clocks: atFrames(frames, values, id) });
      continue;
    }
    findings.push({
      ...{ code: 'command_index_wrong', severity: 'error', path: reading.path },
      message: `${id} names frames outside the ${total} of the episode; it is not used`,
      advice: 'copy the episode again, or leave it out',
    });
  }
  // Often absent for the ends of the arms, which move with their joints: converters take theirs.
  const joint = sent.get('joint');
  if (!sent.has('end') && joint !== undefined) sent.set('end', joint);
  return { sent, findings };
}

/**
 * A command stream in time: row by frame where there are as many; fewer at the frames they were sent, as they are and
 * never filled up. Others have no time that anybody knows.
 */
export function timed(stream: Stream, frames: FrameClock, sent: SentFrames, path: string) {
  const total = frames.clock.time_s.length;
  const { sample_count, id } = stream;
  if (sample_count === total) return { stream: { ...stream, ...everyFrame(frames, total) }, finding: null };
  const part = id.split('/')[1] ?? '';
  const own = sent.get(part);
  if (sample_count < total && own?.count === sample_count) {
    return {
      stream: { ...stream, ...own.clocks },
      finding: shorter(id, sample_count, total, own.named, path),
    };
  }
  const untimed = { ...stream, ...everyFrame(frames, sample_count) };
  return { stream: untimed, finding: mismatch(id, sample_count, total, path) };
}

function shorter(id: string, rows: number, total: number, named: string, path: string): Finding {
  return {
    ...{ code: 'commands_fewer', severity: 'info', path },
    message: `${id} has ${rows} commands for ${total} frames; they are left as they are, at the frames of ${named}`,
    advice: 'hold each command until the next one when a command for every frame is needed',
    evidence: { commands: rows, frames: total },
  };
}

function mismatch(id: string, rows: number, total: number, path: string): Finding {
  const isLonger = rows > total;
  return {
    ...{ code: isLonger ? 'action_longer_than_state' : 'action_untimed', severity: 'error', path },
    message: `${id} has ${rows} rows for ${total} frames${isLonger ? '' : ', and no index says which'}; it is kept without times`,
    advice: 'leave the episode out: which commands belong to which frames cannot be told',
    evidence: { commands: rows, frames: total },
  };
}

/** Rows of which not every one was sent: said once for an episode. */
export function sentFinding(
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
  const named = partly.map(([part, { count }]) => `${part} at ${count}`);
  return [
    {
      ...{ code: 'commands_not_all_sent', severity: 'info', path },
      message: `of ${total} frames commands were really sent: ${named.join(', ')} (action/…/index); what the other rows hold was not sent`,
      advice: 'train on the frames of action/…/index alone where only real commands count',
      evidence: {
        frames: total,
        sent: Object.fromEntries(partly.map(([part, { count }]) => [part, count])),
      },
    },
  ];
}
