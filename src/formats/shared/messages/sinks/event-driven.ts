import { significant } from '#core';
import { type Stream, timesOf } from '#core/episode';

/** Velocity commands: a driver sends one when something changes, and a constant one for as long as it holds. */
const velocityCommand = /(Twist|TwistStamped|AckermannDrive|AckermannDriveStamped|Joy)$/;
/** What drivers and controllers send in step with their own clock; a hole in it is a loss whatever the numbers say. */
const periodic = /(JointStates?|Odometry|Imu|MultiDOFJointState)$/;
/** Fewer messages than this are goals or switches, not a signal. */
const fewestForRate = 3;
/** No controller follows commands that come more slowly. */
const longestStep_s = 1.5;
/** A step this many times the median one is a pause, where single losses make steps of two or three. */
const pause = 5;
const leastPauseShare = 0.2;
const regular = 0.3;
const leastRegularShare = 0.5;

/**
 * Why messages of this topic come when something happens (a key, a goal, an estimate that changed) instead of at a rate;
 * null: they keep one, or should. Told by the message type for velocity commands; for other commands and estimates by the
 * stamps of the whole recording: fewer than half of the steps near the median one, or pauses for a fifth of the time.
 */
export function eventDriven(stream: Stream, schema: string): string | null {
  if (stream.role !== 'action' && stream.role !== 'odometry') return null;
  if (periodic.test(schema)) return null;
  if (stream.role === 'action' && velocityCommand.test(schema))
    return `${schema} commands are sent while somebody steers, at no rate that the type promises`;
  if (stream.sample_count < fewestForRate)
    return `${stream.sample_count === 1 ? 'one message' : `${stream.sample_count} messages`} in the whole recording`;
  const times = timesOf(stream);
  return times === null ? null : withoutRate(times);
}

function withoutRate(times: Float64Array): string | null {
  const steps = Float64Array.from({ length: times.length - 1 }, (_, i) => times[i + 1] - times[i]).sort();
  const median = steps[steps.length >> 1];
  if (!(median > 0)) return null;
  if (median > longestStep_s)
    return `its messages come ${significant(median, 3)} s apart: goals or switches, not a signal`;
  let near = 0;
  let pauses = 0;
  let paused_s = 0;
  for (const step of steps) {
    if (Math.abs(step / median - 1) <= regular) near++;
    if (step <= pause * median) continue;
    pauses++;
    paused_s += step;
  }
  if (near < leastRegularShare * steps.length)
    return `only ${near} of ${steps.length} steps lie within 30 % of the median one: no rate is kept`;
  const share = paused_s / (times[times.length - 1] - times[0]);
  if (pauses < 2 || !(share >= leastPauseShare)) return null;
  return `it is silent ${pauses} times, for ${Math.floor(100 * share)} % of the time between its first and last message`;
}
