import { significant } from '#core';
import { type Clock, type Frames, type Series, type Stream, timesOf } from '#core/episode';

/** Velocity command types: drivers send one when something changes, or a constant one while it lasts. */
const velocityCommand = /(Twist|TwistStamped|AckermannDrive|AckermannDriveStamped|Joy)$/;
/** Types sent periodically by drivers and controllers; a gap in them is always data loss. */
const periodic = /(JointStates?|Odometry|Imu|MultiDOFJointState)$/;
/** Topics with fewer messages are goals or switches, not a signal. */
const minMessagesForRate = 3;
/** No controller follows commands at longer intervals. */
const maxMedianStep_s = 1.5;
/** Steps of this many times the median are pauses; single losses give steps of two or three. */
const minPauseRatio = 5;
const minPauseShare = 0.2;
const maxRegularDeviation = 0.3;
const minRegularShare = 0.5;

/**
 * Returns why the messages of a command or odometry topic are event-driven (a key, a goal, a changed estimate) rather
 * than periodic; `null` for other roles, or if they have, or should have, a rate. Decided by the message type for
 * velocity commands; for other commands and estimates by the timestamps of the whole recording: fewer than half of the
 * steps near the median, or pauses for a fifth of the time.
 */
export function explainEventDriven(stream: Stream, schema: string): string | null {
  if (stream.role !== 'action' && stream.role !== 'odometry') return null;
  if (periodic.test(schema)) return null;
  if (stream.role === 'action' && velocityCommand.test(schema))
    return `${schema} commands are sent only while the robot is being driven, at no fixed rate`;
  if (stream.sample_count < minMessagesForRate)
    return `only ${stream.sample_count === 1 ? 'one message' : `${stream.sample_count} messages`} in the whole recording`;
  const times = timesOf(stream);
  return times === null ? null : explainIrregular(times);
}

function explainIrregular(times: Float64Array): string | null {
  const steps = Float64Array.from({ length: times.length - 1 }, (_, i) => times[i + 1] - times[i]).sort();
  const median = steps[steps.length >> 1];
  if (!(median > 0)) return null;
  if (median > maxMedianStep_s)
    return `its messages are ${significant(median, 3)} s apart, like goals or switches rather than a signal`;
  let near = 0;
  let pauses = 0;
  let paused_s = 0;
  for (const step of steps) {
    if (Math.abs(step / median - 1) <= maxRegularDeviation) near++;
    if (step <= minPauseRatio * median) continue;
    pauses++;
    paused_s += step;
  }
  if (near < minRegularShare * steps.length)
    return `irregular: only ${near} of ${steps.length} intervals are within 30 % of the median`;
  const share = paused_s / (times[times.length - 1] - times[0]);
  if (pauses < 2 || !(share >= minPauseShare)) return null;
  return `it pauses ${pauses} times, for ${Math.floor(100 * share)} % of the time between its first and last message`;
}

/**
 * Returns a copy of the stream sorted by log time (stable), or the stream itself if it has no log clock. Containers may
 * store chunks in any order (several writers, parallel compression).
 */
export function sortByLogTime(stream: Stream): Stream {
  const log = stream.clocks.find((clock) => clock.provenance === 'log');
  if (log === undefined) return stream;
  const order = Uint32Array.from(log.time_s, (_, i) => i);
  order.sort((a, b) => log.time_s[a] - log.time_s[b] || a - b);
  return {
    ...stream,
    clocks: stream.clocks.map((clock) => reorderedClock(clock, order)),
    ...(stream.series === undefined ? {} : { series: reorderedSeries(stream.series, order) }),
    ...(stream.frames === undefined ? {} : { frames: reorderedFrames(stream.frames, order) }),
  };
}

function reorderedClock(clock: Clock, order: Uint32Array): Clock {
  return { ...clock, time_s: Float64Array.from(order, (from) => clock.time_s[from]) };
}

function reorderedSeries(series: Series, order: Uint32Array): Series {
  const { dims } = series;
  const values = series.values.slice();
  for (const [to, from] of order.entries()) {
    for (let d = 0; d < dims; d++) values[to * dims + d] = series.values[from * dims + d];
  }
  return { values, dims };
}

function reorderedFrames(frames: Frames, order: Uint32Array): Frames {
  const { payloads, kept } = frames;
  const position = new Uint32Array(order.length);
  for (const [to, from] of order.entries()) position[from] = to;
  return {
    ...frames,
    ...(payloads === undefined
      ? {}
      : {
          payloads: {
            crc32: Uint32Array.from(order, (from) => payloads.crc32[from]),
            bytes: Uint32Array.from(order, (from) => payloads.bytes[from]),
          },
        }),
    ...(kept === undefined
      ? {}
      : {
          kept: kept
            .map((picture) => ({ ...picture, index: position[picture.index] }))
            .sort((a, b) => a.index - b.index),
        }),
  };
}
